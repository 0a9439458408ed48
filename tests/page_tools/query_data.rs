//! `query_data` on pages that nobody prepared (E4, area G).

use praxis::tools::ToolResult;
use praxis::tools::page::{PageWords, query_data};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fixture::Fixture;

fn ask(input: Value) -> ToolResult {
    query_data(&input, &PageWords::EN)
}

fn found(input: Value) -> Value {
    let shown = input.to_string();
    let result = ask(input);
    assert!(result.success, "{shown}: {result:?}");
    result.data.unwrap()
}

fn table(more: Value) -> Value {
    let mut input = json!({"target": "table"});
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    found(input)
}

/// The rows' texts, `a|b` each.
fn rows(data: &Value) -> Vec<String> {
    let texts = |row: &Value| {
        let row = row.as_object().unwrap();
        row.values().map(|text| text.as_str().unwrap()).collect::<Vec<_>>().join("|")
    };
    data["rows"].as_array().unwrap().iter().map(texts).collect()
}

fn error(input: Value) -> String {
    let result = ask(input);
    assert!(!result.success);
    result.error.unwrap()
}

const RECORDS: &str =
    "<table><thead><tr><th>编号<th>课程<th data-field=status>状态 <span aria-hidden=true>▲</span><tbody>
    <tr><td>1<td>前端<td> 待审核 <tr><td>2<td>后端<td>已通过<tr><td>3<td>测试<td>待审核</table>";

#[wasm_bindgen_test]
fn e4_e17_rows_are_filtered_by_what_a_column_says() {
    let _page = Fixture::new(RECORDS);
    for filters in [json!({"状态": "待审核"}), json!({"status": "待审核"}), json!({" 状态 ": " 待审核"})]
    {
        let data = table(json!({"filters": filters}));
        assert_eq!(rows(&data), ["1|前端|待审核", "3|测试|待审核"]);
        assert_eq!((&data["total"], &data["returned"]), (&json!(2), &json!(2)));
        assert_eq!(data["columns"], json!(["编号", "课程", "状态"]));
    }
    let result = query_data(&json!({"target": "table", "filters": {"状态": "待审核"}}), &PageWords::ZH_CN);
    assert_eq!(result.summary, "查到 2 条记录");
}

#[wasm_bindgen_test]
fn e4_equality_counts_and_containment_only_where_no_cell_is_equal() {
    let _page = Fixture::new(
        "<table><tr><th>Status<th>N<tr><td>Active<td>5<tr><td>inactive<td>15<tr><td>ACTIVE <td>5.0<tr><td>x<td>1,005</table>",
    );
    let by = |filters: Value| rows(&table(json!({"filters": filters})));
    assert_eq!(by(json!({"status": "active"})), ["Active|5", "ACTIVE|5.0"]);
    assert_eq!(by(json!({"status": "inact"})), ["inactive|15"]);
    assert_eq!(by(json!({"N": 5})), ["Active|5", "ACTIVE|5.0"]);
    assert_eq!(by(json!({"N": 1005})), ["x|1,005"]);
    assert_eq!(by(json!({"N": "5"})), ["Active|5"]);
    assert_eq!(by(json!({"status": "active", "N": "5.0"})), ["ACTIVE|5.0"]);
    assert!(by(json!({"status": ""})).is_empty());
    assert!(by(json!({"status": true})).is_empty());
}

