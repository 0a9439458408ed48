//! The course as data: what `lessons/lessons.json` says.
//!
//! It must not know the learner, nor how anything is shown.

use std::rc::Rc;

use serde_json::Value;

use super::in_order::in_order;
use super::language::Language;
use crate::protocol::json_place::{Place, PlaceError};

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Localized {
    zh_cn: Rc<str>,
    en: Rc<str>,
}

impl Localized {
    fn read(texts: &Place<'_>) -> Result<Self, PlaceError> {
        Ok(Self { zh_cn: texts.member("zh-CN").text()?.into(), en: texts.member("en").text()?.into() })
    }

    /// The text in `language`.
    #[must_use]
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::ZhCn => &self.zh_cn,
            Language::En => &self.en,
        }
    }
}

/// A part of a lesson that has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    /// Seconds from the start of the lesson.
    pub start: f64,
    /// Its name.
    pub title: Localized,
}

impl Chapter {
    fn read(chapter: &Place<'_>) -> Result<Self, PlaceError> {
        Ok(Self {
            start: chapter.member("start").number()?,
            title: Localized::read(&chapter.member("title"))?,
        })
    }
}

/// One lesson. Addresses are relative to the site's base.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Its number, from 1 on: what `/lessons/:number` names.
    pub number: u32,
    /// Its title.
    pub title: Localized,
    /// One or two sentences on what it teaches.
    pub summary: Localized,
    /// How long the video is, as the course's index says it: what is known before the video's own metadata.
    pub duration_seconds: f64,
    /// The video's address.
    pub video: String,
    /// The address of a picture.
    pub poster: String,
    /// The addresses of the captions (WebVTT).
    pub captions: Localized,
    /// Its chapters, in order.
    pub chapters: Vec<Chapter>,
}

impl Lesson {
    fn read(lesson: &Place<'_>) -> Result<Self, PlaceError> {
        let text = |name| lesson.member(name).text().map(str::to_owned);
        let localized = |name| Localized::read(&lesson.member(name));
        let chapters = match lesson.member("chapters") {
            Place { value: None, .. } => Vec::new(),
            chapters => chapters.elements()?.iter().map(Chapter::read).collect::<Result<_, _>>()?,
        };
        Ok(Self {
            number: lesson.member("number").count_u32()?,
            title: localized("title")?,
            summary: localized("summary")?,
            duration_seconds: lesson.member("durationSeconds").number()?,
            video: text("video")?,
            poster: text("poster")?,
            captions: localized("captions")?,
            chapters,
        })
    }

    /// The chapter that `position` (seconds) lies in.
    #[must_use]
    pub fn chapter_at(&self, position: f64) -> Option<usize> {
        self.chapters.partition_point(|chapter| chapter.start <= position).checked_sub(1)
    }

    /// Where a chapter ends, in seconds.
    #[must_use]
    pub fn chapter_end(&self, index: usize) -> f64 {
        self.chapters.get(index + 1).map_or(self.duration_seconds, |next| next.start)
    }
}

/// Why the course's index cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CourseError {
    /// Not the JSON that was expected.
    #[error("lessons.json: {0}")]
    Shape(String),
    /// No lesson in it.
    #[error("lessons.json lists no lesson")]
    Empty,
    /// Two lessons with one number.
    #[error("lessons.json has two lessons with the number {0}")]
    NumberTwice(u32),
    /// A length that is no length.
    #[error("lesson {0}: durationSeconds must be greater than 0")]
    Duration(u32),
}

/// All lessons, in order of their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    lessons: Rc<[Rc<Lesson>]>,
}

impl Course {
    /// Reads the course's index.
    ///
    /// # Errors
    /// [`CourseError`], which says what is wrong.
    pub fn from_json(text: &str) -> Result<Self, CourseError> {
        let json: Value =
            serde_json::from_str(text).map_err(|error| CourseError::Shape(error.to_string()))?;
        let lessons = Place::root("lessons", &json).elements();
        let lessons = lessons.and_then(|lessons| lessons.iter().map(Lesson::read).collect());
        let lessons: Vec<Lesson> =
            lessons.map_err(|error: PlaceError| CourseError::Shape(error.to_string()))?;
        let mut lessons = in_order(lessons, |lesson| f64::from(lesson.number));
        if lessons.is_empty() {
            return Err(CourseError::Empty);
        }
        if let Some(pair) = lessons.windows(2).find(|pair| pair[0].number == pair[1].number) {
            return Err(CourseError::NumberTwice(pair[0].number));
        }
        if let Some(lesson) = lessons.iter().find(|lesson| lesson.duration_seconds <= 0.0) {
            return Err(CourseError::Duration(lesson.number));
        }
        for lesson in &mut lessons {
            lesson.chapters = in_order(std::mem::take(&mut lesson.chapters), |chapter| chapter.start);
        }
        Ok(Self { lessons: lessons.into_iter().map(Rc::new).collect() })
    }

