//! Reads tables: what HTML calls a table, and what ARIA does.

use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{Element, Node};

use super::records::{Column, More, Records};
use super::split::table_beside;
use super::those_within_last;
use crate::tools::page::dom::{all, is_rendered, one_line, visible_text};

// What tables have of their own, whatever class they are of. A getter of its own is several times faster than a
// look-up by a name that has to be made a JavaScript string first, and long tables have many cells.
#[wasm_bindgen]
extern "C" {
    type TableParts;
    #[wasm_bindgen(method, getter, structural)]
    fn rows(this: &TableParts) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    fn cells(this: &TableParts) -> JsValue;
    #[wasm_bindgen(method, getter, structural, js_name = colSpan)]
    fn column_span(this: &TableParts) -> Option<f64>;
    #[wasm_bindgen(method, getter, structural, js_name = rowSpan)]
    fn row_span(this: &TableParts) -> Option<f64>;
}

/// A cell is cut after so many characters.
const LONGEST_CELL: usize = 1000;
/// Columns beyond are left alone: no page shows as many, and broken ones should not fill the memory.
const MOST_COLUMNS: usize = 200;

const ARIA_HIDDEN: &str = "[aria-hidden=true]";
const ARIA_TABLES: &str = "[role=table],[role=grid],[role=treegrid]";

/// A table that is seen.
pub(super) struct Table {
    element: Element,
    rows: Vec<Element>,
    header_rows: usize,
    aria: bool,
    /// How many columns it has at most.
    width: usize,
    /// It is a header alone, and what stands beside it are not its rows.
    is_cut_off: bool,
}

/// A text in the grid.
struct Placed {
    column: usize,
    /// The first column that it does not cover.
    end: usize,
    text: Rc<str>,
    hidden: bool,
    /// In how many further rows it stands.
    rows_left: u32,
}

/// A header row: its cells, and the fields that they say columns are (`data-field`), by the column.
type HeadRow = (Vec<Placed>, Vec<(usize, String)>);

/// The visible tables below `root`, those last that are hidden from screen readers: most are copies of others.
pub(super) fn tables(root: &Node) -> impl Iterator<Item = Table> {
    let selector = ["table,", ARIA_TABLES].concat();
    let mut joined: Vec<Element> = Vec::new();
    those_within_last(all(root, &selector), ARIA_HIDDEN).into_iter().filter_map(move |element| {
        if joined.contains(&element) {
            return None;
        }
        let header = element.clone();
        let table = Table::of(element)?.with_its_rows();
        if table.element != header {
            joined.push(table.element.clone());
        }
        Some(table)
    })
}

impl Table {
    /// A table that is seen and is no mere layout.
    fn of(element: Element) -> Option<Self> {
        let mut table = Self::with_marked_header(element)?;
        if table.header_rows == 0 {
            table.header_rows = usize::from(table.begins_with_names());
        }
        let is_layout = table.header_rows == 0
            && !table.element.has_attribute("role")
            && !all(&table.element, "table").is_empty();
        (!is_layout).then_some(table)
    }

    /// A table that is seen and has rows.
    fn with_marked_header(element: Element) -> Option<Self> {
        let role = element.get_attribute("role");
        if matches!(role.as_deref(), Some("none" | "presentation")) || !is_rendered(&element) {
            return None;
        }
        let aria = element.local_name() != "table";
        let rows = rows(&element, aria);
        let mut table = Self { header_rows: 0, element, rows, aria, width: MOST_COLUMNS, is_cut_off: false };
        table.header_rows = table.count_header_rows();
        (!table.rows.is_empty()).then_some(table)
    }

