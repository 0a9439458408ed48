//! `query_data` (E4): reads the tables and lists of any page as rows, filters, sorts and limits them.
//!
//! What counts is what people see: rows and columns that are not rendered are left out, and the result says so. Reading
//! the page (`table`, `split`, `list`) is apart from what is asked of the rows (`records`, `order`, `number`), which is
//! pure.

mod list;
pub mod number;
pub mod order;
pub mod records;
mod split;
mod table;
pub mod writing;

use js_sys::{Array, Function, Object};
use serde_json::{Map, Value};
use wasm_bindgen::prelude::*;
use web_sys::Element;

use self::records::{More, Query, Records};
use self::writing::Writing;
use super::dom::{document, first_in_page, property};
use super::words::{PageWords, fill};
use crate::protocol::json_place::{Place, PlaceError};
use crate::tools::ToolResult;

/// How many rows it gives when the call does not say.
const DEFAULT_LIMIT: usize = 50;
/// How many it gives at most.
const MOST_ROWS: usize = 1000;
/// The rows of a result have at most about so many bytes.
const MOST_BYTES: usize = 200_000;

/// Runs a call.
///
/// The data is `{rows, total, returned, columns}`, and where it applies: `hiddenRows`, `hiddenColumns`, `footer`,
/// `truncated` (the rows were too long to give all), `partial` with `rendered` and `rowsInAll` when the page holds more
/// rows than it shows now (G08). `total` is then `null` if nobody can know it.
#[must_use]
pub fn query_data(input: &Value, words: &PageWords) -> ToolResult {
    match read_input(input) {
        Ok((true, query)) => of_table(&query, words),
        Ok((false, query)) => of_list(&query, words),
        Err(error) => ToolResult::failed(error.to_string(), words.not_found),
    }
}

fn read_input(input: &Value) -> Result<(bool, Query), PlaceError> {
    let input = Place::root("", input);
    let target = input.member("target");
    let of_table = match target.text()? {
        "table" => true,
        "list" => false,
        _ => return target.error("must be \"table\" or \"list\""),
    };
    let mut query = Query { limit: DEFAULT_LIMIT, ..Query::default() };
    if let Some(filters) = input.present("filters") {
        for (name, value) in filters.object()? {
            if !matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)) {
                return filters.member(name).error("must be a string, a number, true or false");
            }
            query.filters.push((name.clone(), value.clone()));
        }
    }
    if let Some(column) = input.present("sortBy") {
        query.sort_by = Some(column.text()?.to_owned());
    }
    if let Some(order) = input.present("sortOrder") {
        query.descending = match order.text()? {
            "asc" => false,
            "desc" => true,
            _ => return order.error("must be \"asc\" or \"desc\""),
        };
    }
    if let Some(limit) = input.present("limit") {
        // Models write 50.0, too.
        let count = limit.number()?;
        if count < 0.0 || count.fract() != 0.0 {
            return limit.error("must be a whole number, from 0 on");
        }
        query.limit = (count as usize).min(MOST_ROWS);
    }
    Ok((of_table, query))
}

/// Reads the first table that has the columns and a row; one without rows only where the page has no other.
fn of_table(query: &Query, words: &PageWords) -> ToolResult {
    // What the tables that were passed over have, for the error.
    let passed = std::cell::RefCell::new(Vec::new());
    let without_rows = std::cell::OnceCell::new();
    let is_cut_off = std::cell::Cell::new(false);
    let found = first_in_page(|root| {
        table::tables(root).find_map(|table| {
            let header = Records { columns: table.columns(), ..Records::default() };
            let sort = query.sort_by.as_deref().and_then(|name| header.column(name));
            // Hidden columns are known only when all rows are, so the whole is asked again.
            let records = header.has_columns_of(query).then(|| table.read(sort));
            match records.filter(|records| records.has_columns_of(query)) {
                Some(_) if table.is_cut_off() => {
                    is_cut_off.set(true);
                    None
                }
                Some(records)
                    if records.rows.is_empty() && records.hidden_rows == 0 && records.more.is_none() =>
                {
                    let _ = without_rows.set((records, table.language()));
                    None
                }
                Some(records) => Some((records, table.language())),
                None => {
                    passed.borrow_mut().push(names(&header));
                    None
                }
            }
        })
    });
    if found.is_none() && is_cut_off.get() {
        return ToolResult::failed(
            "the table with these columns has a header only, and the table beside it has another number of columns",
            words.not_found,
        );
    }
    answer(found.or(without_rows.into_inner()), query, "table", &passed.into_inner(), words)
}

fn of_list(query: &Query, words: &PageWords) -> ToolResult {
    let passed = std::cell::RefCell::new(Vec::new());
    let found = first_in_page(|root| {
        list::lists(root).find_map(|element| {
            let records = list::read(&element);
            if records.has_columns_of(query) {
                return Some((records, String::new()));
            }
            passed.borrow_mut().push(names(&records));
            None
        })
    });
    answer(found, query, "list", &passed.into_inner(), words)
}