#[wasm_bindgen_test]
fn case_g01_a_spanned_text_stands_in_each_column_and_row_that_it_spans() {
    let page = Fixture::new(
        "<table><tr><th>c1<th>c2<th>c3<tr><td rowspan=2>A<td>1<td>x<tr><td>2<td>y<tr><td colspan=2>B<td>z</table>",
    );
    assert_eq!(rows(&table(json!({}))), ["A|1|x", "A|2|y", "B|B|z"]);
    drop(page);
    // Several at once, and the second column from above.
    let page = Fixture::new(
        "<table><tr><th>a<th>b<th>c<tr><td>1<td rowspan=3>B<td rowspan=2>C<tr><td>2<tr><td>3<td>D<tr><td rowspan=2 colspan=2>E<td>F<tr><td>G</table>",
    );
    assert_eq!(rows(&table(json!({}))), ["1|B|C", "2|B|C", "3|B|D", "E|E|F", "E|E|G"]);
    drop(page);
    // No span reaches beyond its group of rows, and bad ones cost nothing.
    let page = Fixture::new(
        "<table><thead><tr><th>a<th>b</thead><tbody><tr><td rowspan=0>A<td>1<tr><td>2</tbody><tbody>
         <tr><td rowspan=99999>C<td>3<tr><td>4</tbody><tbody><tr><td colspan=99999>D<tr><td colspan=-1>E<td>5
         <tr><td colspan=0>F<td rowspan=-3>6</table>",
    );
    let data = table(json!({}));
    assert_eq!(rows(&data), ["A|1", "A|2", "C|3", "C|4", "D|D", "E|5", "F|6"]);
    drop(page);
    let _page = Fixture::new("<table><tr><th colspan=1000>Wide<tr><td>1<td>2</table>");
    assert_eq!(table(json!({}))["columns"], json!(["Wide", "Wide_2"]));
}

#[wasm_bindgen_test]
fn case_g01_several_header_rows_name_a_column_together() {
    let _page = Fixture::new(
        "<table><thead><tr><th rowspan=2>姓名<th colspan=2>成绩<tr><th>数学<th>英语</thead><tr><td>张三<td>90<td>80</table>",
    );
    let data = table(json!({"filters": {"英语": 80}}));
    assert_eq!(data["rows"], json!([{"姓名": "张三", "成绩 数学": "90", "成绩 英语": "80"}]));
}

#[wasm_bindgen_test]
fn case_g02_case_j08_no_column_is_lost_whatever_its_name() {
    let page = Fixture::new(
        "<table><tr><th>Name<th>Score<th>Score<th><th>Score_2<th>__proto__<th>constructor
         <tr><td>a<td>1<td>2<td>3<td>4<td>5<td>6</table><table><tr><th>Score<th>Other<tr><td>7<td>8</table>",
    );
    let data = table(json!({}));
    let names = json!(["Name", "Score", "Score_3", "column_4", "Score_2", "__proto__", "constructor"]);
    assert_eq!((&data["columns"], rows(&data)), (&names, vec!["a|1|2|3|4|5|6".to_owned()]));
    // What JavaScript gets has them all, too.
    let text = serde_json::to_string(&data).unwrap();
    let keys = page.text(&format!("Object.keys(JSON.parse({text:?}).rows[0])"));
    assert_eq!(keys, "Name,Score,Score_3,column_4,Score_2,__proto__,constructor");
    assert_eq!(rows(&table(json!({"filters": {"__proto__": "5"}}))).len(), 1);
    // Each table counts for itself.
    assert_eq!(table(json!({"sortBy": "Other"}))["columns"], json!(["Score", "Other"]));
}

#[wasm_bindgen_test]
fn case_g05_what_is_not_seen_is_left_out_and_no_value_moves() {
    let page = Fixture::new(
        "<table><tr><th>a<th style='display:none'>b<th>c<tr><td>1<td>2<td>3<tr hidden><td>4<td>5<td>6
         <tr style='visibility:collapse'><td>7<td>8<td>9<tr style='display:none'><td>0<td>0<td>0</table>",
    );
    // A header that is hidden alone still says what the values are.
    let data = table(json!({}));
    assert_eq!((rows(&data), &data["columns"]), (vec!["1|2|3".to_owned()], &json!(["a", "b", "c"])));
    assert_eq!((&data["hiddenRows"], &data["total"]), (&json!(3), &json!(1)));
    drop(page);
    let page = Fixture::new(
        "<style>.no { display: none }</style><table><tr><th>a<th>b<th>c<tr><td>1<td class=no>2<td>3<tr><td>4<td class=no>5<td>6</table>",
    );
    let data = table(json!({}));
    assert_eq!(
        (rows(&data), &data["hiddenColumns"]),
        (vec!["1|3".to_owned(), "4|6".to_owned()], &json!(["b"]))
    );
    assert!(
        error(json!({"target": "table", "sortBy": "b"})).contains("no table on the page has the columns")
    );
    drop(page);
    let page = Fixture::new(
        "<table><thead style='display:none'><tr><th>a<th>b</thead><tr><td>1<td style='display:none'>x<tr><td>2<td>y
         <tr hidden><td rowspan=2>H<td>z<tr><td>w</table>",
    );
    let data = table(json!({}));
    assert_eq!(
        (rows(&data), &data["columns"]),
        (vec!["1|".into(), "2|y".into(), "H|w".into()], &json!(["a", "b"]))
    );
    drop(page);
    let _page = Fixture::new(
        "<table hidden><tr><th>a<tr><td>no</table><div style='visibility:hidden'><table><tr><th>a<tr><td>no</table></div>
         <table style='display:contents'><tbody style='display:contents'><tr style='display:contents'><th>a</tr>
         <tr style='display:contents'><td>yes</tr></table>",
    );
    assert_eq!(rows(&table(json!({}))), ["yes"]);
}

