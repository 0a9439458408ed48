//! Events that clients post: all of a batch are stored, or none.

use std::collections::BTreeMap;

use super::{Effect, Pending, Phase, RequestId, Session, TITLE_LENGTH, Turn};
use crate::protocol::{ApiError, Content, ErrorKind, Event, EventBody, EventId, IdleReason, MessageStop};
use crate::service::{api, words};

/// What is to be done with a posted event.
enum Verdict {
    Store,
    /// It is stored already: the record at this place.
    Stored(usize),
    /// It says what the event before it in the batch at this place says.
    Repeats(usize),
}

impl Session {
    pub(super) fn post(&mut self, request: RequestId, events: Vec<EventBody>) -> Vec<Effect> {
        let verdicts = match self.judge(&events) {
            Ok(verdicts) => verdicts,
            Err(error) => return vec![Effect::Reply { request, reply: Err(error) }],
        };
        let mut cancelled = None;
        let mut reply: Vec<Event> = Vec::with_capacity(events.len());
        for (event, verdict) in events.into_iter().zip(verdicts) {
            let place = match verdict {
                Verdict::Store => {
                    let place = self.records.len();
                    if matches!(event, EventBody::Interrupt {}) {
                        cancelled = self.interrupt().or(cancelled);
                    } else {
                        self.store(event);
                    }
                    Some(place)
                }
                Verdict::Stored(place) => Some(place),
                Verdict::Repeats(earlier) => {
                    reply.extend(reply.get(earlier).cloned());
                    None
                }
            };
            reply.extend(place.and_then(|place| self.records.get(place)).map(|record| record.event.clone()));
        }
        self.after_results();
        let reply = Effect::Reply { request, reply: Ok(reply) };
        [reply].into_iter().chain(cancelled.map(Effect::CancelModel)).collect()
    }

    /// Whether the batch may be stored; changes nothing.
    fn judge(&self, events: &[EventBody]) -> Result<Vec<Verdict>, ApiError> {
        // What earlier events of the batch answer: the text and whether it is an error, and the place in the batch.
        let mut answered: BTreeMap<&EventId, (String, bool, Option<usize>)> = BTreeMap::new();
        let mut verdicts = Vec::with_capacity(events.len());
        for (index, event) in events.iter().enumerate() {
            verdicts.push(match event {
                EventBody::UserMessage { .. } | EventBody::SystemMessage { .. } => Verdict::Store,
                EventBody::Interrupt {} => {
                    for Pending { call, .. } in self.pending() {
                        answered.entry(call).or_insert_with(|| (words::INTERRUPTED.to_owned(), true, None));
                    }
                    Verdict::Store
                }
                EventBody::CustomToolResult { custom_tool_use_id, content, is_error } => {
                    let Some((call, stored)) = self.calls.get_key_value(custom_tool_use_id) else {
                        let problem = format!("there is no call {:?}", custom_tool_use_id.as_str());
                        return Err(api::invalid(&format!("events[{index}].custom_tool_use_id"), &problem));
                    };
                    let conflict = || {
                        let problem =
                            format!("the call {call} has another result already; the first one counts");
                        Err(ApiError::new(ErrorKind::ConflictError, format!("events[{index}]: {problem}")))
                    };
                    let text = Content::text(content);
                    if let Some(place) = *stored {
                        match self.records.get(place).map(|record| &record.event.body) {
                            Some(EventBody::CustomToolResult { content, is_error: error, .. })
                                if Content::text(content) == text && error == is_error =>
                            {
                                Verdict::Stored(place)
                            }
                            _ => return conflict(),
                        }
                    } else if let Some((first, error, earlier)) = answered.get(call) {
                        match earlier {
                            Some(earlier) if *first == text && error == is_error => {
                                Verdict::Repeats(*earlier)
                            }
                            _ => return conflict(),
                        }
                    } else {
                        answered.insert(call, (text, *is_error, Some(index)));
                        Verdict::Store
                    }
                }
                _ => return Err(api::not_for_clients(index)),
            });
        }
        Ok(verdicts)
    }

    fn pending(&self) -> &[Pending] {
        match &self.turn {
            Some(Turn { phase: Phase::Waiting(waiting), .. }) => &waiting.pending,
            _ => &[],
        }
    }

    pub(super) fn no_longer_pending(&mut self, call: &EventId) {
        if let Some(Turn { phase: Phase::Waiting(waiting), .. }) = &mut self.turn {
            waiting.pending.retain(|pending| pending.call != *call);
        }
    }

    fn store(&mut self, event: EventBody) {
        match &event {
            EventBody::UserMessage { content, .. } => {
                if self.description.title.is_none() {
                    self.description.title = Some(title(&Content::text(content)));
                }
                let message = self.push(event, None);
                self.waiting.push_back(message);
                if self.turn.is_none() {
                    self.begin_next_turn();
                }
            }
            EventBody::CustomToolResult { custom_tool_use_id: call, .. } => {
                self.calls.insert(call.clone(), Some(self.records.len()));
                self.no_longer_pending(call);
                self.push(event, None);
                if self.pending().is_empty() {
                    self.after_results();
                }
            }
            _ => {
                self.push(event, None);
            }
        }
    }

    /// Ends the turn that runs, if one does; says which model run to stop.
    fn interrupt(&mut self) -> Option<super::RunNumber> {
        self.push(EventBody::Interrupt {}, None);
        self.end_calls([words::INTERRUPTED; 2], |_| true);
        let Turn { phase, .. } = self.turn.take()?;
        let mut cancelled = None;
        if let Phase::Asked(response) = phase {
            cancelled = Some(response.run);
            self.push_message(response, Some(MessageStop::Interrupted));
        }
        self.end_turn(IdleReason::EndTurn);
        cancelled
    }
}

/// The first characters of a message, on one line.
fn title(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(TITLE_LENGTH).collect()
}
