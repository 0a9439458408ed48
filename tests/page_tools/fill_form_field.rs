//! `fill_form_field` on pages that nobody prepared (E3, area C).

use gloo::timers::future::TimeoutFuture;
use praxis::tools::page::{PageWords, confirm_fill_form_field, fill_form_field, watch_password_fields};
use praxis::tools::{ToolCall, ToolResult};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fixture::Fixture;

pub async fn fill(fields: &[(&str, Value)]) -> ToolResult {
    let fields: Vec<Value> =
        fields.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
    agreed(&json!({"fields": fields}), &PageWords::EN).await
}

/// What comes of a call to which the person agrees at once, if they are asked.
async fn agreed(input: &Value, words: &PageWords) -> ToolResult {
    let call = ToolCall::new("same", "fill_form_field", None).serial();
    match confirm_fill_form_field(input, call, words) {
        Ok(_) => fill_form_field(input, call, words).await,
        Err(refused) => refused,
    }
}

/// Fills one field; `Ok` when it was kept, else the reason.
pub async fn one(name: &str, value: Value) -> Result<(), String> {
    let result = fill(&[(name, value)]).await;
    if result.success {
        assert_eq!(result.data, Some(json!({"filled": [name], "skipped": []})));
        return Ok(());
    }
    let data = result.data.unwrap();
    assert_eq!(data["filled"], json!([]));
    assert_eq!(data["skipped"][0]["name"], name);
    Err(data["skipped"][0]["reason"].as_str().unwrap().to_owned())
}

async fn refused(name: &str, value: Value, reason: &str) {
    let shown = value.to_string();
    let error = one(name, value).await.expect_err(&shown);
    assert!(error.contains(reason), "{shown}: {error}");
}

/// What frameworks do: the element has a setter of its own that notes the value, and an `input` that changes nothing
/// since is ignored; what the state says is rendered in a later task.
const CONTROLLED: &str = "
    const field = root.querySelector('[name=q]');
    root.state = field.value;
    const proto = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    let tracked = field.value;
    Object.defineProperty(field, 'value', {
        configurable: true,
        get() { return proto.get.call(this); },
        set(value) { tracked = String(value); proto.set.call(this, value); },
    });
    const changed = () => {
        if (proto.get.call(field) !== tracked) { tracked = proto.get.call(field); root.state = tracked; }
        setTimeout(() => proto.set.call(field, root.state));
    };
    document.addEventListener('input', changed);
    root.stop = () => document.removeEventListener('input', changed);
";

#[wasm_bindgen_test]
async fn case_c01_case_c02_controlled_fields_keep_what_was_filled_and_the_state_has_it() {
    for field in ["<input name=q value=old>", "<textarea name=q>old</textarea>"] {
        let page = Fixture::new(&format!("<form>{field}</form>"));
        page.run(CONTROLLED);
        one("q", json!("new")).await.unwrap();
        TimeoutFuture::new(5).await;
        assert_eq!(
            (page.value("[name=q]"), page.text("root.state")),
            ("new".into(), "new".into()),
            "{field}"
        );
        one("q", json!("")).await.unwrap();
        TimeoutFuture::new(5).await;
        assert_eq!(
            (page.value("[name=q]"), page.text("root.state")),
            (String::new(), String::new()),
            "{field}"
        );
        page.run("root.stop()");
    }
    // A select has an `onchange`.
    let page = Fixture::new("<form><select name=s><option>a<option>b</select></form>");
    page.run("root.querySelector('select').onchange = (event) => { root.state = event.target.value; }");
    one("s", json!("b")).await.unwrap();
    assert_eq!(page.text("root.state"), "b");
}

#[wasm_bindgen_test]
async fn case_c03_the_setter_is_the_elements_own() {
    // Elements of another frame have other prototypes.
    let page = Fixture::new("<form></form><iframe></iframe>");
    page.run(
        "const other = root.querySelector('iframe').contentDocument;
         other.body.innerHTML = '<input name=a><textarea name=b></textarea><select name=c><option>x<option>y</select>'
            + '<input type=checkbox name=d><div contenteditable data-field=e></div>';
         root.querySelector('form').append(...other.body.children);
         root.events = [];
         for (const kind of ['input', 'change'])
            root.addEventListener(kind, (event) => root.events.push(event.target.getAttribute('name') + ' ' + kind));",
    );
    let fields =
        [("a", json!("1")), ("b", json!("2")), ("c", json!("y")), ("d", json!(true)), ("e", json!("3"))];
    let result = fill(&fields).await;
    assert_eq!(result.data.unwrap(), json!({"filled": ["a", "b", "c", "d", "e"], "skipped": []}));
    assert_eq!(
        page.text("[...root.querySelectorAll('[name],[data-field]')].map((e) => e.checked || e.value || e.textContent)"),
        "1,2,y,true,3"
    );
    let events = page.text("root.events");
    for name in ["a", "b", "c", "d"] {
        assert!(events.contains(&format!("{name} input,{name} change")), "{events}");
    }
}

