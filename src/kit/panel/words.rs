//! Every word the panel says by itself, Chinese first.
//!
//! It must not know where a word is shown; a component asks [`Words::of`] once and hands it down.

use super::Locale;

macro_rules! words {
    ($($name:ident: $zh:literal / $en:literal;)*) => {
        /// The panel's words in one language.
        #[allow(missing_docs, reason = "each word says itself, in both languages, in the list below")]
        #[derive(Debug)]
        pub struct Words {
            locale: Locale,
            $(pub $name: &'static str,)*
        }

        static ZH_CN: Words = Words { locale: Locale::ZhCn, $($name: $zh,)* };
        static EN: Words = Words { locale: Locale::En, $($name: $en,)* };
    };
}

words! {
    panel: "对话助手" / "Assistant";
    new_conversation: "新对话" / "New conversation";
    conversation: "对话内容" / "Conversation";
    you: "你" / "You";
    agent: "助手" / "Assistant";

    greeting: "有什么可以帮你？" / "How can I help?";
    suggestions: "可以这样问" / "You could ask";

    composer: "输入消息" / "Message";
    placeholder: "输入消息…" / "Ask anything…";
    send: "发送" / "Send";
    stop: "停止" / "Stop";
    stopping: "正在停止…" / "Stopping…";
    restore: "放回输入框" / "Put it back";
    dismiss: "不再提示" / "Dismiss";
    not_sent: "这条消息没有发出去" / "This message was not sent";
    disclaimer: "回答可能有误，请核对重要信息。" / "Answers can be wrong. Check what matters.";

    thinking: "正在思考" / "Thinking";
    retrying: "没有得到回答，正在重试" / "No answer yet, trying again";
    interrupted: "已停止，以上是停止前的内容。" / "Stopped. This is what there was until then.";
    incomplete: "连接中断，回答不完整。可以再问一次。" / "The connection broke, so this answer is not whole. You can ask again.";
    turn_failed: "这一轮没有完成" / "This turn did not finish";
    turn_failed_hint: "你的对话还在，可以换个说法或再发一次。" / "Your conversation is kept. Rephrase, or send it again.";
    sending: "发送中" / "Sending";

    copy: "复制" / "Copy";
    copied: "已复制" / "Copied";
    copy_failed: "无法复制" / "Could not copy";
    code: "代码" / "Code";
    table: "表格" / "Table";
    image: "图片" / "Image";

    call_running: "正在调用" / "Calling";
    call_ended: "已调用" / "Called";
    call_failed: "调用未成功" / "Call failed";
    arguments: "参数" / "Arguments";
    result: "结果" / "Result";
    no_result: "还没有结果" / "No result yet";
    empty_result: "（空）" / "(empty)";
    show_all: "显示全部" / "Show all";

    earlier: "显示更早的消息" / "Show earlier messages";
    to_latest: "回到最新" / "Jump to latest";
    new_messages: "有新消息" / "New messages";

    opening: "正在打开对话…" / "Opening the conversation…";
    reconnecting: "连接中断，正在重新连接…" / "Connection lost. Reconnecting…";
    offline: "网络已断开，恢复后会自动重新连接。" / "You are offline. It reconnects when the network is back.";
    unreachable: "暂时连不上服务，还在继续尝试。" / "The service cannot be reached at the moment. Still trying.";
    try_now: "立即重试" / "Try now";
    connected_again: "已重新连接" / "Connected again";
    failed: "对话没能打开" / "The conversation could not be opened";
    retry: "再试一次" / "Try again";
    read_only: "这个对话正在另一个标签页中使用，这里只能查看。" / "This conversation is in use in another tab. Here you can only read it.";
    not_configured: "助手还没有设置好" / "The assistant is not set up yet";
    not_configured_hint: "页面设置好之后就可以开始对话。" / "You can start once the page has set it up.";

    history: "历史对话" / "Conversations";
    close: "关闭" / "Close";
    untitled: "未命名的对话" / "Untitled conversation";
    current: "当前对话" / "Open now";
    history_loading: "正在读取…" / "Loading…";
    history_empty: "还没有对话" / "No conversations yet";
    history_failed: "历史对话没能读取" / "Your conversations could not be read";
    more: "更多" / "More";
    delete: "删除" / "Delete";
    delete_question: "删除这个对话？删除后无法恢复。" / "Delete this conversation? This cannot be undone.";
    cancel: "取消" / "Cancel";
}

impl Words {
    /// The words in `locale`'s language.
    #[must_use]
    pub fn of(locale: Locale) -> &'static Self {
        match locale {
            Locale::ZhCn => &ZH_CN,
            Locale::En => &EN,
        }
    }

    /// The language as HTML's `lang` and the browser's formatters know it.
    #[must_use]
    pub fn language(&self) -> &'static str {
        match self.locale {
            Locale::ZhCn => "zh-CN",
            Locale::En => "en",
        }
    }

    /// Joins a label and what it is about: `删除：第 3 课`, `Delete: Lesson 3`.
    #[must_use]
    pub fn about(&self, label: &str, subject: &str) -> String {
        let between = match self.locale {
            Locale::ZhCn => "：",
            Locale::En => ": ",
        };
        [label, between, subject].concat()
    }
}

/// There is one list for each language, so the same language is the same list.
impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        self.locale == other.locale
    }
}
