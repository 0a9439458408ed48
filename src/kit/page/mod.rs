//! What belongs to the page and outlives its elements: the conversations with their claims (K23, K24),
//! the backends, the clock, the session that was open last.
//!
//! It carries out what a [`Conversation`](super::conversation::Conversation) decides. It must not know
//! elements (who shows a conversation is a [`Viewer`]) or a backend's protocol.

mod live;
mod mailbox;
mod memory;
mod time;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::backend::Backend;
use super::conversation::{AskId, Input};
use super::options::{Address, Options, ServiceAddress};
use crate::protocol::SessionId;

pub use live::{LiveConversation, Origin, Viewer};
pub use mailbox::Mailbox;
pub use memory::local_storage;
pub(crate) use memory::{last_session, remember_session};
pub use time::{Alarm, now, sleep};

/// Makes what speaks to an agent service; an error is for the page's author.
pub type BackendFactory = Rc<dyn Fn(&Options) -> Result<Rc<dyn Backend>, String>>;

#[derive(Default)]
struct Page {
    factory: Option<BackendFactory>,
    backends: HashMap<Address, Rc<dyn Backend>>,
    /// Every conversation that has a session, shown or not: its claims end with the page.
    conversations: HashMap<(ServiceAddress, SessionId), Rc<LiveConversation>>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
    static NEXT_ASK: Cell<u64> = const { Cell::new(0) };
}

/// Sets what makes backends, and begins to listen to the browser: an element is about to be defined.
pub(crate) fn bring_backends(factory: BackendFactory) {
    let first = PAGE.with_borrow_mut(|page| page.factory.replace(factory).is_none());
    if let (true, Some(window)) = (first, web_sys::window()) {
        // For the page's life.
        let online = Closure::<dyn Fn()>::new(online).into_js_value();
        for name in ["online", "offline"] {
            let _ = window.add_event_listener_with_callback(name, online.unchecked_ref());
        }
        let hurry = Closure::<dyn Fn()>::new(hurry).into_js_value();
        let hurry = hurry.unchecked_ref();
        let _ = window.add_event_listener_with_callback("pageshow", hurry);
        if let Some(document) = window.document() {
            let _ = document.add_event_listener_with_callback("visibilitychange", hurry);
        }
    }
}

/// No reason to wait any longer for a timer that a hidden tab slows.
fn hurry() {
    let document = web_sys::window().and_then(|window| window.document());
    if document.is_some_and(|document| document.visibility_state() == web_sys::VisibilityState::Visible) {
        tell_all(&Input::Hurry);
    }
}

/// The network went, or came back.
fn online() {
    tell_all(&Input::Online(is_online()));
}

fn is_online() -> bool {
    web_sys::window().is_none_or(|window| window.navigator().on_line())
}

/// Gives an input to every conversation that a network carries.
fn tell_all(input: &Input) {
    let all: Vec<_> = PAGE.with_borrow(|page| page.conversations.values().cloned().collect());
    for conversation in all.iter().filter(|conversation| conversation.service().is_remote()) {
        conversation.input(input.clone());
    }
}

/// The backend of an address; one that is there is told the new options.
///
/// # Errors
/// Says to the page's author why there is none.
pub(crate) fn backend(options: &Options) -> Result<Rc<dyn Backend>, String> {
    let address = options.address();
    let (known, factory) =
        PAGE.with_borrow(|page| (page.backends.get(&address).cloned(), page.factory.clone()));
    if let Some(backend) = known {
        return Ok(backend);
    }
    let factory = factory.ok_or_else(|| "no element was defined".to_owned())?;
    let backend = factory(options)?;
    PAGE.with_borrow_mut(|page| page.backends.insert(address, backend.clone()));
    Ok(backend)
}

/// The conversation of a session, the same for all who ask; a new one where `session` is `None`.
pub(crate) fn conversation(
    address: &Address,
    session: Option<&SessionId>,
    backend: &Rc<dyn Backend>,
) -> Rc<LiveConversation> {
    let make = || LiveConversation::new(address.service.clone(), session.cloned(), backend.clone());
    let conversation = match session {
        None => make(),
        Some(id) => PAGE.with_borrow_mut(|page| {
            page.conversations.entry((address.service.clone(), id.clone())).or_insert_with(make).clone()
        }),
    };
    if address.service.is_remote() && !is_online() {
        conversation.input(Input::Online(false));
    }
    conversation
}

/// The conversation has got its session: from now on it is found by it.
fn adopt(conversation: &Rc<LiveConversation>, session: &SessionId) {
    let key = (conversation.service().clone(), session.clone());
    PAGE.with_borrow_mut(|page| {
        page.conversations.entry(key).or_insert_with(|| conversation.clone()).clone()
    });
}

fn next_ask() -> AskId {
    NEXT_ASK.with(|next| {
        next.set(next.get() + 1);
        AskId(next.get())
    })
}