#[wasm_bindgen_test]
fn case_g06_case_g07_numbers_are_sorted_as_numbers_and_empty_cells_come_last() {
    let _page = Fixture::new(
        "<table><tr><th>v<th>at<tr><td>2<td>1<tr><td>2 300<td>2<tr><td>10<td>3<tr><td>1,000<td>4<tr><td>-5<td>5
         <tr><td>12%<td>6<tr><td>3.5<td>7<tr><td><td>8<tr><td>-<td>9<tr><td>2.0<td>10</table>",
    );
    let sorted = |order: &str| rows(&table(json!({"sortBy": "V", "sortOrder": order})));
    // Equal ones keep their order.
    assert_eq!(
        sorted("asc"),
        ["-5|5", "2|1", "2.0|10", "3.5|7", "10|3", "12%|6", "1,000|4", "2 300|2", "|8", "-|9"]
    );
    assert_eq!(
        sorted("desc"),
        ["2 300|2", "1,000|4", "12%|6", "10|3", "3.5|7", "2|1", "2.0|10", "-5|5", "|8", "-|9"]
    );
}

#[wasm_bindgen_test]
fn case_g06_the_language_of_the_page_reads_points_and_orders_text() {
    let table_of = |lang: &str, cells: &[&str]| {
        let rows: String = cells.iter().map(|cell| format!("<tr><td>{cell}")).collect();
        let _page = Fixture::new(&format!("<div lang={lang}><table><tr><th>v{rows}</table></div>"));
        rows_of(&table(json!({"sortBy": "v"})))
    };
    fn rows_of(data: &Value) -> String {
        rows(data).join(" ")
    }
    assert_eq!(table_of("de", &["1.000", "2", "1,5"]), "1,5 2 1.000");
    assert_eq!(table_of("en", &["1.000", "2", "1,500"]), "1.000 2 1,500");
    // Pinyin: bei, nan, shang.
    assert_eq!(table_of("zh-CN", &["上海", "北京", "南京"]), "北京 南京 上海");
    assert_eq!(
        table_of("en", &["item 10", "Item 9", "émile", "zoo", "elan"]),
        "elan émile Item 9 item 10 zoo"
    );
    assert_eq!(table_of("not-a-language-tag-at-all", &["b", "a"]), "a b");
    assert_eq!(
        table_of("zh", &["2026年12月1日", "2026-02-03", "2025/11/30"]),
        "2025/11/30 2026-02-03 2026年12月1日"
    );
}

/// A table with one column, sorted by it.
fn sorted(lang: &str, cells: &[&str]) -> Vec<String> {
    let cells: String = cells.iter().map(|cell| format!("<tr><td>{cell}")).collect();
    let _page = Fixture::new(&format!("<div lang={lang}><table><tr><th>v{cells}</table></div>"));
    rows(&table(json!({"sortBy": "v"})))
}

#[wasm_bindgen_test]
fn case_g06_ids_are_sorted_by_the_numbers_in_them() {
    assert_eq!(sorted("en", &["INV-010", "INV-001", "INV-002"]), ["INV-001", "INV-002", "INV-010"]);
    assert_eq!(sorted("en", &["A-10", "B-1", "A-2", "A-1"]), ["A-1", "A-2", "A-10", "B-1"]);
    assert_eq!(sorted("zh-CN", &["附件(10)", "附件(1)", "附件(2)"]), ["附件(1)", "附件(2)", "附件(10)"]);
    assert_eq!(sorted("en", &["No.100", "No.5", "No.12"]), ["No.5", "No.12", "No.100"]);
    assert_eq!(sorted("en", &["v1.10", "v1.9", "v1.2"]), ["v1.2", "v1.9", "v1.10"]);
    assert_eq!(sorted("en", &["2", "-1", "(3)"]), ["(3)", "-1", "2"]);
    let _page = Fixture::new("<table><tr><th>分<tr><td>INV-1<tr><td>-1<tr><td>1</table>");
    assert_eq!(rows(&table(json!({"filters": {"分": -1}}))), ["-1"]);
}

