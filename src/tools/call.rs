//! One call of a tool, as its handler sees it.

use std::cell::Cell;
use std::rc::Rc;

use futures_channel::oneshot;
use gloo::events::EventListener;
use web_sys::AbortSignal;

/// What a handler learns about the call beside its input.
#[derive(Clone, Debug)]
pub struct ToolCall {
    serial: u32,
    id: Rc<str>,
    name: Rc<str>,
    signal: CallSignal,
}

impl ToolCall {
    /// A call. `signal` is `None` where the element gives none (K3).
    #[must_use]
    pub fn new(id: impl Into<Rc<str>>, name: impl Into<Rc<str>>, signal: Option<AbortSignal>) -> Self {
        thread_local!(static LAST: Cell<u32> = const { Cell::new(0) });
        let serial = LAST.get().wrapping_add(1);
        LAST.set(serial);
        Self { serial, id: id.into(), name: name.into(), signal: CallSignal(signal) }
    }

    /// Tells this call from all others of the page, whatever ids those have who make them.
    #[must_use]
    pub fn serial(&self) -> u32 {
        self.serial
    }

    /// The call's id: one id runs once (K23).
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name by which the tool was called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Says when nobody waits for the result any more.
    #[must_use]
    pub fn signal(&self) -> &CallSignal {
        &self.signal
    }
}

/// Fires on interrupt and time-out (K3). Where the element gives no signal, it never fires.
#[derive(Clone, Debug)]
pub struct CallSignal(Option<AbortSignal>);

impl CallSignal {
    /// Whether it has fired.
    #[must_use]
    pub fn aborted(&self) -> bool {
        self.0.as_ref().is_some_and(AbortSignal::aborted)
    }

    /// Resolves when it fires; never, where the element gives no signal.
    ///
    /// # Example
    /// ```no_run
    /// # async fn lines(call: praxis::tools::ToolCall, read: impl Future<Output = String> + Unpin) -> Result<String, &'static str> {
    /// use futures_util::future::{Either, select};
    ///
    /// let cancelled = std::pin::pin!(call.signal().cancelled());
    /// match select(read, cancelled).await {
    ///     Either::Left((text, _)) => Ok(text),
    ///     Either::Right(_) => Err("stopped"),
    /// }
    /// # }
    /// ```
    pub async fn cancelled(&self) {
        let Some(signal) = &self.0 else { return std::future::pending().await };
        if signal.aborted() {
            return;
        }
        let (sender, receiver) = oneshot::channel();
        let _listener = EventListener::once(signal, "abort", move |_| {
            // The receiver lives as long as this listener.
            let _ = sender.send(());
        });
        let _ = receiver.await;
    }

    /// The signal itself, to hand on to `fetch` and the like.
    #[must_use]
    pub fn as_js(&self) -> Option<&AbortSignal> {
        self.0.as_ref()
    }
}
