//! The agent's tools as data (K1). What the tutor understands is a file of the site, which only the demo reads.

use std::rc::Rc;

use serde_json::Value;

use crate::protocol::ToolDeclaration;
use crate::tools::FrontendTool;

const TOOLS: &str = include_str!("tools.json");

thread_local! {
    static DECLARED: (Rc<[ToolDeclaration]>, Vec<FrontendTool>) = {
        let tools: Value = serde_json::from_str(TOOLS).unwrap_or_default();
        let tools = tools.as_array().and_then(|tools| ToolDeclaration::list_from_json(tools, &[]).ok());
        let tools = tools.unwrap_or_default();
        let frontend = tools.iter().map(FrontendTool::from_declaration).collect();
        (tools.into(), frontend)
    };
}

/// The app's own tools, which the agent may call beside the page's. Empty only where the file is broken, which a test rules out.
#[must_use]
pub fn tools() -> Rc<[ToolDeclaration]> {
    DECLARED.with(|(tools, _)| tools.clone())
}

/// The tool of this name, to register a handler for it; its category and risk are said where that is done.
#[must_use]
pub fn declared(name: &'static str) -> FrontendTool {
    let found = DECLARED.with(|(_, tools)| tools.iter().find(|tool| tool.name() == name).cloned());
    // A tool that is not declared has no description, so registering it is refused and logged (K1).
    found.unwrap_or_else(|| FrontendTool::from_schema(name, Value::Null))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::app::course::Course;
    use crate::app::language::Language;
    use crate::app::player::PlayerError;
    use crate::protocol::TutorScript;
    use crate::protocol::tutor_script::Pattern;
    use crate::tools::page::page_tool_declarations;

    fn script() -> TutorScript {
        serde_json::from_str(include_str!("../../../static/tutor_script.json"))
            .expect("tutor_script.json is right")
    }

    const E17: &str = "帮我把表单里的用户名填成\"张三\"，然后查询表格中状态为\"待审核\"的记录";

    #[test]
    fn k1_every_tool_is_declared_as_it_should_be() {
        let listed: Vec<serde_json::Value> = serde_json::from_str(TOOLS).expect("tools.json is JSON");
        let tools = ToolDeclaration::list_from_json(&listed, &[]).expect("tools.json is right");
        for tool in &tools {
            assert!(tool.input_schema.contains_key("properties"), "{}", tool.name);
            assert!(
                tool.description.contains('时') || tool.description.contains("when"),
                "{} says when to call it",
                tool.name
            );
        }
    }

    #[test]
    fn the_script_is_right_and_calls_only_tools_that_there_are() {
        let script = script();
        let (tools, of_page) = (tools(), page_tool_declarations());
        let declared: BTreeSet<&str> = tools.iter().chain(&of_page).map(|tool| tool.name.as_str()).collect();
        for intent in &script.intents {
            for call in &intent.calls {
                assert!(declared.contains(call.tool.as_str()), "{}", call.tool);
            }
        }
    }

    #[test]
    fn the_script_says_the_apps_errors_in_words_for_people() {
        let script = script();
        let course = Course::from_json(include_str!("../../../static/lessons/lessons.json"))
            .expect("lessons.json is right");
        let errors = [
            PlayerError::NoVideo.to_string(),
            PlayerError::NotAllowed.to_string(),
            PlayerError::NoCaptions("en").to_string(),
            PlayerError::NoChapter { asked: 9, count: 3 }.to_string(),
            PlayerError::Failed("?".to_owned()).to_string(),
            course.no_lesson(9),
            super::super::page_tools::NO_SUCH_PAGE.to_owned(),
        ];
        for error in errors {
            assert!(script.errors.iter().any(|known| error.contains(&known.error)), "{error}");
        }
    }

    #[test]
    fn questions_lead_to_the_calls_they_mean() {
        let script = script();
        let calls = |question: &str| {
            let fits = |pattern: &Pattern| pattern.captures(question).is_some();
            let intent = script.intents.iter().find(|intent| intent.patterns.iter().any(fits));
            intent.map(|intent| intent.calls.iter().map(|call| call.tool.as_str()).collect::<Vec<_>>())
        };
        let cases: &[(&str, &[&str])] = &[
            ("我看到哪了？", &["read_playback_progress"]),
            ("我现在看到哪里了", &["read_playback_progress"]),
            ("Where am I?", &["read_playback_progress"]),
            ("还剩多久", &["read_playback_progress"]),
            ("跳到1:30", &["seek_to"]),
            ("跳到第 2 章", &["seek_to"]),
            ("跳到第二章", &["seek_to"]),
            ("Jump to chapter 2", &["seek_to"]),
            ("Please go to 1:30!", &["seek_to"]),
            ("跳到 99:00", &["seek_to"]),
            ("从头播放", &["seek_to"]),
            ("现在是第几课？", &[]),
            ("Which lesson is this?", &[]),
            ("打开第3课", &["open_lesson"]),
            ("open lesson 3", &["open_lesson"]),
            ("这里在讲什么？", &["read_transcript"]),
            ("What is this part about?", &["read_transcript"]),
            ("暂停，并把这里记下来", &["pause", "add_note"]),
            ("Pause and take a note here", &["pause", "add_note"]),
            ("记笔记：描述要写清楚何时用", &["add_note"]),
            ("记下这里", &["add_note"]),
            ("note that names are unique", &["add_note"]),
            ("暂停", &["pause"]),
            ("继续播放", &["play"]),
            (E17, &["navigate_to", "fill_form_field", "query_data", "query_data"]),
            (
                "Set the user name in the form to \"Zhang San\", then list the table rows whose status is \"Pending review\"",
                &["navigate_to", "fill_form_field", "query_data", "query_data"],
            ),
            ("把用户名改成李四", &["navigate_to", "fill_form_field"]),
            ("有哪些待审核的记录？", &["navigate_to", "query_data", "query_data"]),
            ("打开记录页", &["navigate_to"]),
            ("go to my profile", &["navigate_to"]),
            ("滚动到顶部", &["scroll_to"]),
            ("读取设置", &["read_storage"]),
            ("打开设置", &["navigate_to"]),
            ("关掉字幕", &["set_captions"]),
            ("换成英文字幕", &["set_captions"]),
            ("turn on the captions", &["set_captions"]),
            ("下一课", &["next_lesson"]),
            ("go to the previous lesson", &["previous_lesson"]),
            ("1.5倍速", &["set_playback_speed"]),
            ("set the speed to 2", &["set_playback_speed"]),
            ("有哪些章节？", &["list_chapters"]),
            ("有哪些课？", &["list_lessons"]),
            ("什么是前端工具？", &[]),
            ("What is a client tool?", &[]),
            ("页面上下文有什么限制？", &[]),
            ("What are the limits of page context?", &[]),
            ("超时了会怎样", &[]),
            ("在两个标签页打开会怎样？", &[]),
        ];
        for (question, expected) in cases {
            assert_eq!(calls(question).as_deref(), Some(*expected), "{question}");
        }
        assert_eq!(calls("今天天气怎么样"), None);
        for words in Language::ALL.map(Language::words) {
            for prompt in [
                words.prompt_where,
                words.prompt_here,
                words.prompt_seek,
                words.prompt_several,
                words.prompt_subject,
                words.prompt_open,
                words.prompt_form,
            ] {
                assert!(calls(prompt).is_some(), "{prompt}");
            }
        }
    }
}