#[wasm_bindgen_test]
async fn case_c04_locked_fields_are_left_as_they_are_and_the_others_filled() {
    let page = Fixture::new(
        "<form><input name=a readonly value=KEEP><input name=b disabled value=KEEP>
         <fieldset disabled><input name=c value=KEEP><select name=s><option>KEEP<option>x</select></fieldset>
         <fieldset disabled><legend><input name=ok></legend></fieldset>
         <textarea name=d readonly>KEEP</textarea><input type=checkbox name=e disabled>
         <div data-field=f contenteditable=false>KEEP</div><input name=g></form>",
    );
    let names = ["a", "b", "c", "s", "d", "f", "ok", "g"];
    let fields: Vec<_> = names.iter().map(|name| (*name, json!("x"))).chain([("e", json!(true))]).collect();
    let result = fill(&fields).await;
    assert!(!result.success);
    let data = result.data.unwrap();
    assert_eq!(data["filled"], json!(["ok", "g"]));
    let reasons: Vec<_> =
        data["skipped"].as_array().unwrap().iter().map(|skip| skip["reason"].as_str().unwrap()).collect();
    let (readonly, disabled) = ("it is read-only", "it is disabled");
    assert_eq!(reasons, [readonly, disabled, disabled, disabled, readonly, "it cannot be filled", disabled]);
    for name in ["a", "b", "c", "s", "d"] {
        assert_eq!(page.value(&format!("[name={name}]")), "KEEP");
    }
    assert_eq!(page.text("root.querySelector('[name=e]').checked"), "false");
}

