//! What the page's tools say to people: the summaries of their results and what a confirmation asks.
//!
//! What they say to the agent, which is why something failed, is English and stands where it is found.

macro_rules! words {
    ($($name:ident: $zh_cn:literal, $en:literal;)*) => {
        /// The words of one language; each `{}` is filled in. An app with another language brings its own.
        #[allow(missing_docs, reason = "each is what its name says")]
        #[derive(Debug)]
        pub struct PageWords {
            $(pub $name: &'static str,)*
        }

        impl PageWords {
            /// 简体中文.
            pub const ZH_CN: Self = Self { $($name: $zh_cn,)* };
            /// English.
            pub const EN: Self = Self { $($name: $en,)* };
        }
    };
}

words! {
    will_open: "将打开页面 {}", "Will open the page {}";
    opened: "已打开 {}", "Opened {}";
    not_opened: "没有打开页面", "The page was not opened";
    will_fill: "将填写 {} 个表单字段：{}", "Will fill {} form fields: {}";
    filled: "已填写：{}", "Filled in: {}";
    filled_partly: "已填写：{}；未填写：{}", "Filled in: {}; not filled in: {}";
    not_filled: "没有填写表单", "The form was not filled in";
    found: "查到 {} 条记录", "Found {} rows";
    not_found: "没有查到数据", "No data was found";
    scrolled: "已滚动到指定位置", "Scrolled there";
    scrolled_to_top: "已滚动到页面顶部", "Scrolled to the top of the page";
    not_scrolled: "没有滚动页面", "The page was not scrolled";
    will_read: "将读取本浏览器里保存的数据：{}", "Will read what this browser keeps under {}";
    read: "已读取 {}", "Read {}";
    nothing_kept: "{} 下没有保存数据", "Nothing is kept under {}";
    not_read: "没有读取数据", "Nothing was read";
    between: "、", ", ";
}

/// Fills each `{}` of a template with the next value.
pub(super) fn fill(template: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut parts = template.split("{}");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(values.next().copied().unwrap_or_default());
        text.push_str(part);
    }
    text
}

/// A text of the agent's for people: what they would not see is written out (E08), and a long text is cut.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let cut = match text.char_indices().nth(LONGEST) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "…"].concat(),
        None => text.to_owned(),
    };
    crate::protocol::page_context::make_visible(&cut)
}
