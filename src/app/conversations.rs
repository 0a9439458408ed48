//! Forgetting the conversations with the agent.

/// Where the service in the page keeps sessions, and the element the last one.
const PREFIX: &str = "praxis";

/// Removes what the agent keeps in this browser, and loads the page anew: a session that is open would be kept again.
pub fn clear_conversations() {
    let window = gloo::utils::window();
    for storage in
        [window.local_storage(), window.session_storage()].into_iter().filter_map(|storage| storage.ok()?)
    {
        let count = storage.length().unwrap_or_default();
        let keys: Vec<String> = (0..count).filter_map(|index| storage.key(index).ok()?).collect();
        for key in keys.iter().filter(|key| key.starts_with(PREFIX)) {
            // It cannot fail where reading works.
            let _ = storage.remove_item(key);
        }
    }
    let _ = window.location().reload();
}
