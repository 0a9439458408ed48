//! The app's words, in both languages.
//!
//! The agent's panel and the debug panel have words of their own.

use yew::prelude::*;

use super::context::use_app_context;
use super::language::Language;

macro_rules! words {
    ($($name:ident: $zh_cn:literal, $en:literal;)*) => {
        /// The app's words in one language.
        #[allow(missing_docs, reason = "each is what its name says")]
        #[derive(Debug)]
        pub struct Words {
            /// The language.
            pub language: Language,
            $(pub $name: &'static str,)*
        }

        static ZH_CN: Words = Words { language: Language::ZhCn, $($name: $zh_cn,)* };
        static EN: Words = Words { language: Language::En, $($name: $en,)* };
    };
}

words! {
    // The course and the shell.
    course_name: "网页里的智能体", "Agents in web pages";
    course_tagline: "让智能体读得到页面，也能操作页面。边看边问，旁边的助手就是课程讲的东西。", "Let an agent read your page and act on it. Ask as you watch: the assistant beside the video is what the course is about.";
    skip_to_content: "跳到正文", "Skip to content";
    main_navigation: "主导航", "Main";
    nav_course: "课程", "Course";
    nav_records: "记录", "Records";
    nav_profile: "我的", "Profile";
    nav_settings: "设置", "Settings";
    switch_language: "Switch to English", "切换到中文";
    switch_language_short: "EN", "中";
    theme: "外观", "Appearance";
    theme_system: "跟随系统", "System";
    theme_light: "浅色", "Light";
    theme_dark: "深色", "Dark";
    assistant: "课程助手", "Course assistant";
    assistant_open: "打开课程助手", "Open the course assistant";
    assistant_close: "收起课程助手", "Close the course assistant";
    assistant_loading: "正在加载助手…", "Loading the assistant…";
    assistant_failed: "助手没有加载成功", "The assistant could not be loaded";
    assistant_failed_hint: "课程照常可看。请检查网络，然后重新加载页面；进度和笔记都还在。", "The course works without it. Check the connection and reload the page; your progress and notes are safe.";
    reload: "重新加载", "Reload";
    assistant_greeting: "你好！我在视频旁边：读得到播放进度和字幕，也能帮你跳转、暂停、记笔记。", "Hello! I sit beside the video: I can read the playback position and the captions, and seek, pause or take notes for you.";
    assistant_placeholder: "问问这一课…", "Ask about this lesson…";
    assistant_no_token: "没有拿到访问助手的令牌", "No token for the assistant came";
    prompt_where: "我看到哪了？", "Where am I?";
    prompt_here: "这里在讲什么？", "What is this part about?";
    prompt_seek: "跳到第 2 章", "Jump to chapter 2";
    prompt_several: "暂停，并把这里记下来", "Pause and take a note here";
    prompt_open: "打开第 1 课", "Open lesson 1";
    prompt_form: "帮我把表单里的用户名填成\"张三\"，然后查询表格中状态为\"待审核\"的记录", "Set the user name in the form to \"Zhang San\", then list the table rows whose status is \"Pending review\"";
    prompt_subject: "什么是前端工具？", "What is a client tool?";
    confirmation_title: "允许助手这样做吗？", "May the assistant do this?";
    confirmation_arguments: "完整参数", "The exact arguments";
    confirmation_allow: "同意", "Allow";
    confirmation_refuse: "拒绝", "Refuse";
    confirmation_time: "不选择就视为拒绝，还剩 ", "Without an answer refused in ";
    confirmation_time_end: " 秒", " s";
    confirmation_waiting: "还在等待：", "Waiting: ";
    risk_safe: "低风险", "Low risk";
    risk_moderate: "中等风险", "Moderate risk";
    risk_dangerous: "高风险", "High risk";
    loading: "正在加载…", "Loading…";
    retry: "重试", "Try again";
    cancel: "取消", "Cancel";
    save: "保存", "Save";
    undo: "撤销", "Undo";
    dismiss: "知道了", "Got it";
    config_failed: "助手暂时用不了", "The assistant is not available";
    config_failed_hint: "读不到可用的配置。课程照常可看；修好后点重试。", "Its configuration could not be used. The course works without it; try again once it is mended.";
    course_failed: "课程没有加载成功", "The course could not be loaded";
    course_failed_hint: "请检查网络后重试。你的进度和笔记都还在。", "Check the connection and try again. Your progress and notes are safe.";
    storage_disabled: "浏览器不允许本页保存数据：进度、笔记和设置只保留到关闭页面。", "The browser keeps no data for this page: progress, notes and settings last until it is closed.";
    storage_full: "浏览器的存储空间不足，最近的改动可能没有保存。", "The browser has no room left; the latest changes may not have been kept.";
    storage_unreadable: "之前保存的部分数据无法读取，已另存备份，其余照常使用。", "Some of what was kept could not be read. It was set aside, and the rest works as usual.";

    // The course page.
    course_eyebrow: "课程", "Course";
    start_course: "开始学习", "Start the course";
    continue_course: "继续学习", "Continue";
    watch_again: "再看一遍", "Watch again";
    lessons: "全部课时", "Lessons";
    lesson_new: "未开始", "Not started";
    lesson_begun: "学习中", "In progress";
    lesson_completed: "已完成", "Completed";
    course_progress: "学习进度", "Your progress";
    lessons_completed: "已完成课时", "Lessons completed";
    whole_length: "总时长", "Total time";
    notes_count: "笔记", "Notes";

    // A lesson.
    chapters: "章节", "Chapters";
    transcript: "文稿", "Transcript";
    notes: "笔记", "Notes";
    lesson_parts: "课时内容", "Parts of the lesson";
    previous_lesson: "上一课", "Previous lesson";
    next_lesson: "下一课", "Next lesson";
    back_to_course: "回到课程", "Back to the course";
    lesson_navigation: "上一课与下一课", "Previous and next lesson";
    captions: "字幕", "Captions";
    captions_off: "关闭", "Off";
    captions_app: "跟随界面语言", "As the app's language";
    speed: "倍速", "Speed";
    from_the_start: "从头播放", "From the start";
    resumed_at: "已回到上次看到的", "Back where you stopped, at";
    transcript_language: "文稿语言", "Transcript language";
    transcript_failed: "文稿没有加载成功", "The transcript could not be loaded";
    transcript_failed_hint: "请检查网络后重试。视频照常可看。", "Check the connection and try again. The video works without it.";
    transcript_empty: "这一课没有文稿。", "This lesson has no transcript.";
    transcript_follow: "回到当前句", "Back to the current line";
    media_network: "视频没有加载成功，请检查网络。", "The video could not be loaded. Check the connection.";
    media_unplayable: "这个浏览器播放不了这段视频。", "This browser cannot play the video.";
    ask_about_this: "这里在讲什么？", "What is this part about?";
    watching: "正在看", "Watching ";
    marked_here: "标记", "Bookmark";
    note_label: "写一条笔记", "Write a note";
    note_placeholder: "记下这一刻的想法…", "What do you want to remember of this moment?";
    note_add: "记在", "Note at";
    note_edit: "编辑", "Edit";
    note_delete: "删除", "Delete";
    note_deleted: "已删除笔记", "Note deleted";
    notes_empty: "还没有笔记。写下的笔记会带上当前时间，点一下就能跳回去。", "No notes yet. Each note keeps its moment: press the time to go back to it.";
    go_to: "跳到", "Go to";
    shortcuts: "快捷键", "Keyboard shortcuts";
    shortcut_play: "播放或暂停", "Play or pause";
    shortcut_back: "后退 10 秒", "Back 10 seconds";
    shortcut_forward: "前进 10 秒", "Forward 10 seconds";
    shortcut_captions: "切换字幕", "Change captions";
    shortcut_note: "写笔记", "Write a note";
    shortcut_lessons: "下一课 / 上一课", "Next / previous lesson";
    shortcuts_hint: "输入文字时不起作用，可在设置里关闭。", "They rest while you type, and can be turned off in the settings.";
    no_such_lesson: "没有这一课", "There is no such lesson";
    no_such_lesson_hint: "课程里找不到这个编号。", "The course has no lesson with this number.";

    // Records.
    records_title: "学习记录", "Study records";
    records_intro: "看到哪里、交了什么、记了什么，都在这里。数据只保存在这个浏览器里。", "How far you have come, what you handed in and what you wrote down. All of it stays in this browser.";
    records_table: "我的学习记录", "Your study records";
    records_samples: "测验和练习的记录是演示数据。", "The records of quizzes and exercises are sample data.";
    column_lesson: "课时", "Lesson";
    column_kind: "类型", "Kind";
    column_state: "状态", "Status";
    column_result: "结果", "Result";
    column_updated: "最近更新", "Updated";
    kind_video: "视频", "Video";
    kind_quiz: "测验", "Quiz";
    kind_exercise: "练习", "Exercise";
    state_pending: "待审核", "Pending review";
    state_passed: "已通过", "Passed";
    state_returned: "需修改", "To be revised";
    never: "—", "—";

    // Profile.
    profile_title: "我的资料", "Your profile";
    profile_intro: "让学习更合你的节奏。资料只保存在这个浏览器里。", "Make the course fit you. Your profile stays in this browser.";
    field_name: "用户名", "User name";
    field_email: "邮箱", "Email";
    field_role: "身份", "Role";
    field_role_none: "请选择", "Choose one";
    role_frontend: "前端工程师", "Front-end engineer";
    role_backend: "后端工程师", "Back-end engineer";
    role_product: "产品或设计", "Product or design";
    role_student: "学生", "Student";
    role_other: "其他", "Other";
    field_daily: "每日目标（分钟）", "Daily goal (minutes)";
    field_daily_hint: "1 到 600 之间的整数。", "A whole number from 1 to 600.";
    field_start: "开始日期", "Start date";
    field_topics: "感兴趣的主题", "Topics of interest";
    topic_tools: "前端工具", "Client tools";
    topic_context: "页面上下文", "Page context";
    topic_reliability: "可靠执行", "Reliable execution";
    topic_safety: "安全与确认", "Safety and confirmation";
    field_time: "学习时段", "Time of day";
    time_any: "都可以", "Any";
    time_morning: "早上", "Morning";
    time_afternoon: "下午", "Afternoon";
    time_evening: "晚上", "Evening";
    field_reminder: "每周提醒我学习", "Remind me every week";
    field_aim: "想学到什么", "What you want to learn";
    field_about: "自我介绍", "About you";
    profile_saved: "资料已保存。", "Your profile is saved.";
    daily_invalid: "请填 1 到 600 之间的整数，或留空。", "Enter a whole number from 1 to 600, or leave it empty.";
    email_invalid: "请填完整的邮箱地址，例如 name@example.com。", "Enter a whole address, such as name@example.com.";
    start_invalid: "请填完整的日期，或留空。", "Enter a whole date, or leave it empty.";

    // Settings.
    settings_title: "设置", "Settings";
    settings_display: "显示", "Display";
    settings_language: "界面语言", "Language";
    settings_playback: "播放", "Playback";
    settings_captions: "默认字幕", "Captions at first";
    settings_speed: "默认倍速", "Speed at first";
    settings_shortcuts: "在课时页使用快捷键", "Keyboard shortcuts on lesson pages";
    settings_connection: "助手的连接", "The assistant's connection";
    connection_failed: "连接设置没有加载成功，请检查网络后重新加载页面。", "The connection's settings could not be loaded. Check the network and reload the page.";
    settings_data: "数据", "Data";
    settings_data_hint: "清除后无法恢复。", "What is cleared cannot be brought back.";
    reset_progress: "清除学习进度", "Clear progress";
    reset_notes: "清除全部笔记", "Clear all notes";
    reset_conversations: "清除全部对话", "Clear all conversations";
    reset_progress_ask: "清除每一课的进度和完成状态？", "Clear the progress and completion of every lesson?";
    reset_notes_ask: "清除每一课的笔记？", "Clear the notes of every lesson?";
    reset_conversations_ask: "清除与助手的全部对话？页面会重新加载。", "Clear every conversation with the assistant? The page reloads.";
    reset_confirm: "清除", "Clear";
    reset_done: "已清除。", "Cleared.";

    // Not found.
    not_found_title: "这里没有内容", "Nothing here";
    not_found_hint: "地址可能写错了，或者页面已经搬走。", "The address may be mistyped, or the page has moved.";
}

impl Language {
    /// The words in this language.
    #[must_use]
    pub fn words(self) -> &'static Words {
        match self {
            Self::ZhCn => &ZH_CN,
            Self::En => &EN,
        }
    }

    /// `第 3 课`.
    #[must_use]
    pub fn lesson_number(self, number: u32) -> String {
        match self {
            Self::ZhCn => format!("第 {number} 课"),
            Self::En => format!("Lesson {number}"),
        }
    }

    /// `第 3 课：前端工具`.
    #[must_use]
    pub fn lesson_heading(self, number: u32, title: &str) -> String {
        let colon = match self {
            Self::ZhCn => "：",
            Self::En => ": ",
        };
        [&self.lesson_number(number), colon, title].concat()
    }

    /// `3 分钟`: a length, rounded to whole minutes, at least one.
    #[must_use]
    pub fn minutes(self, seconds: f64) -> String {
        let minutes = (seconds / 60.0).round().max(1.0) as u64;
        match self {
            Self::ZhCn => format!("{minutes} 分钟"),
            Self::En => format!("{minutes} min"),
        }
    }
}

/// The words in the app's language.
///
/// # Panics
/// Outside of the app, which provides its [`Language`].
#[hook]
pub fn use_words() -> &'static Words {
    use_app_context().language.words()
}
