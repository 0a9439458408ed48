//! The agent's Markdown in a browser: nothing that an agent writes runs, loads or leads astray.
#![cfg(target_arch = "wasm32")]

use praxis::kit::panel::{Locale, Markdown, MarkdownProps, Words};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::Element;
use yew::AppHandle;

wasm_bindgen_test_configure!(run_in_browser);

struct Shown {
    root: Element,
    app: Option<AppHandle<Markdown>>,
}

fn props(text: &str, streaming: bool) -> MarkdownProps {
    MarkdownProps { text: text.to_owned().into(), streaming, words: Words::of(Locale::En) }
}

async fn show(text: &str, streaming: bool) -> Shown {
    let root = gloo::utils::document().create_element("div").unwrap();
    gloo::utils::body().append_child(&root).unwrap();
    let app = yew::Renderer::<Markdown>::with_root_and_props(root.clone(), props(text, streaming)).render();
    yew::scheduler::flush().await;
    Shown { root, app: Some(app) }
}

impl Shown {
    async fn update(&mut self, text: &str, streaming: bool) {
        self.app.as_mut().unwrap().update(props(text, streaming));
        yew::scheduler::flush().await;
    }

    fn all(&self, selector: &str) -> Vec<Element> {
        let found = self.root.query_selector_all(selector).unwrap();
        (0..found.length()).map(|at| wasm_bindgen::JsCast::unchecked_into(found.get(at).unwrap())).collect()
    }

    fn texts(&self, selector: &str) -> Vec<String> {
        self.all(selector).iter().map(|element| element.text_content().unwrap()).collect()
    }

    fn text(&self) -> String {
        self.root.text_content().unwrap()
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(app) = self.app.take() {
            app.destroy();
        }
        self.root.remove();
    }
}

#[wasm_bindgen_test]
async fn case_e10_raw_html_is_shown_as_it_was_written() {
    let text = "<script>alert(1)</script>\n\nhello <img src=x onerror=alert(1)> <b onclick=x>bold</b>\n\n<iframe srcdoc=\"<script>x</script>\"></iframe>";
    let shown = show(text, false).await;
    assert!(shown.all("script, img, iframe, b").is_empty());
    for part in ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<b onclick=x>", "<iframe"] {
        assert!(shown.text().contains(part), "{part}");
    }
    for element in shown.all("*") {
        for name in element.get_attribute_names() {
            let name = name.as_string().unwrap();
            assert!(!name.starts_with("on") && name != "style", "{name}");
        }
    }
}

#[wasm_bindgen_test]
async fn case_e01_only_web_mail_and_in_app_links_are_links() {
    let shown = show(
        "[a](https://example.org) [b](/lessons/3) [c](mailto:x@example.org) [d](javascript:alert(1)) \
         [e](JAVASCRIPT&colon;alert(1)) [f](data:text/html,x) [g](//example.org) [h](</\\example.org>) \
         <javascript:alert(1)> [i][ref] [j](java&#115;cript:x) [k](jav&#x09;ascript:x) [l](JaVaScRiPt:x) \
         [m](<java\tscript:x>) [n](javascript&#58;x) [o](data:text/html;base64,eA==)\n\n[ref]: vbscript:x",
        false,
    )
    .await;
    let links: Vec<_> = shown
        .all("a")
        .iter()
        .map(|link| ["href", "target", "rel"].map(|name| link.get_attribute(name).unwrap_or_default()))
        .collect();
    let outside = ["_blank", "noopener noreferrer"];
    assert_eq!(links[0], ["https://example.org", outside[0], outside[1]]);
    assert_eq!(links[1], ["/lessons/3", "", ""]);
    assert_eq!(links[2], ["mailto:x@example.org", outside[0], outside[1]]);
    assert_eq!(links.len(), 3);
    assert!(shown.all("[href^='java' i]").is_empty());
    for words in ["d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"] {
        assert!(shown.texts("span").iter().any(|text| text == words), "{words} keeps its words");
    }
}

#[wasm_bindgen_test]
async fn case_e02_images_are_never_loaded() {
    let shown =
        show("![a chart](https://example.org/x.png) ![evil](data:image/svg+xml,x) [![in](https://a.example/i.png)](/b)", false)
            .await;
    assert!(shown.all("img, picture, svg image, [src], [srcset]").is_empty());
    let links = shown.all("a");
    assert_eq!(links[0].get_attribute("href").as_deref(), Some("https://example.org/x.png"));
    assert_eq!(links[0].text_content().as_deref(), Some("Image: a chart"));
    assert_eq!(links[1].get_attribute("href").as_deref(), Some("/b"));
    assert_eq!(links.len(), 2, "no link inside a link");
    assert!(shown.text().contains("evil"));
}