#[wasm_bindgen_test]
async fn case_c05_what_the_page_did_not_keep_is_reported() {
    let page = Fixture::new(
        "<form><input name=short maxlength=5 value=old><textarea name=area maxlength=3></textarea>
         <input name=mask><input name=revert value=old><input name=late></form>",
    );
    refused("short", json!("12345678"), "at most 5 characters, but the text has 8").await;
    refused("area", json!("四个汉字"), "at most 3 characters").await;
    assert_eq!((page.value("[name=short]"), page.value("[name=area]")), ("old".into(), String::new()));
    // A browser counts UTF-16 units.
    one("area", json!("😀a")).await.unwrap();
    refused("area", json!("😀😀"), "at most 3").await;
    page.run(
        "const on = (name, then) => root.querySelector(`[name=${name}]`).addEventListener('input', then);
         on('mask', (event) => { event.target.value = event.target.value.replace(/\\D/g, ''); });
         on('revert', (event) => { event.target.value = 'old'; });
         on('late', (event) => { Promise.resolve().then(() => setTimeout(() => { event.target.value = 'later'; })); });",
    );
    refused("mask", json!("1-2"), r#"the page did not keep "1-2"; the field now holds "12""#).await;
    refused("revert", json!("new"), r#"now holds "old""#).await;
    refused("late", json!("now"), r#"now holds "later""#).await;
}

#[wasm_bindgen_test]
async fn case_c05_a_field_that_a_later_one_resets_is_not_filled() {
    let page = Fixture::new("<form><input name=city><input name=country></form>");
    page.run(
        "root.querySelector('[name=country]').addEventListener('change', () => {
            root.querySelector('[name=city]').value = ''; })",
    );
    let result = fill(&[("city", json!("北京")), ("country", json!("CN"))]).await;
    assert_eq!(result.data.unwrap()["filled"], json!(["country"]));
    let result = fill(&[("country", json!("CN")), ("city", json!("北京"))]).await;
    assert!(result.success);
}

#[wasm_bindgen_test]
async fn case_c08_a_checkbox_takes_true_and_false_and_nothing_else() {
    let page = Fixture::new("<form><input type=checkbox name=agree value=yes></form>");
    page.run("root.clicks = 0; root.querySelector('input').onclick = () => { root.clicks += 1; }");
    let checked = || page.text("root.querySelector('input').checked");
    for (value, expected) in
        [(json!(true), "true"), (json!("false"), "false"), (json!("TRUE"), "true"), (json!(false), "false")]
    {
        one("agree", value.clone()).await.unwrap();
        assert_eq!(checked(), expected, "{value}");
    }
    one("agree", json!(false)).await.unwrap();
    assert_eq!(page.text("root.clicks"), "4");
    for value in [
        json!("off"),
        json!("on"),
        json!("no"),
        json!("yes"),
        json!(0),
        json!(1),
        json!(""),
        json!(null),
        json!({}),
    ] {
        refused("agree", value, "takes true or false").await;
    }
    assert_eq!((checked().as_str(), page.value("input").as_str()), ("false", "yes"));
    // A page may take the click back.
    page.run("root.querySelector('input').onclick = (event) => event.preventDefault()");
    refused("agree", json!(true), r#"did not keep "true"; the field now holds "false""#).await;
}

#[wasm_bindgen_test]
async fn e3_a_checkbox_with_a_hidden_field_beside_it_and_groups_of_checkboxes() {
    let page = Fixture::new(
        "<form><input type=hidden name=news value=0><input type=checkbox name=news value=1>
         <input type=checkbox name=days value=mon checked><label><input type=checkbox name=days value=tue> 周二</label>
         <input type=checkbox name=days value=wed></form>",
    );
    one("news", json!(true)).await.unwrap();
    assert_eq!(page.value("[type=hidden]"), "0");
    let days = || page.text("[...root.querySelectorAll('[name=days]:checked')].map((box) => box.value)");
    one("days", json!(["wed", "周二"])).await.unwrap();
    assert_eq!(days(), "tue,wed");
    one("days", json!([])).await.unwrap();
    assert_eq!(days(), "");
    refused("days", json!(true), "takes a list of: \"mon\", \"tue\" (周二), \"wed\"").await;
    refused("days", json!(["sun"]), "there is no choice \"sun\"").await;
    assert_eq!(days(), "");
}

#[wasm_bindgen_test]
async fn case_c09_the_radio_button_with_the_value_is_checked() {
    let page = Fixture::new(
        "<form><input type=radio name=level value=a><label><input type=radio name=level value=b>高级</label>
         <input type=radio name=level value=c disabled></form>
         <form><input type=radio name=level value=z></form>",
    );
    let chosen = || page.text("[...root.querySelectorAll(':checked')].map((radio) => radio.value)");
    let values = || page.text("[...root.querySelectorAll('[name=level]')].map((radio) => radio.value)");
    one("level", json!("a")).await.unwrap();
    one("level", json!("b")).await.unwrap();
    assert_eq!(chosen(), "b");
    refused("level", json!("z"), r#"there is no choice "z"; there are: "a", "b" (高级), "c""#).await;
    refused("level", json!("c"), "disabled").await;
    refused("level", json!(true), "takes one text").await;
    one("level", json!("a")).await.unwrap();
    one("level", json!("高级")).await.unwrap();
    assert_eq!((chosen().as_str(), values().as_str()), ("b", "a,b,c,z"));
}

#[wasm_bindgen_test]
async fn e3_selects_take_values_and_labels_and_several_where_they_may() {
    let page = Fixture::new(
        "<form><select name=one><option value=''>请选择<option value=fe>前端<option value=be disabled>后端</select>
         <select name=many multiple><option value=1 selected>一<option value=2>二<option value=3>三</select></form>",
    );
    one("one", json!("fe")).await.unwrap();
    assert_eq!(page.value("[name=one]"), "fe");
    one("one", json!("")).await.unwrap();
    one("one", json!("前端")).await.unwrap();
    assert_eq!(page.value("[name=one]"), "fe");
    refused("one", json!("be"), "this choice is disabled").await;
    refused("one", json!("x"), r#"there are: "" (请选择), "fe" (前端), "be" (后端)"#).await;
    refused("one", json!(["fe"]), "takes one text").await;
    let many =
        || page.text("[...root.querySelector('[name=many]').selectedOptions].map((option) => option.value)");
    one("many", json!([3, "二"])).await.unwrap();
    assert_eq!(many(), "2,3");
    one("many", json!([])).await.unwrap();
    assert_eq!(many(), "");
    one("many", json!("1")).await.unwrap();
    assert_eq!(many(), "1");
}

#[wasm_bindgen_test]
async fn case_c11_a_number_field_is_never_emptied_by_what_it_does_not_take() {
    let page = Fixture::new(
        "<form><input name=n type=number step=any value=9><input name=r type=range value=10></form>",
    );
    for value in ["1,5", "1,000.50", "1e", " 7 ", "abc", "1.5.", "+5", "１", "1_000", "NaN"] {
        refused("n", json!(value), "a plain number").await;
        assert_eq!(page.value("[name=n]"), "9", "{value}");
    }
    for (value, expected) in [
        (json!(1.5), "1.5"),
        (json!("-3"), "-3"),
        (json!(2.0), "2"),
        (json!("1e5"), "1e5"),
        (json!(".5"), ".5"),
        (json!(""), ""),
    ] {
        one("n", value).await.unwrap();
        assert_eq!(page.value("[name=n]"), expected);
    }
    refused("r", json!(500), "within its range").await;
    assert_eq!(page.value("[name=r]"), "10");
    one("r", json!(90)).await.unwrap();
}

#[wasm_bindgen_test]
async fn case_c11_the_other_fields_with_a_form_of_their_own_are_not_emptied_either() {
    let page = Fixture::new(
        "<form><input name=date type=date value=2026-01-02><input name=time type=time value=01:02>
         <input name=at type=datetime-local value=2026-01-02T03:04><input name=month type=month value=2026-01>
         <input name=week type=week value=2026-W01><input name=color type=color value='#010203'>
         <input name=mail type=email value=a@b><input name=line value=old></form>",
    );
    for (name, value, reason) in [
        ("date", "12/31/2026", "YYYY-MM-DD"),
        ("date", "2026-02-30", "YYYY-MM-DD"),
        ("time", "9:5", "HH:MM"),
        ("at", "tomorrow", "YYYY-MM-DDTHH:MM"),
        ("month", "1月", "YYYY-MM"),
        ("week", "1", "YYYY-Www"),
        ("color", "red", "#rrggbb"),
        ("line", "a\nb", "one line"),
        ("mail", "a@b\nc", "one line"),
    ] {
        let before = page.value(&format!("[name={name}]"));
        refused(name, json!(value), reason).await;
        assert_eq!(page.value(&format!("[name={name}]")), before, "{name} {value}");
    }
    for (name, value, kept) in [
        ("date", "2026-12-31", "2026-12-31"),
        ("date", "", ""),
        ("time", "09:05", "09:05"),
        ("at", "2026-12-01T10:00:00", "2026-12-01T10:00"),
        ("month", "2026-12", "2026-12"),
        ("week", "2026-W49", "2026-W49"),
        ("color", "#FF0000", "#ff0000"),
        ("mail", " a@example.org ", "a@example.org"),
    ] {
        one(name, json!(value)).await.unwrap();
        assert_eq!(page.value(&format!("[name={name}]")), kept, "{name} {value}");
    }
}

#[wasm_bindgen_test]
async fn case_c12_a_file_field_is_refused_and_the_others_are_filled() {
    let page = Fixture::new(
        "<form><input type=file name=file><input type=file multiple name=files><input name=a></form>",
    );
    let result = fill(&[("file", json!("x.png")), ("files", json!(["x"])), ("a", json!("b"))]).await;
    let data = result.data.unwrap();
    assert_eq!(data["filled"], json!(["a"]));
    assert_eq!(data["skipped"][0], json!({"name": "file", "reason": "only the person can choose a file"}));
    assert_eq!(page.text("root.querySelector('[name=file]').files.length"), "0");
}

fn ask(fields: Value) -> Result<String, ToolResult> {
    ask_for(MINE + 1, fields)
}

/// No call that comes by itself has such a serial number.
const MINE: u32 = 1 << 30;

fn ask_for(call: u32, fields: Value) -> Result<String, ToolResult> {
    confirm_fill_form_field(&json!({"fields": fields}), call, &PageWords::ZH_CN)
}

#[wasm_bindgen_test]
async fn e9_an_agreed_call_fills_what_the_person_saw_and_nothing_else_of_that_name() {
    let page = Fixture::new("<form><input name=name><input name=note></form>");
    let fields = json!([{"name": "name", "value": "张三"}, {"name": "note", "value": "x"}]);
    let run = async |call| fill_form_field(&json!({"fields": fields}), call, &PageWords::EN).await;
    // Two that wait at once, one of them for the same thing on another page.
    ask_for(MINE + 1, fields.clone()).unwrap();
    page.run("root.innerHTML = '<form><input name=name value=KEEP><input name=note></form>'");
    ask_for(MINE + 2, fields.clone()).unwrap();
    let result = run(MINE + 1).await;
    let reason = "the page has changed since the person was asked: `name` is not the field that they saw";
    assert_eq!((result.success, result.error.as_deref()), (false, Some(reason)));
    assert_eq!(
        result.data,
        Some(
            json!({"filled": [], "skipped": [{"name": "name", "reason": reason}, {"name": "note", "reason": reason}]})
        )
    );
    assert_eq!(page.value("[name=name]"), "KEEP");
    assert!(run(MINE + 2).await.success);
    assert_eq!(page.value("[name=name]"), "张三");
    // What was agreed to once is done once.
    assert_eq!(run(MINE + 2).await.error.as_deref(), Some("nobody was asked about this call"));
    // A field in front of the one that was seen, and one that is gone.
    for change in [
        "root.querySelector('form').insertAdjacentHTML('afterbegin', '<input name=note>')",
        "root.innerHTML = ''",
    ] {
        ask_for(MINE + 3, fields.clone()).unwrap();
        page.run(change);
        assert!(!run(MINE + 3).await.success, "{change}");
    }
}

#[wasm_bindgen_test]
async fn e9_an_agreed_choice_is_the_one_that_the_person_saw() {
    let page = Fixture::new("");
    for (name, value, change) in [
        (
            "level",
            "高",
            "const other = document.createElement('input'); other.type = 'radio'; other.name = 'level'; other.value = 'delete-account'; root.querySelector('[value=high]').replaceWith(other)",
        ),
        (
            "level",
            "高",
            "const [a, b] = root.querySelectorAll('span'); [a.textContent, b.textContent] = ['高', '低']",
        ),
        ("agree", "是", "root.querySelector('option').value = '7'"),
        ("note", "12345", "root.querySelector('[name=note]').maxLength = 3"),
    ] {
        page.run(
            "root.innerHTML = `<form><label><input type=radio name=level value=low><span>低</span></label>
             <label><input type=radio name=level value=high><span>高</span></label>
             <select name=agree><option value=1>是<option value=0 selected>否</select><input name=note></form>`",
        );
        let fields = json!([{"name": name, "value": value}]);
        let input = json!({"fields": fields});
        ask_for(MINE + 4, fields).unwrap();
        page.run(change);
        let result = fill_form_field(&input, MINE + 4, &PageWords::EN).await;
        let error = result.error.unwrap_or_default();
        assert!(error.starts_with("the page has changed since the person was asked"), "{change}: {error}");
        let state = "[...root.querySelectorAll(':checked, [name=note]')].map((it) => it.value)";
        assert_eq!(page.text(state), "0,", "{change}");
    }
}

#[wasm_bindgen_test]
async fn e9_when_another_form_comes_during_the_run_the_rest_is_left() {
    let page = Fixture::new("<form id=t><input name=a><input name=b></form>");
    page.run(
        "root.querySelector('[name=a]').oninput = () => {
            root.innerHTML = '<form id=t><input name=a><input name=b value=KEEP></form>';
        }",
    );
    let result = fill(&[("a", json!("1")), ("b", json!("2"))]).await;
    let reason = "the page has changed since the person was asked";
    let skipped = json!([{"name": "a", "reason": format!("after it was filled, {reason}")}, {"name": "b", "reason": reason}]);
    assert_eq!(result.data, Some(json!({"filled": [], "skipped": skipped})));
    assert_eq!(page.value("[name=b]"), "KEEP");
}

#[wasm_bindgen_test]
async fn e3_a_field_that_comes_when_another_is_filled_is_filled_too() {
    let page = Fixture::new("<form><input name=country></form>");
    page.run(
        "root.querySelector('input').addEventListener('change', ({ target }) =>
            target.insertAdjacentHTML('afterend', '<input name=province>'))",
    );
    let fields = json!([{"name": "country", "value": "中国"}, {"name": "province", "value": "四川"}]);
    ask_for(MINE + 1, fields.clone()).unwrap();
    let result = fill_form_field(&json!({"fields": fields}), MINE + 1, &PageWords::EN).await;
    assert!(result.success, "{result:?}");
    assert_eq!(page.value("[name=province]"), "四川");
}

#[wasm_bindgen_test]
fn e9_nobody_is_asked_about_what_cannot_be_filled() {
    let _page = Fixture::new(
        "<form><input name=a><input type=file name=file><input name=off disabled>
         <select name=city><option>北京</option></select></form>",
    );
    for (name, value, reason) in [
        ("none", "x", "the form has no such field; it has: a, city"),
        ("file", "x.png", "only the person can choose a file"),
        ("off", "x", "it is disabled"),
        ("city", "上海", "there is no choice \"上海\"; there are: \"北京\" (北京)"),
    ] {
        let refused = ask(json!([{"name": name, "value": value}])).expect_err(name);
        let skipped = json!([{"name": name, "reason": reason}]);
        assert_eq!(refused.data, Some(json!({"filled": [], "skipped": skipped})));
        // One that can be is asked about, together with it.
        let both = json!([{"name": name, "value": value}, {"name": "a", "value": "x"}]);
        assert!(ask(both).unwrap().contains('2'));
    }
}

#[wasm_bindgen_test]
async fn case_c14_password_like_fields_are_refused_before_anybody_is_asked() {
    watch_password_fields();
    let page = Fixture::new(
        "<form><input name=user><input name=p1 type=password value=SECRET>
         <input name=p2 autocomplete='section-a current-password'><input name=p3 autocomplete=NEW-PASSWORD>
         <input name=code autocomplete=one-time-code><input name=loginPassword><label>密码 <input name=p4></label>
         <input name=shown type=password value=SECRET><textarea name=apiKey></textarea></form>",
    );
    // Shown by the page, as such buttons do.
    page.run("root.querySelector('[name=shown]').type = 'text'");
    TimeoutFuture::new(0).await;
    for name in ["p1", "p2", "p3", "code", "loginPassword", "p4", "shown", "apiKey", "newPassword"] {
        let fields = json!([{"name": "user", "value": "张三"}, {"name": name, "value": "hunter2"}]);
        let refused = ask(fields).expect_err(name);
        let text = format!("{refused:?}");
        assert!(text.contains(name) && !text.contains("hunter2") && !text.contains("SECRET"), "{text}");
    }
    // And should one come through all the same, it is not filled.
    for name in ["p1", "p2", "p3", "code", "loginPassword", "p4", "shown", "apiKey"] {
        refused(name, json!("hunter2"), "left to the person").await;
    }
    assert_eq!((page.value("[name=p1]"), page.value("[name=shown]")), ("SECRET".into(), "SECRET".into()));
}

#[wasm_bindgen_test]
fn e9_case_e08_the_confirmation_says_which_fields_and_hides_nothing() {
    let page = Fixture::new("<form><input name=username><input type=checkbox name=showPassword></form>");
    assert_eq!(ask(json!([{"name": "username", "value": "张三"}])).unwrap(), "将填写 1 个表单字段：username");
    // A switch is no password.
    let two = json!([{"name": "username", "value": ""}, {"name": "showPassword", "value": true}]);
    assert_eq!(ask(two).unwrap(), "将填写 2 个表单字段：username、showPassword");
    page.run("root.querySelector('input').name = 'a\u{202e}b\u{e0041}'");
    let turned = ask(json!([{"name": "a\u{202e}b\u{e0041}", "value": ""}])).unwrap();
    assert_eq!(turned, "将填写 1 个表单字段：a[U+202E]b[U+E0041]");
    for bad in [
        json!([]),
        json!("x"),
        json!([{"name": "a"}]),
        json!([{"value": "a"}]),
        json!([{"name": 1, "value": 1}]),
    ] {
        assert!(ask(bad).is_err());
    }
    let many = (0..201).map(|at| json!({"name": at.to_string(), "value": 1})).collect();
    assert_eq!(ask(many).unwrap_err().error.as_deref(), Some("fields: must have at most 200 fields"));
}

#[wasm_bindgen_test]
async fn e3_choices_of_one_value_are_told_by_their_labels_and_nothing_is_guessed() {
    let page = Fixture::new(
        "<form><label><input type=radio name=r>Yes</label><label><input type=radio name=r>No</label>
         <label><input type=checkbox name=c>A</label><label><input type=checkbox name=c>B</label>
         <select name=s><option value=x>A<option value=x>B</select>
         <select name=m multiple><option value=x>A<option value=x>B<option value=y>C</select></form>",
    );
    let state =
        || page.text("[...root.querySelectorAll('input,option')].map((it) => it.checked ?? it.selected)");
    assert_eq!(state(), "false,false,false,false,true,false,false,false,false");
    for (name, value) in
        [("r", json!("No")), ("c", json!(["B"])), ("s", json!("B")), ("m", json!(["C", "A"]))]
    {
        one(name, value).await.unwrap();
    }
    assert_eq!(state(), "false,true,false,true,false,true,true,false,true");
    refused("r", json!("on"), "there is more than one choice \"on\"; there are: \"on\" (Yes), \"on\" (No)")
        .await;
    refused("m", json!(["C", "x"]), "there is more than one choice \"x\"").await;
    assert_eq!(state(), "false,true,false,true,false,true,true,false,true");
}

#[wasm_bindgen_test]
async fn e3_of_fields_of_one_name_the_one_that_can_be_filled_is_meant() {
    let page = Fixture::new(
        "<form><input name=a disabled><input name=a id=real><input name=b><input name=b>
         <input name=c hidden><input name=c id=seen></form>",
    );
    one("a", json!("1")).await.unwrap();
    one("c", json!("3")).await.unwrap();
    assert_eq!((page.value("#real"), page.value("#seen")), ("1".into(), "3".into()));
    refused("b", json!("2"), "several fields of the form have this name").await;
    assert_eq!(page.text("[...root.querySelectorAll('[name=b]')].map((it) => it.value)"), ",");
}

#[wasm_bindgen_test]
async fn e3_what_people_do_not_see_or_reach_is_not_filled() {
    let page = Fixture::new(
        "<form><div inert><input name=inert></div><fieldset hidden><label>x <input name=step></label></fieldset>
         <input name=trap style='display: none'><input name=unseen style='visibility: hidden'>
         <style>.drawn { display: none }</style><label><input class=drawn type=checkbox name=drawn> news</label></form>",
    );
    for name in ["inert", "step", "trap", "unseen"] {
        refused(name, json!("x"), "it is not shown on the page").await;
        assert_eq!(page.value(&format!("[name={name}]")), "");
    }
    // Its label is what people see and click.
    one("drawn", json!(true)).await.unwrap();
}

#[wasm_bindgen_test]
fn e9_a_field_is_told_by_its_label_whatever_it_is_set_to() {
    let _page = Fixture::new(
        "<form><label><input type=checkbox name=ok> 同意条款</label><label>邮箱 <input name=email value=old@x></label>
         <label>城市 <select name=city><option>北京</select></label></form>",
    );
    let fields = json!([{"name": "ok", "value": true}, {"name": "email", "value": "a@b"}, {"name": "city", "value": "北京"}]);
    assert_eq!(ask(fields).unwrap(), "将填写 3 个表单字段：同意条款 (ok)、邮箱 (email)、城市 (city)");
}

#[wasm_bindgen_test]
async fn e3_fields_and_forms_cannot_take_the_place_of_the_pages_own_methods() {
    let names = ["getAttribute", "contains", "localName", "getRootNode", "checkVisibility", "nodeType"];
    let fields: String = names.iter().map(|name| format!("<input name={name}>")).collect();
    let page =
        Fixture::new(&format!("<form id=f><input name=x>{fields}</form><form name=querySelectorAll></form>"));
    one("x", json!("1")).await.unwrap();
    refused("y", json!("1"), "the form `f` has no such field; it has: x, getAttribute").await;
    assert_eq!(page.value("[name=x]"), "1");
}

#[wasm_bindgen_test]
async fn case_c16_a_control_belongs_to_the_form_that_it_names() {
    let page = Fixture::new(
        "<form id=f><input name=inside><input name=card form=other value=KEEP></form>
         <form id=other><input name=x></form><input name=outside form=f>",
    );
    one("inside", json!("1")).await.unwrap();
    one("outside", json!("2")).await.unwrap();
    assert_eq!(page.value("[name=outside]"), "2");
    refused("card", json!("3"), "the form `f` has no such field; it has: inside, outside").await;
    assert_eq!(page.value("[name=card]"), "KEEP");
    let fields = json!([{"name": "card", "value": "4"}]);
    let result = agreed(&json!({"fields": fields, "formId": "other"}), &PageWords::ZH_CN).await;
    assert_eq!((result.summary.as_str(), page.value("[name=card]").as_str()), ("已填写：card", "4"));
    let result = agreed(&json!({"fields": fields, "formId": "none"}), &PageWords::EN).await;
    let reason = "there is no form with the id `none` on the page";
    assert_eq!(result.error.as_deref(), Some(reason));
    let skipped = json!([{"name": "card", "reason": reason}]);
    assert_eq!(result.data, Some(json!({"filled": [], "skipped": skipped})));
}

#[wasm_bindgen_test]
async fn e3_fields_may_be_called_like_the_forms_own_members() {
    let page = Fixture::new(
        "<form id=f><input name=elements><input name=id><input name=__proto__><input name=constructor>
         <input name=submit><input name='a\"]b'></form>",
    );
    for name in ["elements", "id", "__proto__", "constructor", "submit", "a\"]b"] {
        one(name, json!("x")).await.unwrap();
    }
    assert_eq!(page.text("[...root.querySelectorAll('input')].map((input) => input.value)"), "x,x,x,x,x,x");
}

#[wasm_bindgen_test]
async fn case_c17_an_element_that_is_edited_in_place_gets_text_and_never_markup() {
    let page = Fixture::new(
        "<form><div data-field=bio contenteditable>old <b>text</b></div><input name=other></form>",
    );
    page.run(
        "root.events = []; root.addEventListener('beforeinput', (e) => root.events.push(e.type));
         root.addEventListener('input', (e) => root.events.push(e.type)); root.querySelector('[name=other]').focus()",
    );
    one("bio", json!("<b>x</b> & <img src=x onerror=alert(1)>")).await.unwrap();
    let bio = "root.querySelector('[data-field]')";
    assert_eq!(page.text(&format!("{bio}.textContent")), "<b>x</b> & <img src=x onerror=alert(1)>");
    assert_eq!(page.text(&format!("{bio}.querySelectorAll('img').length")), "0");
    assert!(page.text("root.events").starts_with("beforeinput,input"));
    // The focus goes back to where it was.
    assert_eq!(page.text("document.activeElement.name"), "other");
    one("bio", json!("第一行\n第二行")).await.unwrap();
    assert_eq!(page.text(&format!("{bio}.innerText.trim().split(/\\s*\\n\\s*/)")), "第一行,第二行");
    one("bio", json!("")).await.unwrap();
    assert_eq!(page.text(&format!("{bio}.textContent")), "");
}

#[wasm_bindgen_test]
async fn case_c17_an_editor_that_takes_the_text_back_is_no_success() {
    let page = Fixture::new("<form><div data-field=doc contenteditable>model</div></form>");
    let editor = "const editor = root.querySelector('[data-field]');";
    page.run(
        &[editor, "editor.oninput = () => queueMicrotask(() => { editor.textContent = 'model'; })"].concat(),
    );
    refused("doc", json!("new"), r#"now holds "model""#).await;
    page.run(
        &[editor, "editor.oninput = null; editor.onbeforeinput = (event) => event.preventDefault()"].concat(),
    );
    refused("doc", json!("new"), r#"now holds "model""#).await;
    // One that follows `beforeinput` with a model of its own keeps it.
    page.run(
        &[editor, "editor.onbeforeinput = (event) => { event.preventDefault(); editor.innerHTML = '<p>' + event.data + '</p>'; }"]
            .concat(),
    );
    one("doc", json!("new")).await.unwrap();
}

#[wasm_bindgen_test]
async fn case_c18_part_of_the_fields_is_no_success() {
    let _page = Fixture::new("<form><input name=email type=email><input name=file type=file></form>");
    let fields = [
        ("email", json!("a@example.org")),
        ("missing_name", json!("x")),
        ("file", json!("y")),
        ("email", json!("z")),
    ];
    let result = fill(&fields).await;
    assert!(!result.success);
    assert_eq!(result.summary, "Filled in: email; not filled in: missing_name, file, email");
    let error = result.error.unwrap();
    assert!(error.contains("`missing_name`: the form has no such field; it has: email"), "{error}");
    let data = result.data.unwrap();
    assert_eq!(data["filled"], json!(["email"]));
    assert_eq!(data["skipped"].as_array().unwrap().len(), 3);
    // Kept, but the browser objects.
    let result = fill(&[("email", json!("nobody"))]).await;
    assert!(result.success);
    assert_eq!(result.data.unwrap()["invalid"][0]["name"], "email");
}

#[wasm_bindgen_test]
async fn case_c19_hidden_fields_and_buttons_are_refused_and_nothing_is_submitted() {
    let page = Fixture::new(
        "<form><input type=hidden name=csrf value=TOKEN><input type=submit name=s value=KEEP><input type=button name=b value=KEEP>
         <input type=reset name=r value=KEEP><input type=image name=i><button name=k value=KEEP>x</button><input name=q></form>",
    );
    page.run("root.submitted = 0; root.querySelector('form').onsubmit = (event) => { root.submitted += 1; event.preventDefault(); }");
    for name in ["s", "b", "r", "i", "k"] {
        refused(name, json!("x"), "it is a button").await;
    }
    refused("csrf", json!("x"), "hidden fields are not filled").await;
    let result = fill(&[("none", json!("x"))]).await;
    let said = format!("{result:?}");
    assert!(!said.contains("csrf") && !said.contains("TOKEN"), "{said}");
    refused("q", json!("x\n"), "one line").await;
    one("q", json!("x")).await.unwrap();
    assert_eq!(page.text("root.submitted"), "0");
    assert_eq!(
        page.text("[...root.querySelectorAll('[name]')].map((e) => e.value)"),
        "TOKEN,KEEP,KEEP,KEEP,,KEEP,x"
    );
}

#[wasm_bindgen_test]
async fn case_c20_fields_in_open_shadow_roots_are_found_and_heard_of_outside() {
    let page =
        Fixture::new("<form><x-city name=city></x-city><div id=deep></div><div id=closed></div></form>");
    page.run(
        "const inside = (host, mode, html) => { const shadow = root.querySelector(host).attachShadow({ mode }); shadow.innerHTML = html; return shadow; };
         inside('x-city', 'open', '<input>');
         const deep = inside('#deep', 'open', '<div></div>').firstChild.attachShadow({ mode: 'open' });
         deep.innerHTML = '<select name=level><option>a<option>b</select><input type=password name=p>';
         inside('#closed', 'closed', '<input name=within>');
         root.heard = []; root.hear = (event) => root.heard.push(event.type);
         for (const kind of ['input', 'change']) document.addEventListener(kind, root.hear);",
    );
    one("city", json!("北京")).await.unwrap();
    assert_eq!(page.text("root.querySelector('x-city').shadowRoot.firstChild.value"), "北京");
    one("level", json!("b")).await.unwrap();
    refused("p", json!("x"), "left to the person").await;
    refused("within", json!("x"), "no such field").await;
    assert_eq!(page.text("root.heard"), "input,change,input,change");
    page.run("for (const kind of ['input', 'change']) document.removeEventListener(kind, root.hear)");
    // A whole form in a shadow root, where the document has none.
    drop(page);
    let page = Fixture::new("<div></div>");
    page.run(
        "root.firstChild.attachShadow({ mode: 'open' }).innerHTML = '<form id=inner><input name=a></form>'",
    );
    one("a", json!("1")).await.unwrap();
    assert_eq!(page.text("root.firstChild.shadowRoot.querySelector('input').value"), "1");
}

#[wasm_bindgen_test]
async fn case_c20_an_agents_own_panel_is_no_part_of_the_page() {
    let page = Fixture::new("<praxis-agent></praxis-agent>");
    page.run("root.firstChild.attachShadow({ mode: 'open' }).innerHTML = '<form><textarea name=composer></textarea></form>'");
    refused("composer", json!("x"), "no such field").await;
}

#[wasm_bindgen_test]
async fn e3_without_an_id_the_first_form_that_is_seen_is_meant_and_without_a_form_the_page() {
    let page = Fixture::new(
        "<form hidden><input name=a value=KEEP></form><form><div data-field=a><input></div></form><form><input name=b></form>",
    );
    one("a", json!("x")).await.unwrap();
    assert_eq!(page.text("[...root.querySelectorAll('input')].map((e) => e.value)"), "KEEP,x,");
    refused("b", json!("x"), "the form has no such field").await;
    drop(page);
    let page = Fixture::new("<input name=free>");
    one("free", json!("x")).await.unwrap();
    assert_eq!(page.value("input"), "x");
    refused("none", json!("x"), "the page, which has no form, has no such field; it has: free").await;
}

#[wasm_bindgen_test]
async fn e3_a_field_that_the_page_renders_anew_or_removes_is_read_where_it_is_now() {
    let page = Fixture::new("<form><input name=a><input name=b></form>");
    page.run(
        "root.querySelector('[name=a]').oninput = (event) => { const next = event.target.cloneNode(); next.value = event.target.value; event.target.replaceWith(next); };
         root.querySelector('[name=b]').oninput = (event) => event.target.remove();",
    );
    one("a", json!("x")).await.unwrap();
    refused("b", json!("x"), "after it was filled, the form has no such field").await;
}
