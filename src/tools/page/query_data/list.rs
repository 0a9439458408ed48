//! Reads lists: each item's `text`, and a column for each `data-field` in the items; of description lists `term` and
//! `description`.

use std::rc::Rc;

use web_sys::{Element, Node};

use super::records::{Column, More, Records};
use super::those_within_last;
use crate::tools::page::dom::{all, is_rendered, visible_text};

const LISTS: &str = "ul,ol,menu,dl,[role=list],[role=listbox],[role=feed]";
const ITEMS: &str = "li,[role=listitem],[role=option],[role=article]";
/// Lists in there lead somewhere else; they are read only where the page has no other.
const NAVIGATION: &str =
    "nav,header,footer,[role=navigation],[role=banner],[role=contentinfo],[role=toolbar]";

/// The visible lists below `root`: those of the page's content, then those that lead elsewhere.
pub(super) fn lists(root: &Node) -> impl Iterator<Item = Element> {
    let is_list = |list: &Element| {
        !matches!(
            list.get_attribute("role").as_deref(),
            Some("none" | "presentation" | "menu" | "tablist" | "tree")
        )
    };
    let lists = those_within_last(all(root, LISTS), NAVIGATION).into_iter();
    lists.filter(move |list| is_list(list) && is_rendered(list))
}

/// A list's items as rows.
pub(super) fn read(list: &Element) -> Records {
    if list.local_name() == "dl" { read_descriptions(list) } else { read_items(list) }
}

fn read_items(list: &Element) -> Records {
    let mut records = Records { columns: vec![column("text")], ..Records::default() };
    let mut in_all = None;
    for item in all(list, ITEMS).into_iter().filter(|item| is_of(item, list)) {
        in_all = in_all.or_else(|| item.get_attribute("aria-setsize")?.trim().parse::<i64>().ok());
        if !is_rendered(&item) {
            records.hidden_rows += 1;
            continue;
        }
        let mut row: Vec<Rc<str>> = vec![visible_text(&item).into()];
        row.resize(records.columns.len(), "".into());
        let fields =
            all(&item, "[data-field]").into_iter().filter(|field| is_of(field, list) && is_rendered(field));
        for field in fields {
            let name = field.get_attribute("data-field").unwrap_or_default();
            let at = records.columns.iter().position(|column| column.name == name).unwrap_or_else(|| {
                records.columns.push(column(&name));
                records.columns.len() - 1
            });
            row.resize(records.columns.len(), "".into());
            if let Some(text) = row.get_mut(at) {
                *text = visible_text(&field).into();
            }
        }
        records.rows.push(row);
    }
    for row in &mut records.rows {
        row.resize(records.columns.len(), "".into());
    }
    records.more = in_all.and_then(|count| match usize::try_from(count) {
        Ok(count) => (count > records.rows.len() + records.hidden_rows).then_some(More::Of(count)),
        Err(_) => Some(More::Unknown),
    });
    records
}

fn read_descriptions(list: &Element) -> Records {
    let columns = ["term", "description"].map(column).into();
    let mut records = Records { columns, ..Records::default() };
    let mut term: Rc<str> = "".into();
    for part in all(list, "dt,dd").into_iter().filter(|part| is_of(part, list)) {
        if !is_rendered(&part) {
            records.hidden_rows += usize::from(part.local_name() == "dd");
        } else if part.local_name() == "dt" {
            term = visible_text(&part).into();
        } else {
            records.rows.push(vec![term.clone(), visible_text(&part).into()]);
        }
    }
    records
}

/// Whether something is of this list and not of one within it.
fn is_of(inner: &Element, list: &Element) -> bool {
    let above = inner.parent_element().and_then(|parent| parent.closest(LISTS).ok().flatten());
    above.as_ref() == Some(list)
}

fn column(name: &str) -> Column {
    Column { name: name.to_owned(), aliases: Vec::new() }
}
