//! Faults that a conversation, a page or a service could have: each bends what goes in or comes out of the real
//! machine, which itself knows nothing of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use praxis::kit::backend::StreamItem;
use praxis::kit::conversation::{AttemptId, Conversation, Effect, Input, Notice, ToolCall};
use praxis::kit::transcript::{Connection, Entry, EntryKind, Transcript};
use praxis::protocol::{ContextItem, Event, EventBody, EventId, Timestamp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Showing a conversation again runs the calls whose handlers run already.
    NoClaim,
    /// A result that was not posted runs its handler again.
    HandlerRetried,
    /// The service stores a result for a call that has one.
    LateResultTaken,
    /// Results are posted to the session that is shown.
    ResultToShownSession,
    /// Results in the history are overlooked.
    HistoryResultsIgnored,
    /// The first page of the history is taken for the last.
    RunsBeforeLastPage,
    /// `end` comes when the handler ends.
    EndBeforeAcceptance,
    /// A message whose posting failed is posted again.
    MessageRepeated,
    /// An event that was seen before is taken for a new one.
    NoDeduplication,
    /// Half a message stays when its connection breaks.
    PreviewsKept,
    /// Nobody counts how long a live stream has been silent.
    SilenceUnnoticed,
    /// A message carries the page context of the one before.
    StaleContext,
    /// The draft of a message that failed does not come back.
    DraftLost,
}

/// A conversation that has a fault, or none.
pub struct Faulty {
    pub machine: Conversation,
    fault: Option<Fault>,
    posts: BTreeMap<AttemptId, Vec<EventBody>>,
    running: BTreeMap<EventId, ToolCall>,
    seen: BTreeSet<EventId>,
    stream: Option<AttemptId>,
    /// Attempts of our own count from here.
    attempts: u64,
    context: Option<Vec<ContextItem>>,
    kept: Vec<Rc<Entry>>,
}

impl Faulty {
    pub fn new(machine: Conversation, fault: Option<Fault>) -> Self {
        Self {
            machine,
            fault,
            posts: BTreeMap::new(),
            running: BTreeMap::new(),
            seen: BTreeSet::new(),
            stream: None,
            attempts: u64::MAX / 2,
            context: None,
            kept: Vec::new(),
        }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    pub fn transcript(&self) -> Rc<Transcript> {
        let mut transcript = self.machine.transcript();
        if !self.kept.is_empty() {
            Rc::make_mut(&mut transcript).entries.extend(self.kept.iter().cloned());
        }
        transcript
    }

    pub fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        let before = self.before(&input);
        let mut effects = Vec::new();
        for input in self.bend(input) {
            effects.extend(self.machine.handle(now, input));
        }
        effects.extend(before);
        for effect in &effects {
            match effect {
                Effect::Post(attempt, events) => drop(self.posts.insert(*attempt, events.clone())),
                Effect::RunHandler(call) => drop(self.running.insert(call.id.clone(), call.clone())),
                Effect::OpenStream(stream) => self.stream = Some(*stream),
                _ => {}
            }
        }
        let live = self.machine.transcript().connection == Connection::Open;
        effects.retain(|effect| match effect {
            Effect::WakeAt(_) => !(live && self.has(Fault::SilenceUnnoticed)),
            Effect::Draft(_, Some(_)) => !self.has(Fault::DraftLost),
            _ => true,
        });
        effects
    }

    fn attempt(&mut self) -> AttemptId {
        self.attempts += 1;
        AttemptId(self.attempts)
    }

    /// What a fault adds.
    fn before(&mut self, input: &Input) -> Vec<Effect> {
        match input {
            Input::Attach if self.has(Fault::NoClaim) => {
                self.running.values().cloned().map(Effect::RunHandler).collect()
            }
            Input::HandlerEnded { call, outcome } => {
                let (id, is_error) = (call.clone(), outcome.is_error);
                let ended = match self.fault {
                    Some(Fault::HandlerRetried) => None,
                    _ => self.running.remove(call),
                };
                match ended {
                    Some(call) if self.has(Fault::EndBeforeAcceptance) => {
                        vec![Effect::Tell(Notice::ToolEnd { id, name: call.name, is_error })]
                    }
                    _ => Vec::new(),
                }
            }
            Input::Posted(attempt, Err(_)) => match self.posts.remove(attempt).as_deref() {
                Some([EventBody::CustomToolResult { custom_tool_use_id, .. }])
                    if self.has(Fault::HandlerRetried) =>
                {
                    self.running
                        .get(custom_tool_use_id)
                        .cloned()
                        .map(Effect::RunHandler)
                        .into_iter()
                        .collect()
                }
                Some([message @ EventBody::UserMessage { .. }]) if self.has(Fault::MessageRepeated) => {
                    vec![Effect::Post(self.attempt(), vec![message.clone()])]
                }
                _ => Vec::new(),
            },
            Input::HistoryRead(_, Ok(page)) if self.has(Fault::RunsBeforeLastPage) => {
                let next = page.next_page.clone();
                next.map(|next| Effect::ReadHistory(self.attempt(), Some(next))).into_iter().collect()
            }
            Input::StreamEnded(..) if self.has(Fault::PreviewsKept) => {
                let transcript = self.machine.transcript();
                let half =
                    |entry: &&Rc<Entry>| matches!(entry.kind, EntryKind::Agent { streaming: true, .. });
                self.kept.extend(transcript.entries.iter().filter(half).cloned());
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// What a fault makes of an input.
    fn bend(&mut self, mut input: Input) -> Vec<Input> {
        match &mut input {
            Input::HistoryRead(_, Ok(page)) if self.has(Fault::HistoryResultsIgnored) => {
                page.data.retain(|event| !matches!(event.body, EventBody::CustomToolResult { .. }));
            }
            Input::HistoryRead(attempt, Ok(page)) if self.has(Fault::RunsBeforeLastPage) => {
                page.next_page = None;
                if attempt.0 > u64::MAX / 2 {
                    let Some(stream) = self.stream else { return Vec::new() };
                    let late = page.data.drain(..).map(StreamItem::Event);
                    return late.map(|item| Input::StreamItem(stream, item)).collect();
                }
            }
            Input::HistoryRead(_, Ok(page)) if self.has(Fault::NoDeduplication) => {
                page.data.iter_mut().for_each(|event| self.take_for_new(event));
            }
            Input::StreamItem(_, StreamItem::Event(event)) if self.has(Fault::NoDeduplication) => {
                self.take_for_new(event);
            }
            Input::Send { page_context, .. } if self.has(Fault::StaleContext) => {
                std::mem::swap(page_context, &mut self.context);
            }
            _ => {}
        }
        vec![input]
    }

    fn take_for_new(&mut self, event: &mut Event) {
        if !self.seen.insert(event.id.clone()) && !matches!(event.body, EventBody::CustomToolUse { .. }) {
            self.attempts += 1;
            event.id = format!("{}_{}", event.id, self.attempts).into();
        }
    }
}
