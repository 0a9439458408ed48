//! What the person says and stops: posted one after the other, in their order, and never repeated.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use super::output::Output;
use super::{AskId, AttemptId, Effect};
use crate::kit::backend::BackendError;
use crate::protocol::{Content, ContextItem, Event, EventBody, Timestamp};

/// How long a posting may go unanswered before it counts as lost.
const POST_LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug)]
enum Body {
    Message {
        /// By which the service's event is known as ours; the transcript's key, too.
        key: Rc<str>,
        text: String,
        page_context: Option<Vec<ContextItem>>,
    },
    Interrupt,
}

#[derive(Debug)]
struct Outgoing {
    ask: AskId,
    body: Body,
    posting: Option<(AttemptId, Timestamp)>,
}

/// What waits to be stored, oldest first. Only the first is ever being posted: a network may reorder two.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    queue: VecDeque<Outgoing>,
    /// Messages that came back as drafts, and how they were posted. The service may have them all the same.
    returned: Vec<(AskId, Rc<str>, AttemptId)>,
}

impl Outbox {
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Puts a message last.
    pub(super) fn message(
        &mut self,
        ask: AskId,
        text: String,
        page_context: Option<Vec<ContextItem>>,
        out: &mut Output,
    ) {
        let key: Rc<str> = ["local-", &out.random.next().to_string()].concat().into();
        out.transcript.sending(Rc::clone(&key), &text);
        self.queue.push_back(Outgoing {
            ask,
            body: Body::Message { key, text, page_context },
            posting: None,
        });
    }

    /// Puts an interrupt last: it is meant for what was said before it.
    pub(super) fn interrupt(&mut self, ask: AskId) {
        self.queue.push_back(Outgoing { ask, body: Body::Interrupt, posting: None });
    }

    /// Posts the first, unless that is under way.
    pub(super) fn post_next(&mut self, now: Timestamp, out: &mut Output) {
        let Some(first) = self.queue.front_mut().filter(|first| first.posting.is_none()) else { return };
        let attempt = out.attempt();
        first.posting = Some((attempt, now));
        let event = match &first.body {
            Body::Message { key, text, page_context } => EventBody::UserMessage {
                content: Content::of(text.as_str()),
                page_context: page_context.clone(),
                client_message_id: Some(key.as_ref().to_owned()),
            },
            Body::Interrupt => EventBody::Interrupt {},
        };
        out.push(Effect::Post(attempt, vec![event]));
    }

    /// A posting was answered. Of one that nobody waits for any more, only a yes is heard.
    pub(super) fn posted(
        &mut self,
        attempt: AttemptId,
        answer: Result<Vec<Event>, BackendError>,
        out: &mut Output,
    ) {
        let awaited = |first: &mut Outgoing| first.posting.is_some_and(|(posting, _)| posting == attempt);
        let Some(first) = self.queue.pop_front_if(awaited) else {
            if answer.is_ok() {
                self.drop_draft(|_, posting| posting == attempt, out);
            }
            return;
        };
        match answer {
            Ok(_) => {
                if let Body::Message { key, .. } = &first.body {
                    out.transcript.confirmed(key);
                }
                out.push(Effect::Answer(first.ask, Ok(())));
            }
            Err(error) => self.give_back(first, &error.to_string(), out),
        }
    }

    /// The log has a message of ours: it is stored, whatever its posting's answer was or will be.
    pub(super) fn stored(&mut self, client_message_id: &str, out: &mut Output) {
        let ours =
            |item: &Outgoing| matches!(&item.body, Body::Message { key, .. } if **key == *client_message_id);
        if let Some(sent) = self.queue.iter().position(ours).and_then(|at| self.queue.remove(at)) {
            out.push(Effect::Answer(sent.ask, Ok(())));
        }
        self.drop_draft(|key, _| key == client_message_id, out);
    }

    /// The service has a message after all that came back as a draft.
    fn drop_draft(&mut self, which: impl Fn(&str, AttemptId) -> bool, out: &mut Output) {
        for (ask, ..) in self.returned.extract_if(.., |(_, key, posting)| which(key, *posting)) {
            out.push(Effect::Draft(ask, None));
        }
    }

    /// Gives back all that is not under way.
    pub(super) fn give_back_waiting(&mut self, why: &str, out: &mut Output) {
        for item in std::mem::take(&mut self.queue) {
            if item.posting.is_some() {
                self.queue.push_back(item);
            } else {
                self.give_back(item, why, out);
            }
        }
    }

    fn give_back(&mut self, item: Outgoing, why: &str, out: &mut Output) {
        if let Body::Message { key, text, .. } = item.body {
            out.transcript.unsent(&key);
            out.push(Effect::Draft(item.ask, Some(text)));
            if let Some((attempt, _)) = item.posting {
                self.returned.push((item.ask, key, attempt));
            }
        }
        out.push(Effect::Answer(item.ask, Err(why.to_owned())));
    }

    /// Fires what is due.
    pub(super) fn due(&mut self, now: Timestamp, out: &mut Output) {
        let overdue =
            |first: &mut Outgoing| first.posting.is_some_and(|(_, since)| now >= since + POST_LIMIT);
        if let Some(first) = self.queue.pop_front_if(overdue) {
            self.give_back(first, super::words::SILENT, out);
        }
    }

    /// When [`Self::due`] has something to do.
    pub(super) fn next_deadline(&self) -> Option<Timestamp> {
        Some(self.queue.front()?.posting?.1 + POST_LIMIT)
    }
}
