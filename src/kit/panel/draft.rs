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

/// The composer's text and the drafts that came back.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    text: String,
    newest: Option<u64>,
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

    /// Takes the text to send it; `None` when it is blank. Sending a draft that came back ends its error.
    pub fn take(&mut self) -> Option<String> {
        if self.is_blank() {
            return None;
        }
        if let Some((serial, _)) = self.restored.take() {
            self.returned.retain(|returned| returned.serial != serial);
        }
        Some(std::mem::take(&mut self.text).trim().to_owned())
    }

    /// Takes in what the conversation says about drafts. Each is taken in once, however often it is shown.
    pub fn receive(&mut self, draft: Option<&Draft>) {
        let Some(Draft { serial, text, error }) = draft else {
            return;
        };
        let Some(text) = text else {
            return self.drop_again(*serial);
        };
        if self.newest.is_some_and(|newest| newest >= *serial) {
            return;
        }
        self.newest = Some(*serial);
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
        self.newest = self.newest.max(Some(serial));
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

    /// The person has read the error, and does not want the text.
    pub fn dismiss(&mut self, serial: u64) {
        self.returned.retain(|returned| returned.serial != serial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(serial: u64, text: &str) -> Option<Draft> {
        Some(Draft { serial, text: Some(text.into()), error: "offline".into() })
    }

    fn arrived(serial: u64) -> Option<Draft> {
        Some(Draft { serial, text: None, error: "".into() })
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
        assert_eq!(drafts.take().as_deref(), Some("hello"));
        assert_eq!(drafts.text(), "");
        drafts.receive(failed(1, "hello").as_ref());
        assert_eq!(drafts.text(), "hello");
        assert_eq!(drafts.returned().len(), 1);
        drafts.typed(String::new());
        drafts.receive(failed(1, "hello").as_ref());
        assert_eq!(drafts.text(), "", "the person deleted it");
    }

    #[test]
    fn a_failed_text_never_overwrites_what_was_typed_meanwhile() {
        let mut drafts = typed("next");
        drafts.receive(failed(1, "first").as_ref());
        drafts.receive(failed(2, "second").as_ref());
        assert_eq!(drafts.text(), "next");
        assert_eq!(drafts.returned().len(), 2);
        drafts.restore(1);
        assert_eq!(drafts.text(), "first\nnext");
        drafts.dismiss(2);
        assert_eq!(drafts.returned().len(), 1, "the first still says why");
    }

    #[test]
    fn a_draft_goes_away_again_when_its_message_arrived_after_all() {
        let mut untouched = Drafts::default();
        untouched.receive(failed(1, "hello").as_ref());
        untouched.receive(arrived(1).as_ref());
        assert_eq!((untouched.text(), untouched.returned().len()), ("", 0));

        let mut changed = Drafts::default();
        changed.receive(failed(1, "hello").as_ref());
        changed.typed("hello, and more".to_owned());
        changed.receive(arrived(1).as_ref());
        assert_eq!((changed.text(), changed.returned().len()), ("hello, and more", 0));

        let mut offered = typed("next");
        offered.receive(failed(1, "hello").as_ref());
        offered.receive(arrived(1).as_ref());
        assert_eq!((offered.text(), offered.returned().len()), ("next", 0));
    }

    #[test]
    fn sending_again_ends_the_error() {
        let mut drafts = Drafts::default();
        drafts.receive(failed(1, "hello").as_ref());
        drafts.typed("hello!".to_owned());
        assert_eq!(drafts.take().as_deref(), Some("hello!"));
        assert!(drafts.returned().is_empty());
    }
}