#[wasm_bindgen_test]
fn case_g06_multipliers_and_full_width_signs_count() {
    assert_eq!(sorted("zh-CN", &["1.2万", "3万", "9000", "-"]), ["9000", "1.2万", "3万", "-"]);
    assert_eq!(sorted("en", &["1.5k", "900", "2M"]), ["900", "1.5k", "2M"]);
    assert_eq!(sorted("en", &["2 MB", "300 KB", "12 B"]), ["12 B", "300 KB", "2 MB"]);
    assert_eq!(sorted("zh-CN", &["¥1,200", "￥5", "¥99"]), ["￥5", "¥99", "¥1,200"]);
    let _page = Fixture::new("<table><tr><th>播放<tr><td>1.2万<tr><td>1.5M<tr><td>1.5m</table>");
    assert_eq!(rows(&table(json!({"filters": {"播放": 12000}}))), ["1.2万"]);
    assert_eq!(rows(&table(json!({"filters": {"播放": 1.5e6}}))), ["1.5M"]);
}

#[wasm_bindgen_test]
fn e4_a_header_that_is_a_table_of_its_own_is_read_with_its_rows() {
    let header = "<table><thead><tr><th>名<th>状态<th class=gutter></thead></table>";
    let body = "<table><tbody><tr aria-hidden=true><td>measure<td>measure</tr><tr><td>甲<td>待审核<tr><td>乙<td>已通过</table>";
    let waiting = json!({"filters": {"状态": "待审核"}});
    // The body's box beside the header's, as Element UI, Ant Design and others have it; more boxes around either.
    for page in [
        format!("<div>{header}</div><div>{body}</div>"),
        format!(
            "<div><div>{header}</div></div><p hidden>no</p><div><p></p><div><div>{body}</div></div></div>"
        ),
        format!("{header}{body}"),
    ] {
        let fixture = Fixture::new(&page);
        let data = table(waiting.clone());
        assert_eq!((rows(&data), &data["total"]), (vec!["甲|待审核".to_owned()], &json!(1)), "{page}");
        let data = table(json!({}));
        assert_eq!((rows(&data).len(), &data["columns"]), (2, &json!(["名", "状态"])), "{page}");
        drop(fixture);
    }
    // DataTables: the rows' table repeats the header.
    let page = Fixture::new(
        "<div><table><thead><tr><th>名<th>状态</thead></table></div><div><table><thead><tr style='height:0'><th>名<th>状态
         </thead><tr><td>甲<td>待审核<tr><td>乙<td>已通过</table></div><table><tr><th>z<tr><td>1</table>",
    );
    assert_eq!(rows(&table(waiting.clone())), ["甲|待审核"]);
    assert_eq!(rows(&table(json!({}))).len(), 2);
    assert_eq!(
        error(json!({"target": "table", "sortBy": "x"})),
        "no table on the page has the columns asked for (x); columns there are: 名, 状态; z"
    );
    drop(page);
    // One without rows is the answer only where there is no other.
    let page = Fixture::new(
        "<table><thead><tr><th>状态</thead></table><p>other</p><table><tr><th>状态<tr><td>待审核</table>",
    );
    assert_eq!(rows(&table(waiting.clone())), ["待审核"]);
    drop(page);
    let page = Fixture::new("<table><thead><tr><th>状态</thead><tbody></tbody></table><p>暂无数据</p>");
    assert_eq!(table(waiting.clone())["total"], 0);
    drop(page);
    // All rows filtered away by the page: none is shown.
    let page = Fixture::new(
        "<table><tr><th>状态<tr hidden><td>待审核</table><table><tr><th>状态<tr><td>待审核</table>",
    );
    let data = table(waiting);
    assert_eq!((&data["total"], &data["hiddenRows"]), (&json!(0), &json!(1)));
    drop(page);
}

