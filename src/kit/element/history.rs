//! The list of the person's conversations, as far as it has been read.

use std::rc::Rc;

use crate::kit::backend::BackendError;
use crate::kit::panel::History;
use crate::protocol::{SessionId, SessionPage};

/// What was read, and where to go on.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    shown: Rc<History>,
    next_page: Option<String>,
}

impl Sessions {
    /// What the panel shows.
    pub fn shown(&self) -> Rc<History> {
        self.shown.clone()
    }

    /// Begins to read; `more`: the next page, else from the start. `None`: a page is being read already.
    pub fn begin(&mut self, more: bool) -> Option<Option<String>> {
        if self.shown.loading {
            return None;
        }
        let shown = Rc::make_mut(&mut self.shown);
        (shown.loading, shown.error) = (true, None);
        Some(self.next_page.clone().filter(|_| more))
    }

    /// A page was read, or could not be; `more` as it was at the beginning.
    pub fn end(&mut self, more: bool, page: Result<SessionPage, BackendError>) {
        let shown = Rc::make_mut(&mut self.shown);
        shown.loading = false;
        match page {
            Ok(page) => {
                let mut sessions = if more { shown.sessions.take().unwrap_or_default() } else { Vec::new() };
                // What was made or used meanwhile may have moved to an earlier page and come twice.
                sessions.retain(|old| page.data.iter().all(|new| new.id != old.id));
                sessions.extend(page.data);
                shown.sessions = Some(sessions);
                shown.more = page.next_page.is_some();
                self.next_page = page.next_page;
            }
            Err(error) => shown.error = Some(error.to_string()),
        }
    }

    /// A session was deleted, or could not be.
    pub fn deleted(&mut self, session: &SessionId, outcome: &Result<(), BackendError>) {
        let shown = Rc::make_mut(&mut self.shown);
        match outcome {
            Ok(()) => {
                if let Some(sessions) = &mut shown.sessions {
                    sessions.retain(|other| other.id != *session);
                }
            }
            Err(error) => shown.error = Some(error.to_string()),
        }
    }
}