    /// The lessons, in order.
    #[must_use]
    pub fn lessons(&self) -> &[Rc<Lesson>] {
        &self.lessons
    }

    /// The lesson with this number.
    #[must_use]
    pub fn lesson(&self, number: u32) -> Option<&Rc<Lesson>> {
        self.lessons.iter().find(|lesson| lesson.number == number)
    }

    /// Why the agent cannot have the lesson with this number.
    #[must_use]
    pub fn no_lesson(&self, number: u32) -> String {
        let numbers: Vec<String> = self.lessons.iter().map(|lesson| lesson.number.to_string()).collect();
        ["there is no lesson ", &number.to_string(), "; there are ", &numbers.join(", ")].concat()
    }

    /// The lesson before the one with this number.
    #[must_use]
    pub fn previous(&self, number: u32) -> Option<&Rc<Lesson>> {
        self.lessons.iter().rev().find(|lesson| lesson.number < number)
    }

    /// The lesson after the one with this number.
    #[must_use]
    pub fn next(&self, number: u32) -> Option<&Rc<Lesson>> {
        self.lessons.iter().find(|lesson| lesson.number > number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(number: u32, chapters: &str) -> String {
        format!(
            r#"{{"number":{number},"title":{{"zh-CN":"题","en":"Title"}},"summary":{{"zh-CN":"要","en":"Sum"}},
            "durationSeconds":90.5,"video":"v.mp4","poster":"p.webp","captions":{{"zh-CN":"z.vtt","en":"e.vtt"}},
            "chapters":{chapters},"somethingNew":1}}"#
        )
    }

    #[test]
    fn lessons_are_in_order_with_neighbours_even_where_numbers_are_missing() {
        let course =
            Course::from_json(&format!("[{},{},{}]", lesson(7, "[]"), lesson(1, "[]"), lesson(3, "[]")));
        let course = course.expect("a valid course");
        let numbers: Vec<u32> = course.lessons().iter().map(|lesson| lesson.number).collect();
        assert_eq!(numbers, [1, 3, 7]);
        assert_eq!(course.next(3).map(|lesson| lesson.number), Some(7));
        assert_eq!(course.previous(3).map(|lesson| lesson.number), Some(1));
        assert_eq!(course.next(7), None);
        assert_eq!(course.previous(1), None);
    }

    #[test]
    fn a_position_lies_in_the_last_chapter_that_has_begun() {
        let chapters = r#"[{"start":40,"title":{"zh-CN":"二","en":"Two"}},{"start":5,"title":{"zh-CN":"一","en":"One"}}]"#;
        let course = Course::from_json(&format!("[{}]", lesson(1, chapters))).expect("a valid course");
        let lesson = &course.lessons()[0];
        assert_eq!(lesson.chapter_at(4.9), None);
        assert_eq!(lesson.chapter_at(5.0), Some(0));
        assert_eq!(lesson.chapter_at(39.9), Some(0));
        assert_eq!(lesson.chapter_at(1000.0), Some(1));
        assert_eq!(lesson.chapter_end(0), 40.0);
        assert_eq!(lesson.chapter_end(1), 90.5);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(Course::from_json("[]"), Err(CourseError::Empty));
        let twice = Course::from_json(&format!("[{},{}]", lesson(2, "[]"), lesson(2, "[]")));
        assert_eq!(twice, Err(CourseError::NumberTwice(2)));
        let page = Course::from_json("<!doctype html>").expect_err("a page is no course");
        assert!(page.to_string().starts_with("lessons.json: expected value"));
        let no_length = lesson(4, "[]").replace("90.5", "0");
        assert_eq!(Course::from_json(&format!("[{no_length}]")), Err(CourseError::Duration(4)));
    }
}