    /// Where it is a header alone: with the rows of the table beside it, which it then stands for.
    fn with_its_rows(mut self) -> Self {
        if self.aria || self.rows.len() > self.header_rows {
            return self;
        }
        let Some(mut body) = table_beside(&self.element).and_then(Self::with_marked_header) else {
            return self;
        };
        let mut rows = body.rows.split_off(body.header_rows);
        // A header of its own is a copy, or it is another table.
        let names = |rows: &[Element]| rows.iter().map(visible_text).collect::<Vec<String>>();
        let own_names = names(&body.rows);
        if own_names.iter().any(|names| !names.is_empty()) && own_names != names(&self.rows) {
            return self;
        }
        let (Some(head), Some(first)) = (self.rows.first(), rows.first()) else { return self };
        let columns = |cells: &[Element]| cells.iter().map(|cell| spans(cell).0).sum::<usize>();
        let width = columns(&self.cells(first));
        let mut cells = self.cells(head);
        // A column without a name may stand above the scroll bar.
        while columns(&cells) > width && cells.pop_if(|cell| visible_text(cell).is_empty()).is_some() {}
        if columns(&cells) != width {
            return Self { is_cut_off: true, ..self };
        }
        let header_rows = self.rows.len();
        self.rows.append(&mut rows);
        Self { header_rows, rows: self.rows, width: width.min(MOST_COLUMNS), ..body }
    }

    /// Whether it is a header whose rows are not to be told.
    pub(super) fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// The language that the table is written in.
    pub(super) fn language(&self) -> String {
        let with_language = self.element.closest("[lang]").ok().flatten();
        with_language.and_then(|element| element.get_attribute("lang")).unwrap_or_default()
    }

    fn cells(&self, row: &Element) -> Vec<Element> {
        if self.aria {
            let cells = "[role=cell],[role=gridcell],[role=columnheader],[role=rowheader],td,th";
            return all(row, cells).into_iter().filter(|cell| belongs(cell, row, "[role=row],tr")).collect();
        }
        list(&row.unchecked_ref::<TableParts>().cells())
    }

    fn is_header(&self, cell: &Element) -> bool {
        cell.local_name() == "th" || cell.get_attribute("role").as_deref() == Some("columnheader")
    }

    /// Rows in a head; else those at the beginning that consist of header cells.
    fn count_header_rows(&self) -> usize {
        let in_head = self.rows.iter().take_while(|row| section(row) == "thead").count();
        if in_head > 0 {
            return in_head;
        }
        let all_headers = |row: &Element| {
            let cells = self.cells(row);
            let mut headers = 0;
            cells.iter().all(|cell| {
                let is_header = self.is_header(cell);
                headers += usize::from(is_header);
                is_header || visible_text(cell).is_empty()
            }) && headers > 0
        };
        self.rows.iter().take_while(|row| all_headers(row)).count()
    }

    /// Whether the first row reads like names: several cells, each with a text of its own and without a figure in it.
    fn begins_with_names(&self) -> bool {
        let Some(first) = self.rows.first().filter(|_| self.rows.len() > 1) else { return false };
        let cells = self.cells(first);
        let texts: Vec<String> = cells.iter().map(visible_text).collect();
        let reads_like_names = texts.len() > 1
            && texts.iter().enumerate().all(|(at, text)| {
                !text.is_empty()
                    && !text.contains(|c: char| c.is_ascii_digit())
                    && !texts.iter().take(at).any(|other| other == text)
            });
        reads_like_names && !cells.iter().any(|cell| self.is_header(cell))
    }

    /// The columns alone, as far as the header says them.
    pub(super) fn columns(&self) -> Vec<Column> {
        // One row of the body shows how many there are.
        self.read_rows(self.header_rows + 1, None).columns
    }

    /// All rows. For the column to sort by, what the page says for sorting is read, too.
    pub(super) fn read(&self, sort_column: Option<usize>) -> Records {
        self.read_rows(self.rows.len(), sort_column)
    }