#[wasm_bindgen_test]
async fn everything_that_agents_write_has_its_element() {
    let shown = show(
        "# Title\n\n**bold** *em* ~~gone~~ `code`\n\n3. three\n4. four\n   - inner\n\n> quote\n\n| a | b |\n|---|--:|\n| 1<br>2 | 3 |\n\n---\n\n```rust,ignore\nlet x = \"<b>\";\n```\n\n    indented\n\n**注意：**请看",
        false,
    )
    .await;
    let expected: [(&str, &[&str]); 11] = [
        ("h3", &["Title"]),
        ("strong", &["bold", "注意："]),
        ("em", &["em"]),
        ("del", &["gone"]),
        ("ol[start='3'] > li:first-child", &["three"]),
        ("ol ul li", &["inner"]),
        ("blockquote", &["quote"]),
        ("thead th", &["a", "b"]),
        ("tbody td.right", &["3"]),
        ("pre code", &["let x = \"<b>\";\n", "indented\n"]),
        (".code-head > span", &["rust", ""]),
    ];
    for (selector, texts) in expected {
        assert_eq!(shown.texts(selector), texts, "{selector}");
    }
    assert_eq!(shown.all("tbody td br, hr").len(), 2);
    assert_eq!(shown.all(".code-block button").len(), 2);
}

#[wasm_bindgen_test]
async fn headings_leave_no_level_out() {
    let shown = show("### a\n# b\n#### c\n###### d\n##### e\n# f", false).await;
    let names: Vec<_> = shown.all(".markdown > *").iter().map(Element::local_name).collect();
    assert_eq!(names, ["h3", "h3", "h4", "h5", "h4", "h3"]);
}

#[wasm_bindgen_test]
async fn deep_nesting_neither_overflows_nor_hangs() {
    let deep = [
        ">".repeat(10_000) + " deep",
        "*".repeat(10_000) + "deep" + &"*".repeat(10_000),
        "- ".repeat(10_000) + "deep",
        "[".repeat(10_000) + "deep" + &"](/x)".repeat(10_000),
        "**_".repeat(5_000) + "deep" + &"_**".repeat(5_000),
        "`".repeat(10_000) + "deep",
        (0..100).map(|depth| "> ".repeat(depth) + "- deep\n").collect(),
    ];
    for text in deep {
        for streaming in [true, false] {
            let shown = show(&text, streaming).await;
            assert!(shown.text().contains("deep"), "{}", &text[..20]);
            let selector = ["*"; 41].join(" > ");
            assert!(shown.root.query_selector(&["div.markdown > ", &selector].concat()).unwrap().is_none());
        }
    }
}

#[wasm_bindgen_test]
async fn case_e11_what_streams_in_leaves_what_is_there_alone() {
    let parts = [
        "# One\n\n```rust\nlet a = 1;\n```\n\n",
        "1. first\n",
        "2. sec",
        "ond **bo",
        "ld**\n\n| a",
        " | b |\n",
        "|---|---|\n",
        "| 1 | 2 |\n",
    ];
    let mut text = String::new();
    let mut shown = show("", true).await;
    let mut code = None;
    for part in parts {
        text += part;
        shown.update(&text, true).await;
        let now = shown.all("pre code").remove(0);
        assert_eq!(*code.get_or_insert_with(|| now.clone()), now, "the block is not built anew");
        let seen = shown.text();
        assert!(!seen.contains('*') && !seen.contains('|'), "no half-written marks: {seen}");
    }
    assert_eq!(shown.texts("td"), ["1", "2"]);
    shown.update(&text, false).await;
    assert_eq!(code, Some(shown.all("pre code").remove(0)));
}

#[wasm_bindgen_test]
async fn case_e11_no_beginning_of_an_answer_has_a_link_that_is_cut_or_loads_anything() {
    let text = "See [the page](https://example.org/long/path), <https://example.org/auto>, ![p](https://example.org/i.png) \
                and <sup><sp 5 < 10 **bold** | a |\n\n```rust\nlet x = 1;\n```\n";
    let whole = ["https://example.org/long/path", "https://example.org/auto", "https://example.org/i.png"];
    let mut shown = show("", true).await;
    for (end, _) in text.char_indices() {
        shown.update(&text[..end], true).await;
        for link in shown.all("a") {
            let href = link.get_attribute("href").unwrap_or_default();
            assert!(whole.contains(&href.as_str()), "{href} after {:?}", &text[..end]);
        }
        assert!(shown.all("img, [src], sup").is_empty());
    }
    shown.update(text, false).await;
    let once = show(text, false).await;
    assert_eq!(shown.root.inner_html(), once.root.inner_html());
}

#[wasm_bindgen_test]
async fn case_e11_an_unclosed_fence_is_code() {
    let shown = show("before\n\n```js\nconst a = '**';", true).await;
    assert_eq!(shown.texts("pre code"), ["const a = '**';"]);
    assert!(shown.all("strong").is_empty());
}

#[wasm_bindgen_test]
async fn a_text_beyond_all_measure_is_shown_as_it_was_written() {
    let text = "*a* ".repeat(100_000);
    let shown = show(&text, false).await;
    assert_eq!(shown.text(), text);
    assert!(shown.all("em").is_empty());
}
