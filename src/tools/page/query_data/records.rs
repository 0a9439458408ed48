//! The rows of a table or list as plain data, and what a query picks from them (E4). Pure.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::number::number;
use super::order::sort_keys;
use super::writing::Writing;

/// A column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// What rows call it; no two columns of a table have the same.
    pub name: String,
    /// What it may be asked for by, too.
    pub aliases: Vec<String>,
}

/// What a table or list holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// Its columns.
    pub columns: Vec<Column>,
    /// The rows that are seen; each has a text for each column.
    pub rows: Vec<Vec<Rc<str>>>,
    /// The same for the table's foot.
    pub footer: Vec<Vec<Rc<str>>>,
    /// For each row what stands for the text of the column to sort by, where the page says it.
    pub sort_texts: Vec<Option<Rc<str>>>,
    /// How many rows are there but not seen.
    pub hidden_rows: usize,
    /// The columns that are there but not seen.
    pub hidden_columns: Vec<String>,
    /// That the page says it has more rows than it shows now (G08).
    pub more: Option<More>,
}

/// What a page says about rows that it does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More {
    /// How many rows there are in all.
    Of(usize),
    /// There are more; nobody knows how many.
    Unknown,
}

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// What a column's cells must say.
    pub filters: Vec<(String, Value)>,
    /// The column to sort by.
    pub sort_by: Option<String>,
    /// From the largest on.
    pub descending: bool,
    /// How many rows at most.
    pub limit: usize,
}

/// What a query picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// The rows' places, in order, before the limit.
    pub rows: Vec<usize>,
}

impl Records {
    /// Gives columns without a name one by their place, and those with the same name different ones.
    pub fn name_columns(&mut self) {
        let given: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let mut taken: Vec<String> = Vec::new();
        for (at, column) in self.columns.iter_mut().enumerate() {
            let wanted =
                if column.name.is_empty() { numbered("column", at + 1) } else { column.name.clone() };
            let is_free = |name: &String, taken: &[String]| {
                !(taken.contains(name) || given.contains(name) && *name != column.name)
            };
            let mut name = wanted.clone();
            let mut count = 2;
            while !is_free(&name, &taken) {
                name = numbered(&wanted, count);
                count += 1;
            }
            taken.push(name.clone());
            column.name = name;
        }
    }

    /// The place of the column that `name` means: by its name, else by an alias that only one has.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        let name = folded(name);
        let by_name = self.columns.iter().position(|column| folded(&column.name) == name);
        by_name.or_else(|| {
            let mut found = self
                .columns
                .iter()
                .enumerate()
                .filter(|(_, column)| column.aliases.iter().any(|alias| folded(alias) == name));
            found.next().filter(|_| found.next().is_none()).map(|(at, _)| at)
        })
    }

    /// Whether it has all columns that the query names.
    #[must_use]
    pub fn has_columns_of(&self, query: &Query) -> bool {
        let mut named = query.filters.iter().map(|(name, _)| name).chain(&query.sort_by);
        named.all(|name| self.column(name).is_some())
    }

    /// The rows that a query asks for.
    ///
    /// A filter asks for cells that are equal to it, surrounding space and case apart, and for cells that hold it only
    /// where no cell of the column is equal. Cells that say nothing come last in both directions.
    pub fn pick(&self, query: &Query, writing: Writing, collate: impl FnOnce(&[&str]) -> Vec<f64>) -> Picked {
        let mut rows: Vec<usize> = (0..self.rows.len()).collect();
        for (name, wanted) in &query.filters {
            let Some(column) = self.column(name) else { continue };
            let matches = self.matches(column, wanted, writing);
            rows.retain(|row| matches.get(*row).copied().unwrap_or_default());
        }
        if let Some(column) = query.sort_by.as_ref().and_then(|name| self.column(name)) {
            let texts: Vec<&str> = rows.iter().map(|row| self.sort_text(*row, column)).collect();
            let keys = sort_keys(&texts, writing, collate);
            let mut keyed: Vec<(Option<f64>, usize)> = keys.into_iter().zip(rows).collect();
            keyed.sort_by(|(a, _), (b, _)| match (a, b) {
                (Some(a), Some(b)) if query.descending => b.total_cmp(a),
                (Some(a), Some(b)) => a.total_cmp(b),
                (a, b) => a.is_none().cmp(&b.is_none()),
            });
            rows = keyed.into_iter().map(|(_, row)| row).collect();
        }
        Picked { rows }
    }

    fn matches(&self, column: usize, wanted: &Value, writing: Writing) -> Vec<bool> {
        let text = folded(&crate::protocol::json_text::to_text(wanted).unwrap_or_default());
        let value = wanted.as_f64();
        let cells: Vec<String> = self.rows.iter().map(|row| folded(cell(row, column))).collect();
        let is_equal = |(folded, row): (&String, &Vec<Rc<str>>)| {
            // A multiplier's case counts: `M` is a million.
            let says = || number(cell(row, column), writing).map(|(value, _)| value);
            *folded == text || (value.is_some() && says() == value)
        };
        let equal: Vec<bool> = cells.iter().zip(&self.rows).map(is_equal).collect();
        if text.is_empty() || equal.contains(&true) {
            return equal;
        }
        cells.iter().map(|cell| cell.contains(&text)).collect()
    }

    fn sort_text(&self, row: usize, column: usize) -> &str {
        let given = self.sort_texts.get(row).and_then(|text| text.as_deref());
        given.unwrap_or_else(|| self.rows.get(row).map_or("", |row| cell(row, column)))
    }

    /// A row as the agent is told it.
    #[must_use]
    pub fn object(&self, row: &[Rc<str>]) -> Map<String, Value> {
        let names = self.columns.iter().map(|column| column.name.clone());
        names.zip(row).map(|(name, text)| (name, Value::from(&**text))).collect()
    }
}

fn cell(row: &[Rc<str>], column: usize) -> &str {
    row.get(column).map_or("", |text| text)
}

fn numbered(name: &str, number: usize) -> String {
    [name, "_", &number.to_string()].concat()
}

/// Space and case do not count.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    // Most texts need no table of letters.
    if folded.is_ascii() {
        folded.make_ascii_lowercase();
        return folded;
    }
    folded.to_lowercase()
}