#[wasm_bindgen_test]
fn e4_a_header_is_not_read_with_what_are_not_its_rows() {
    let filters = json!({"filters": {"a": "1"}});
    // Other columns: what the page shows is not "none".
    let page = Fixture::new(
        "<div><table><thead><tr><th>a<th>b</thead></table></div><div><table><tr><td>1<td>2<td>3</table></div>",
    );
    let result = error(json!({"target": "table", "filters": {"a": "1"}}));
    assert!(result.contains("the table beside it has another number of columns"), "{result}");
    assert_eq!(rows(&table(json!({}))), ["1|2|3"]);
    drop(page);
    // Something is said in between, or the other table has other names.
    for beside in [
        "<h2>Lines</h2><div><table><tr><td>1<td>2</table></div>",
        "<div><h2>Lines</h2><table><tr><td>1<td>2</table></div>",
        "<div><table><tr><th>c<th>d<tr><td>1<td>2</table></div>",
    ] {
        let fixture =
            Fixture::new(&format!("<div><table><thead><tr><th>a<th>b</thead></table></div>{beside}"));
        assert_eq!(table(filters.clone())["total"], 0, "{beside}");
        assert_eq!(rows(&table(json!({}))), ["1|2"], "{beside}");
        drop(fixture);
    }
}

#[wasm_bindgen_test]
fn e4_a_copy_that_is_hidden_from_screen_readers_is_passed_over() {
    let _page = Fixture::new(
        "<div aria-hidden=true><table><tr><th>a<tr><td>clone</table></div><table aria-hidden=true><tr><th>a<tr><td>clone</table>
         <table><tr><th>a<tr><td>real</table>",
    );
    assert_eq!(rows(&table(json!({}))), ["real"]);
    assert_eq!(rows(&table(json!({"sortBy": "a"}))), ["real"]);
}

#[wasm_bindgen_test]
fn e4_what_a_page_writes_for_sorting_counts() {
    let _page = Fixture::new(
        "<table><tr><th>when<th>size<tr><td><time datetime=2026-01-03>yesterday</time><td data-sort=2048>2 KB
         <tr><td><time datetime=2026-01-01>last week</time><td data-order=3145728>3 MB<tr><td><time datetime=2026-01-02>monday</time><td data-sort=100>100 B</table>",
    );
    assert_eq!(rows(&table(json!({"sortBy": "when"}))), ["last week|3 MB", "monday|100 B", "yesterday|2 KB"]);
    assert_eq!(rows(&table(json!({"sortBy": "size"}))), ["monday|100 B", "yesterday|2 KB", "last week|3 MB"]);
}

#[wasm_bindgen_test]
fn case_g08_rows_that_are_not_in_the_page_are_told_of() {
    let grid = |count: &str| {
        format!(
            "<div role=grid aria-rowcount={count}><div role=row aria-rowindex=1><div role=columnheader>Name</div>
             <div role=columnheader>State</div></div><div><div role=row aria-rowindex=2><div role=gridcell>a</div>
             <div role=gridcell>on</div></div><div role=row><span role=gridcell>b</span><span role=gridcell>off</span></div></div></div>"
        )
    };
    let page = Fixture::new(&grid("10001"));
    let data = table(json!({}));
    assert_eq!(rows(&data), ["a|on", "b|off"]);
    assert_eq!((&data["partial"], &data["rendered"]), (&json!(true), &json!(2)));
    assert_eq!((&data["rowsInAll"], &data["total"]), (&json!(10000), &json!(10000)));
    // Nobody knows how many of the others match.
    assert_eq!(table(json!({"filters": {"state": "on"}}))["total"], Value::Null);
    drop(page);
    let page = Fixture::new(&grid("-1"));
    let data = table(json!({}));
    assert_eq!(
        (&data["partial"], &data["rowsInAll"], &data["total"]),
        (&json!(true), &Value::Null, &Value::Null)
    );
    drop(page);
    let page = Fixture::new(&grid("3"));
    let data = table(json!({}));
    assert_eq!((data.get("partial"), &data["total"]), (None, &json!(2)));
    drop(page);
    // Columns that are not there now do not move the others.
    let _page = Fixture::new(
        "<div role=table><div role=row><div role=columnheader aria-colindex=1>a</div><div role=columnheader aria-colindex=2>b</div>
         <div role=columnheader aria-colindex=3>c</div></div><div role=row><div role=cell aria-colindex=1>1</div><div role=cell aria-colindex=3>3</div></div></div>",
    );
    assert_eq!(rows(&table(json!({}))), ["1||3"]);
}

