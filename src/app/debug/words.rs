//! The panel's words, in both languages.

use super::journal::Filter;

/// The panel's words in one language.
#[derive(Debug, PartialEq)]
pub(super) struct Words {
    pub lang: &'static str,
    pub title: &'static str,
    pub close: &'static str,
    pub clear: &'static str,
    pub journal: &'static str,
    pub journal_empty: &'static str,
    pub filter: &'static str,
    filters: [&'static str; 4],
    pub call_starts: &'static str,
    pub call_ends: &'static str,
    pub call_fails: &'static str,
    pub readables: &'static str,
    pub readables_empty: &'static str,
    pub entries: &'static str,
    pub bytes: &'static str,
    pub name: &'static str,
    pub value: &'static str,
    pub dropped: &'static str,
    pub tools: &'static str,
    pub tools_empty: &'static str,
    pub registrations: &'static str,
    pub session: &'static str,
    pub no_session: &'static str,
    pub status: [&'static str; 3],
}

static ZH_CN: Words = Words {
    lang: "zh-CN",
    title: "调试面板",
    close: "关闭调试面板",
    clear: "清空",
    journal: "事件",
    journal_empty: "还没有事件。向助手提一个会用到工具的问题，这里就会出现。",
    filter: "显示",
    filters: ["全部", "工具调用", "日志", "问题"],
    call_starts: "开始",
    call_ends: "完成",
    call_fails: "出错",
    readables: "页面上下文",
    readables_empty: "没有登记页面上下文，消息不会附带任何内容。",
    entries: "项",
    bytes: "字节",
    name: "名字",
    value: "值",
    dropped: "超出限制，不会发送",
    tools: "前端工具",
    tools_empty: "没有登记前端工具。",
    registrations: "次登记，最后挂载的生效",
    session: "会话",
    no_session: "无",
    status: ["空闲", "运行中", "出错"],
};

static EN: Words = Words {
    lang: "en",
    title: "Debug panel",
    close: "Close the debug panel",
    clear: "Clear",
    journal: "Events",
    journal_empty: "No events yet. Ask the assistant something that needs a tool, and they appear here.",
    filter: "Show",
    filters: ["All", "Tool calls", "Log", "Problems"],
    call_starts: "starts",
    call_ends: "done",
    call_fails: "failed",
    readables: "Page context",
    readables_empty: "Nothing is registered: messages carry no page context.",
    entries: "entries",
    bytes: "bytes",
    name: "Name",
    value: "Value",
    dropped: "over the limit, not sent",
    tools: "Client tools",
    tools_empty: "No client tools are registered.",
    registrations: "registrations, the last one mounted counts",
    session: "Session",
    no_session: "none",
    status: ["idle", "running", "error"],
};

impl Words {
    /// The words for a BCP 47 tag; Chinese where the panel does not speak the language.
    pub(super) fn of(tag: &str) -> &'static Self {
        if tag.starts_with("en") { &EN } else { &ZH_CN }
    }

    /// What a filter is called.
    pub(super) fn of_filter(&self, filter: Filter) -> &'static str {
        match filter {
            Filter::All => self.filters[0],
            Filter::Calls => self.filters[1],
            Filter::Log => self.filters[2],
            Filter::Problems => self.filters[3],
        }
    }
}
