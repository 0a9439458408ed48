//! What the engine says to people; what it says to the agent is English.

macro_rules! words {
    ($($(#[doc = $doc:literal])* $name:ident: $zh_cn:literal, $en:literal;)*) => {
        /// The words of one language; each `{}` is filled with the tool's name. An app with another language brings
        /// its own.
        #[derive(Debug)]
        pub struct EngineWords {
            $($(#[doc = $doc])* pub $name: &'static str,)*
        }

        impl EngineWords {
            /// 简体中文.
            pub const ZH_CN: Self = Self { $($name: $zh_cn,)* };
            /// English.
            pub const EN: Self = Self { $($name: $en,)* };
        }
    };
}

words! {
    /// What will happen, for tools that do not say it themselves.
    will_run: "将执行“{}”操作", "Will run “{}”";
    /// It did what it was called for.
    done: "“{}”已完成", "“{}” is done";
    /// Its handler failed.
    failed: "“{}”没有完成", "“{}” failed";
    /// E12.
    too_often: "“{}”调用得太频繁，没有执行", "“{}” was called too often and did not run";
    /// E8.
    invalid: "“{}”的参数不符合要求，没有执行", "The arguments of “{}” do not fit; it did not run";
    /// E8: nobody could say whether they fit.
    unchecked: "没能检查“{}”的参数，没有执行", "The arguments of “{}” could not be checked; it did not run";
    /// E18.
    denied: "这个应用不允许“{}”", "This app does not allow “{}”";
    /// The person said no.
    refused: "你没有同意“{}”，没有执行", "You did not agree to “{}”; it did not run";
    /// E9: nobody answered.
    expired: "没有等到对“{}”的确认，没有执行", "Nobody answered whether “{}” may run; it did not";
    /// E16.
    stopped: "“{}”已停止，没有执行", "“{}” was stopped before it ran";
    /// E13; the places follow.
    removed: "；已从参数中移除可执行的标记：", "; active markup was removed from the arguments: ";
}

/// A template with the tool's name.
pub(super) fn named(template: &str, tool: &str) -> String {
    template.replace("{}", tool)
}
