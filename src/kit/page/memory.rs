//! Which session was open last at an address, so that a reload opens it again (K23).

use crate::kit::options::Address;
use crate::protocol::SessionId;

/// The page's `localStorage`; `None` where the browser denies it.
#[must_use]
pub fn local_storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

fn key(address: &Address) -> String {
    let service = &address.service;
    ["praxis.session", service.protocol.name(), &service.url, address.agent.as_deref().unwrap_or_default()]
        .join(" ")
}

/// The session that was open last.
pub(crate) fn last_session(address: &Address) -> Option<SessionId> {
    local_storage()?.get_item(&key(address)).ok().flatten().filter(|id| !id.is_empty()).map(SessionId::from)
}

/// Remembers the session that is open now; `None`: a new conversation. A storage that is full or denied
/// only means that a reload begins anew.
pub(crate) fn remember_session(address: &Address, session: Option<&SessionId>) {
    let Some(storage) = local_storage() else { return };
    let _ = match session {
        Some(session) => storage.set_item(&key(address), session.as_str()),
        None => storage.remove_item(&key(address)),
    };
}
