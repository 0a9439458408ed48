//! Tables in two: a header that is a table of its own, and a table of rows in the box beside it, as those are made that
//! scroll below a fixed header (E4).

use web_sys::Element;

use crate::tools::page::dom::{all, is_rendered, visible_text};

/// So many boxes are around the header at most.
const MOST_BOXES: usize = 4;

/// The table that follows a header's, with nothing that says anything between them.
pub(super) fn table_beside(header: &Element) -> Option<Element> {
    let mut around = header.clone();
    for _ in 0..=MOST_BOXES {
        let mut next = around.next_element_sibling();
        while let Some(beside) = next {
            if is_rendered(&beside) {
                let is_table = beside.local_name() == "table";
                let table =
                    if is_table { Some(beside.clone()) } else { all(&beside, "table").into_iter().next() };
                if table.is_some() || says_something(&beside) {
                    return table.filter(|table| is_first_in(table, &beside));
                }
            }
            next = beside.next_element_sibling();
        }
        around = around.parent_element()?;
    }
    None
}

fn says_something(element: &Element) -> bool {
    is_rendered(element) && !visible_text(element).is_empty()
}

/// Whether nothing in `outer` says anything before `inner`.
fn is_first_in(inner: &Element, outer: &Element) -> bool {
    let mut around = inner.clone();
    while around != *outer {
        let mut next = around.previous_element_sibling();
        while let Some(before) = next {
            if says_something(&before) {
                return false;
            }
            next = before.previous_element_sibling();
        }
        let Some(parent) = around.parent_element() else { return false };
        around = parent;
    }
    true
}