/// The same elements, those at the end that something that `selector` means is around, or that are it.
fn those_within_last(elements: Vec<Element>, selector: &str) -> Vec<Element> {
    let is_within = |element: &Element| matches!(element.closest(selector), Ok(Some(_)));
    let (mut within, mut ordered): (Vec<_>, Vec<_>) = elements.into_iter().partition(is_within);
    ordered.append(&mut within);
    ordered
}

fn names(records: &Records) -> String {
    let names: Vec<&str> = records.columns.iter().map(|column| column.name.as_str()).collect();
    names.join(", ")
}

fn answer(
    found: Option<(Records, String)>,
    query: &Query,
    what: &str,
    passed: &[String],
    words: &PageWords,
) -> ToolResult {
    let Some((records, language)) = found else {
        let error = if passed.is_empty() {
            ["the page shows no ", what].concat()
        } else {
            let wanted: Vec<&str> =
                query.filters.iter().map(|(name, _)| name).chain(&query.sort_by).map(|n| &**n).collect();
            let has = passed.join("; ");
            [
                "no ",
                what,
                " on the page has the columns asked for (",
                &wanted.join(", "),
                "); columns there are: ",
                &has,
            ]
            .concat()
        };
        return ToolResult::failed(error, words.not_found);
    };
    let document_language = || {
        let root = document()?.document_element()?;
        root.get_attribute("lang")
    };
    let language =
        Some(language).filter(|tag| !tag.is_empty()).or_else(document_language).unwrap_or_default();
    let picked = records.pick(query, Writing::of_language(&language), |texts| collate(texts, &language)).rows;
    let mut rows = Vec::new();
    let mut bytes = 0;
    for row in picked.iter().take(query.limit).filter_map(|row| records.rows.get(*row)) {
        bytes += row.iter().map(|text| text.len() + 16).sum::<usize>();
        if bytes > MOST_BYTES {
            break;
        }
        rows.push(Value::from(records.object(row)));
    }
    let summary = fill(words.found, &[&picked.len().to_string()]);
    ToolResult::done(data(&records, query, picked.len(), rows), summary)
}

fn data(records: &Records, query: &Query, matching: usize, rows: Vec<Value>) -> Value {
    let mut data = Map::new();
    let mut put = |name: &str, value: Value| _ = data.insert(name.to_owned(), value);
    let total = match records.more {
        None => Value::from(matching),
        // With filters, what is not shown now may match, too.
        Some(More::Of(count)) if query.filters.is_empty() => count.into(),
        Some(_) => Value::Null,
    };
    let truncated = rows.len() < matching.min(query.limit);
    put("total", total);
    put("returned", rows.len().into());
    put("columns", records.columns.iter().map(|column| column.name.clone()).collect());
    put("rows", rows.into());
    if truncated {
        put("truncated", true.into());
    }
    if !records.footer.is_empty() {
        put("footer", records.footer.iter().map(|row| Value::from(records.object(row))).collect());
    }
    if records.hidden_rows > 0 {
        put("hiddenRows", records.hidden_rows.into());
    }
    if !records.hidden_columns.is_empty() {
        put("hiddenColumns", records.hidden_columns.clone().into());
    }
    if let Some(more) = records.more {
        put("partial", true.into());
        put("rendered", records.rows.len().into());
        put("rowsInAll", if let More::Of(count) = more { count.into() } else { Value::Null });
    }
    data.into()
}

/// The rank of each text as the page's language orders texts, so that pinyin and accents are right. The browser
/// sorts, with its own function: nothing crosses over for a comparison.
fn collate(texts: &[&str], language: &str) -> Vec<f64> {
    let options = Object::new();
    let _ = js_sys::Reflect::set(&options, &"numeric".into(), &JsValue::TRUE);
    // A tag that is none throws; the browser's own language is left then.
    let collator = Collator::new(&language.into(), &options);
    let Ok(collator) = collator.or_else(|_| Collator::new(&JsValue::UNDEFINED, &options)) else {
        return vec![0.0; texts.len()];
    };
    let compare = collator.compare();
    let strings: Array = texts.iter().map(|text| JsValue::from_str(text)).collect();
    let sort: Function = property(&strings, "sort").unchecked_into();
    let _ = sort.call1(&strings, &compare);
    let mut ranks: Vec<(String, f64)> = Vec::with_capacity(texts.len());
    let mut last: Option<JsValue> = None;
    for (at, string) in strings.iter().enumerate() {
        let is_equal = |last: &JsValue| {
            *last == string
                || compare.call2(&JsValue::UNDEFINED, last, &string).is_ok_and(|order| order == 0.0)
        };
        let rank = match (&last, ranks.last()) {
            (Some(before), Some((_, rank))) if is_equal(before) => *rank,
            _ => at as f64,
        };
        ranks.push((string.as_string().unwrap_or_default(), rank));
        last = Some(string);
    }
    ranks.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let rank = |text: &&str| {
        let at = ranks.binary_search_by(|(other, _)| other.as_str().cmp(text)).ok();
        at.and_then(|at| ranks.get(at)).map_or(0.0, |(_, rank)| *rank)
    };
    texts.iter().map(rank).collect()
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Intl)]
    type Collator;
    #[wasm_bindgen(constructor, js_namespace = Intl, catch)]
    fn new(locale: &JsValue, options: &JsValue) -> Result<Collator, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn compare(this: &Collator) -> Function;
}