#[wasm_bindgen_test]
fn case_g09_the_total_is_before_the_limit_and_a_column_that_is_not_there_is_an_error() {
    let body: String =
        (0..200).map(|n| format!("<tr><td>{n}<td>{}", if n < 120 { "active" } else { "done" })).collect();
    let _page = Fixture::new(&format!("<table><tr><th>n<th>status{body}</table>"));
    let data = table(json!({"filters": {"status": "active"}, "limit": 50}));
    assert_eq!((&data["total"], &data["returned"], rows(&data).len()), (&json!(120), &json!(50), 50));
    assert_eq!(rows(&table(json!({}))).len(), 50);
    // Sorted first, then limited.
    assert_eq!(
        rows(&table(json!({"sortBy": "n", "sortOrder": "desc", "limit": 2}))),
        ["199|done", "198|done"]
    );
    let wrong = error(json!({"target": "table", "filters": {"statsu": "x"}}));
    assert_eq!(
        wrong,
        "no table on the page has the columns asked for (statsu); columns there are: n, status"
    );
    assert!(error(json!({"target": "table", "sortBy": "undefined"})).contains("columns there are"));
    let data = table(json!({"limit": 0}));
    assert_eq!((&data["total"], &data["returned"]), (&json!(200), &json!(0)));
    assert_eq!(table(json!({"limit": 1e9}))["returned"], 200);
    assert_eq!(table(json!({"limit": 3.0}))["returned"], 3);
    for limit in [json!(-1), json!(1.5), json!("50"), json!([])] {
        assert!(error(json!({"target": "table", "limit": limit})).starts_with("limit: must be"), "{limit}");
    }
    for bad in [
        json!({}),
        json!({"target": "page"}),
        json!({"target": "table", "sortOrder": "up"}),
        json!({"target": "table", "filters": "{}"}),
        json!({"target": "table", "filters": {"n": {}}}),
        json!(5),
    ] {
        error(bad);
    }
}

