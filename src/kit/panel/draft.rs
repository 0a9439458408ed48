//! What stands in the composer, and the texts that could not be sent and want to come back.
//!
//! A state machine without I/O: it must not know text fields. Its rule: **nothing that the person typed is ever
//! overwritten or lost.**

use std::rc::Rc;

use super::Draft;

/// A text that could not be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// Which draft it was.
    pub serial: u64,
    /// The text, while the person may still take it back.
    pub text: Option<Rc<str>>,
    /// Why it could not be sent.
    pub error: Rc<str>,
}

/// What is sent, and the drafts that this settles.
#[derive(Debug, PartialEq, Eq)]
pub struct Taken {
    /// The text.
    pub text: String,
    /// The drafts that had come back into it.
    pub settled: Vec<u64>,
}

/// The composer's text and the drafts that came back.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    text: String,
    /// The drafts that were taken in.
    known: Vec<u64>,
    /// The draft that `text` holds, untouched.
    restored: Option<(u64, Rc<str>)>,
    returned: Vec<Returned>,
}

impl Drafts {
    /// The text that stands in the composer.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is nothing to send.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The drafts that came back, oldest first.
    #[must_use]
    pub fn returned(&self) -> &[Returned] {
        &self.returned
    }

    /// The person changed the text.
    pub fn typed(&mut self, text: String) {
        self.text = text;
    }

    /// Takes the text to send it; `None` when it is blank. Sending drafts that came back ends their errors.
    pub fn take(&mut self) -> Option<Taken> {
        if self.is_blank() {
            return None;
        }
        self.restored = None;
        let in_the_text = |returned: &Returned| returned.text.is_none();
        let settled =
            self.returned.iter().filter(|returned| in_the_text(returned)).map(|returned| returned.serial);
        let settled = settled.collect();
        self.returned.retain(|returned| !in_the_text(returned));
        Some(Taken { text: std::mem::take(&mut self.text).trim().to_owned(), settled })
    }

    /// Takes in the drafts as they are now: each new one once; one that is gone arrived after all.
    pub fn receive(&mut self, drafts: &[Draft]) {
        let is_gone = |serial: &u64| drafts.iter().all(|draft| draft.serial != *serial);
        for serial in self.known.extract_if(.., |serial| is_gone(serial)).collect::<Vec<_>>() {
            self.drop_again(serial);
        }
        for draft in drafts {
            if !self.known.contains(&draft.serial) {
                self.known.push(draft.serial);
                self.come_back(draft);
            }
        }
    }

    fn come_back(&mut self, Draft { serial, text, error }: &Draft) {
        let restore = self.is_blank();
        if restore {
            text.as_ref().clone_into(&mut self.text);
            self.restored = Some((*serial, text.clone()));
        }
        self.returned.push(Returned {
            serial: *serial,
            text: (!restore).then(|| text.clone()),
            error: error.clone(),
        });
    }

    /// The message arrived after all: its draft goes away, unless the person has changed it since.
    fn drop_again(&mut self, serial: u64) {
        self.returned.retain(|returned| returned.serial != serial);
        if let Some((_, text)) = self.restored.take_if(|(restored, _)| *restored == serial)
            && *self.text == *text
        {
            self.text.clear();
        }
    }

    /// Puts an offered draft before what stands in the composer.
    pub fn restore(&mut self, serial: u64) {
        let Some(returned) = self.returned.iter_mut().find(|returned| returned.serial == serial) else {
            return;
        };
        let Some(text) = returned.text.take() else {
            return;
        };
        if self.is_blank() {
            text.as_ref().clone_into(&mut self.text);
            self.restored = Some((serial, text));
        } else {
            self.text = [&*text, "\n", &self.text].concat();
        }
    }

    /// The person has read the error. What they have of the text stays.
    pub fn dismiss(&mut self, serial: u64) {
        self.returned.retain(|returned| returned.serial != serial);
        self.restored.take_if(|(restored, _)| *restored == serial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(serial: u64, text: &str) -> Draft {
        Draft { serial, text: text.into(), error: "offline".into() }
    }

    fn typed(text: &str) -> Drafts {
        let mut drafts = Drafts::default();
        drafts.typed(text.to_owned());
        drafts
    }

    #[test]
    fn blank_text_is_not_sent() {
        let mut drafts = typed(" \n\u{3000}");
        assert_eq!(drafts.take(), None);
        assert_eq!(drafts.text(), " \n\u{3000}");
    }

    #[test]
    fn a_failed_text_comes_back_once() {
        let mut drafts = typed("hello");
        assert_eq!(drafts.take(), Some(Taken { text: "hello".to_owned(), settled: vec![] }));
        assert_eq!(drafts.text(), "");
        drafts.receive(&[failed(1, "hello")]);
        assert_eq!(drafts.text(), "hello");
        assert_eq!(drafts.returned().len(), 1);
        drafts.typed(String::new());
        drafts.receive(&[failed(1, "hello")]);
        assert_eq!(drafts.text(), "", "the person deleted it");
    }

    #[test]
    fn failed_texts_never_overwrite_what_was_typed_meanwhile() {
        let mut drafts = typed("next");
        drafts.receive(&[failed(2, "second"), failed(1, "first")]);
        assert_eq!(drafts.text(), "next");
        assert_eq!(drafts.returned().len(), 2);
        drafts.restore(1);
        assert_eq!(drafts.text(), "first\nnext");
        drafts.dismiss(2);
        assert_eq!(drafts.returned().len(), 1, "the first still says why");
        assert_eq!(drafts.take(), Some(Taken { text: "first\nnext".to_owned(), settled: vec![1] }));
        assert!(drafts.returned().is_empty());
    }

    #[test]
    fn of_two_that_fail_at_once_none_is_lost() {
        let mut drafts = Drafts::default();
        drafts.receive(&[failed(1, "first"), failed(2, "second")]);
        assert_eq!(drafts.text(), "first");
        assert_eq!(drafts.returned().last().and_then(|returned| returned.text.as_deref()), Some("second"));
    }

    #[test]
    fn a_draft_goes_away_again_when_its_message_arrived_after_all() {
        let mut untouched = Drafts::default();
        untouched.receive(&[failed(1, "hello")]);
        untouched.receive(&[]);
        assert_eq!((untouched.text(), untouched.returned().len()), ("", 0));

        let mut changed = Drafts::default();
        changed.receive(&[failed(1, "hello")]);
        changed.typed("hello, and more".to_owned());
        changed.receive(&[]);
        assert_eq!((changed.text(), changed.returned().len()), ("hello, and more", 0));

        let mut offered = typed("next");
        offered.receive(&[failed(1, "hello"), failed(2, "again")]);
        offered.receive(&[failed(2, "again")]);
        assert_eq!((offered.text(), offered.returned().len()), ("next", 1));
    }

    #[test]
    fn dismissing_the_error_keeps_the_text() {
        let mut drafts = Drafts::default();
        drafts.receive(&[failed(1, "hello")]);
        drafts.dismiss(1);
        drafts.receive(&[]);
        assert_eq!(drafts.text(), "hello");
    }

    #[test]
    fn sending_again_ends_the_error() {
        let mut drafts = Drafts::default();
        drafts.receive(&[failed(1, "hello")]);
        drafts.typed("hello!".to_owned());
        assert_eq!(drafts.take(), Some(Taken { text: "hello!".to_owned(), settled: vec![1] }));
        assert!(drafts.returned().is_empty());
    }
}