    fn read_rows(&self, count: usize, sort_column: Option<usize>) -> Records {
        let mut records = Records::default();
        let mut head: Vec<HeadRow> = Vec::new();
        let mut grid: Vec<Vec<Placed>> = Vec::new();
        let mut foot: Vec<Vec<Placed>> = Vec::new();
        let mut spanning: Vec<Placed> = Vec::new();
        let mut group: Option<Node> = None;
        let mut width = 0;
        for (at, row) in self.rows.iter().take(count).enumerate() {
            let parent = row.parent_node();
            if parent != group {
                // No cell reaches beyond its group of rows.
                spanning.clear();
                group = parent;
            }
            let in_head = at < self.header_rows;
            let cells = self.cells(row);
            let row_seen = is_rendered(row);
            let (placed, places) = self.place(&cells, &mut spanning, in_head, row_seen);
            width = places.iter().map(|column| column + 1).fold(width, usize::max).min(self.width);
            if in_head {
                let fields = places.iter().zip(&cells);
                let fields =
                    fields.filter_map(|(column, cell)| Some((*column, cell.get_attribute("data-field")?)));
                head.push((placed, fields.collect()));
            } else if !row_seen {
                records.hidden_rows += 1;
            } else if section(row) == "tfoot" {
                foot.push(placed);
            } else {
                let sorting = sort_column.and_then(|column| places.iter().position(|place| *place == column));
                records.sort_texts.push(sorting.and_then(|at| sort_text(cells.get(at)?)));
                grid.push(placed);
            }
        }
        records.columns = (0..width).map(|column| header(&head, column)).collect();
        let seen = |column: usize| {
            let mut cells = grid.iter().filter_map(|row| covering(row, column)).peekable();
            cells.peek().is_none() || cells.any(|cell| !cell.hidden)
        };
        let shown: Vec<usize> = (0..width).filter(|column| seen(*column)).collect();
        let nothing: Rc<str> = "".into();
        let texts = |row: &Vec<Placed>| {
            let text = |column: &usize| {
                let cell = covering(row, *column).filter(|cell| !cell.hidden);
                cell.map_or_else(|| nothing.clone(), |cell| cell.text.clone())
            };
            shown.iter().map(text).collect::<Vec<_>>()
        };
        records.rows = grid.iter().map(texts).collect();
        records.footer = foot.iter().map(texts).collect();
        records.name_columns();
        let mut columns = Vec::new();
        for (at, column) in std::mem::take(&mut records.columns).into_iter().enumerate() {
            if shown.contains(&at) { columns.push(column) } else { records.hidden_columns.push(column.name) }
        }
        records.columns = columns;
        records.more = self.more(records.rows.len() + records.hidden_rows);
        records
    }

    /// Lays a row's cells into the grid, beside those that reach into it from above; gives back where each begins.
    fn place(
        &self,
        cells: &[Element],
        spanning: &mut Vec<Placed>,
        in_head: bool,
        row_seen: bool,
    ) -> (Vec<Placed>, Vec<usize>) {
        let mut row: Vec<Placed> = Vec::with_capacity(cells.len());
        spanning.retain_mut(|cell| {
            row.push(Placed { text: cell.text.clone(), ..*cell });
            cell.rows_left -= 1;
            cell.rows_left > 0
        });
        let from_above = row.len();
        let mut places = Vec::with_capacity(cells.len());
        let mut column = 0;
        for cell in cells {
            if let Some(index) = self.aria.then(|| cell.get_attribute("aria-colindex")).flatten() {
                column = index.parse::<usize>().map_or(column, |index| index.clamp(1, MOST_COLUMNS) - 1);
            }
            while let Some(above) =
                row.iter().take(from_above).find(|above| (above.column..above.end).contains(&column))
            {
                column = above.end;
            }
            let (columns, rows) = if self.aria { (1, 1) } else { spans(cell) };
            // In a row that is not seen, no cell is; but one may reach into rows that are.
            let hidden = row_seen && !is_rendered(cell);
            let text = if row_seen && !hidden {
                visible_text(cell)
            } else if in_head || !row_seen {
                one_line(&cell.text_content().unwrap_or_default())
            } else {
                String::new()
            };
            let text: Rc<str> = cut(&text).into();
            let end = column + columns;
            let rows_left = if rows == 0 { u32::MAX } else { rows as u32 - 1 };
            if rows_left > 0 {
                spanning.push(Placed { column, end, text: text.clone(), hidden, rows_left });
            }
            row.push(Placed { column, end, text, hidden, rows_left: 0 });
            places.push(column);
            column = end;
        }
        (row, places)
    }