#[wasm_bindgen_test]
fn case_g09_ten_thousand_rows_are_read_and_the_answer_stays_small() {
    let long = "长".repeat(200);
    let body: String =
        (0..10_000).map(|n| format!("<tr><td>{}<td>{long}<td>s{}", (n * 7919) % 10_000, n % 3)).collect();
    let _page = Fixture::new(&format!("<table><tr><th>n<th>text<th>state{body}</table>"));
    let data = table(json!({"filters": {"state": "s1"}, "sortBy": "n", "sortOrder": "desc", "limit": 1000}));
    assert_eq!((&data["total"], &data["truncated"]), (&json!(3333), &json!(true)));
    assert!(serde_json::to_string(&data).unwrap().len() < 300_000);
    let first: Vec<i64> = data["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["n"].as_str().unwrap().parse().unwrap())
        .collect();
    assert!(first.is_sorted_by(|a, b| a > b));
}

#[wasm_bindgen_test]
fn e4_the_first_visible_table_with_all_named_columns_is_read() {
    let _page = Fixture::new(
        "<table role=presentation><tr><td>layout</table>
         <table><tr><td><table><tr><th>Inner<tr><td>i1<tr><td>i2</table></table>
         <table><tr><th>a<th>b<tr><td>1<td><table><tr><th>deep<tr><td>no row of the outer</table></table>
         <table><tr><th>a<th>c<tr><td>2<td>3</table>",
    );
    assert_eq!(rows(&table(json!({}))), ["i1", "i2"]);
    assert_eq!(rows(&table(json!({"sortBy": "a"}))), ["1|deep no row of the outer"]);
    assert_eq!(rows(&table(json!({"filters": {"C": 3}, "sortBy": "a"}))), ["2|3"]);
    assert_eq!(rows(&table(json!({"sortBy": "deep"}))), ["no row of the outer"]);
}

#[wasm_bindgen_test]
fn e4_a_table_without_header_cells_is_named_by_its_first_row_where_that_reads_like_names() {
    let page = Fixture::new("<table><tr><td>Name<td>Age<tr><td>a<td>5</table>");
    assert_eq!(rows(&table(json!({"filters": {"age": 5}}))), ["a|5"]);
    drop(page);
    let page = Fixture::new("<table><tr><td>a<td>4<tr><td>b<td>5</table>");
    let data = table(json!({}));
    assert_eq!((rows(&data).len(), &data["columns"]), (2, &json!(["column_1", "column_2"])));
    drop(page);
    // Row headers are values of a column.
    let page = Fixture::new(
        "<table><tr><td><th>Q1<th>Q2<tr><th>Sales<td>1<td>2<tfoot><tr><td>Sum<td>1<td>2</table>",
    );
    let data = table(json!({}));
    assert_eq!(rows(&data), ["Sales|1|2"]);
    assert_eq!(data["footer"], json!([{"column_1": "Sum", "Q1": "1", "Q2": "2"}]));
    drop(page);
    assert_eq!(error(json!({"target": "table"})), "the page shows no table");
}

#[wasm_bindgen_test]
fn e4_a_cell_says_what_people_see_in_it() {
    let _page = Fixture::new(
        "<table><tr><th>a<th>b<th>c<th>d<th>e<tr><td> one <br>two<script>no()</script><style>no{}</style><td><b>b</b>o<i hidden>no</i>ld<td>
         <select><option>x<option selected>y</select><td><input type=checkbox checked><input type=password value=SECRET><input value=typed>
         <td><div>p</div><div>q</div><img alt=pic><span aria-hidden=true>▲</span></table>",
    );
    assert_eq!(rows(&table(json!({}))), ["one two|bold|y|truetyped|p q pic"]);
}

#[wasm_bindgen_test]
fn e4_a_table_in_an_open_shadow_root_is_found_but_not_the_agents_own() {
    let page = Fixture::new("<praxis-agent></praxis-agent><div></div>");
    page.run(
        "const put = (host, html) => { root.querySelector(host).attachShadow({ mode: 'open' }).innerHTML = html; };
         put('praxis-agent', '<table><tr><th>a<tr><td>chat</table>'); put('div', '<table><tr><th>a<tr><td>page</table>');",
    );
    assert_eq!(rows(&table(json!({}))), ["page"]);
}

#[wasm_bindgen_test]
fn e4_lists_are_rows_with_a_text_and_the_fields_in_them() {
    let page = Fixture::new(
        "<nav><ul><li>Home<li>About</ul></nav><ol><li><b data-field=name>乙</b> <i data-field=score>9</i>
         <li hidden>no<li><b data-field=name>甲</b> <i data-field=score>10</i><ul><li>nested</ul><li>plain</ol>",
    );
    let list = |more: Value| {
        let mut input = json!({"target": "list"});
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        found(input)
    };
    let data = list(json!({"sortBy": "score", "sortOrder": "desc"}));
    assert_eq!(rows(&data), ["甲 10 nested|甲|10", "乙 9|乙|9", "plain||"]);
    assert_eq!(data["hiddenRows"], 1);
    assert_eq!(rows(&list(json!({"filters": {"text": "plain"}}))), ["plain||"]);
    assert!(error(json!({"target": "list", "sortBy": "none"})).contains("text, name, score"));
    drop(page);
    let page = Fixture::new("<nav><ul><li>Home</ul></nav><dl><dt>Name<dd>张三<dt>Tags<dd>a<dd>b</dl>");
    assert_eq!(rows(&list(json!({}))), ["Name|张三", "Tags|a", "Tags|b"]);
    drop(page);
    let page = Fixture::new(
        "<div role=list><div role=listitem aria-setsize=500>a</div><div role=listitem>b</div></div>",
    );
    let data = list(json!({}));
    assert_eq!((rows(&data), &data["rowsInAll"]), (vec!["a".to_owned(), "b".to_owned()], &json!(500)));
    drop(page);
    let page = Fixture::new("<nav><ul><li>Home</ul></nav>");
    assert_eq!(rows(&list(json!({}))), ["Home"]);
    drop(page);
    assert_eq!(error(json!({"target": "list"})), "the page shows no list");
}