    /// What ARIA says about rows that are not in the page (G08).
    fn more(&self, rows: usize) -> Option<More> {
        let count: i64 = self.element.get_attribute("aria-rowcount")?.trim().parse().ok()?;
        let Ok(count) = usize::try_from(count) else { return Some(More::Unknown) };
        // It counts header rows, too.
        let count = count.saturating_sub(self.header_rows);
        (count > rows).then_some(More::Of(count))
    }
}

/// How many columns and rows a cell spans, as browsers clamp it; 0 rows are all that are left in the group.
fn spans(cell: &Element) -> (usize, usize) {
    let parts = cell.unchecked_ref::<TableParts>();
    let span = |span: Option<f64>| span.unwrap_or(1.0) as usize;
    (span(parts.column_span()).max(1), span(parts.row_span()))
}

/// A column's header: the texts of its header rows from above, each said once.
fn header(head: &[HeadRow], column: usize) -> Column {
    let mut texts: Vec<&str> = Vec::new();
    let mut aliases: Vec<String> = Vec::new();
    for (row, fields) in head {
        if let Some(cell) = covering(row, column)
            && !cell.text.is_empty()
            && texts.last() != Some(&&*cell.text)
        {
            texts.push(&cell.text);
        }
        aliases.extend(fields.iter().filter(|(at, _)| *at == column).map(|(_, field)| field.clone()));
    }
    if texts.len() > 1 {
        aliases.extend(texts.last().map(|text| (*text).to_owned()));
    }
    Column { name: texts.join(" "), aliases }
}

fn covering(row: &[Placed], column: usize) -> Option<&Placed> {
    // Rows are short, and most cells cover their own place.
    let own = row.get(column).filter(|cell| (cell.column..cell.end).contains(&column));
    own.or_else(|| row.iter().find(|cell| (cell.column..cell.end).contains(&column)))
}

fn rows(table: &Element, aria: bool) -> Vec<Element> {
    if aria {
        let rows = all(table, "[role=row],tr").into_iter();
        return rows.filter(|row| belongs(row, table, &["table,", ARIA_TABLES].concat())).collect();
    }
    // HTML's own list: the head's rows first, the foot's last, no nested table's.
    let mut rows = list(&table.unchecked_ref::<TableParts>().rows());
    // Some measure columns by a row that nobody sees. One look for all rows: it costs less than one at each.
    let unsaid = all(table, &["tr", ARIA_HIDDEN].concat());
    if !unsaid.is_empty() {
        rows.retain(|row| row.get_attribute("aria-hidden").as_deref() != Some("true"));
    }
    rows
}

/// Whether the nearest `selector` above `inner` is `outer`.
fn belongs(inner: &Element, outer: &Element, selector: &str) -> bool {
    let above = inner.parent_element().and_then(|parent| parent.closest(selector).ok().flatten());
    above.as_ref() == Some(outer)
}

fn list(collection: &JsValue) -> Vec<Element> {
    js_sys::Array::from(collection).iter().map(JsValue::unchecked_into).collect()
}

fn section(row: &Element) -> String {
    row.parent_element().map(|parent| parent.local_name()).unwrap_or_default()
}

/// What pages write for sorting: `data-sort`, `data-order`, or the `datetime` of the only time in the cell.
fn sort_text(cell: &Element) -> Option<Rc<str>> {
    let given = cell.get_attribute("data-sort").or_else(|| cell.get_attribute("data-order"));
    let given = given.or_else(|| match all(cell, "time[datetime]").as_slice() {
        [time] => time.get_attribute("datetime"),
        _ => None,
    });
    given.map(Into::into)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_CELL) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "…"].concat(),
        None => text.to_owned(),
    }
}
