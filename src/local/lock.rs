//! Web Locks: of the tabs that have a session open, one owns it.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use futures_channel::oneshot;
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::AbortController;

#[wasm_bindgen]
extern "C" {
    // web-sys has it among its unstable interfaces only.
    type LockManager;

    #[wasm_bindgen(method, catch)]
    fn request(
        this: &LockManager,
        name: &str,
        options: &Object,
        granted: &JsValue,
    ) -> Result<Promise, JsValue>;
}

thread_local! {
    /// The locks that this page has let go of and the browser has not freed yet: that takes it a moment. Each
    /// promise settles when it has.
    static FREEING: RefCell<HashMap<String, Promise>> = RefCell::default();
}

/// A lock that this page holds until the value is dropped, or the page ends.
#[derive(Debug)]
#[must_use = "dropping it frees the lock"]
pub(super) struct Lock {
    /// `None` where the browser has no locks (a page without a secure context) or denies them (as it does where it
    /// denies storage), and each tab takes itself for the owner.
    _held: Option<Held>,
}

#[derive(Debug)]
struct Held {
    name: String,
    /// Settles the promise that holds the lock.
    free: Function,
    /// Settles when the lock is free.
    request: Rc<OnceCell<Promise>>,
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(request) = self.request.get() {
            FREEING.with_borrow_mut(|freeing| freeing.insert(self.name.clone(), request.clone()));
        }
        let _ = self.free.call0(&JsValue::UNDEFINED);
    }
}

impl Lock {
    /// The lock, if nobody has it. Who asks does not have it himself.
    pub async fn take(name: &str) -> Option<Self> {
        let Some(manager) = manager() else { return Some(Self { _held: None }) };
        let freeing = FREEING.with_borrow_mut(|freeing| freeing.remove(name));
        if let Some(freed) = freeing {
            let _ = JsFuture::from(freed).await;
        }
        let options = Object::new();
        let _ = Reflect::set(&options, &"ifAvailable".into(), &JsValue::TRUE);
        ask(&manager, name, &options).await.unwrap_or(Some(Self { _held: None }))
    }

    /// The lock, once nobody has it any more. Dropping the future leaves the queue.
    pub async fn wait(name: &str) -> Option<Self> {
        let manager = manager()?;
        let controller = AbortController::new().ok()?;
        let options = Object::new();
        let _ = Reflect::set(&options, &"signal".into(), &controller.signal());
        let _leave = LeaveQueue(controller);
        ask(&manager, name, &options).await.ok().flatten()
    }
}

struct LeaveQueue(AbortController);

impl Drop for LeaveQueue {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn manager() -> Option<LockManager> {
    let navigator = web_sys::window()?.navigator();
    let locks = Reflect::get(&navigator, &"locks".into()).ok()?;
    locks.is_object().then(|| locks.unchecked_into())
}

/// Asks for a lock; it comes (or, with `ifAvailable`, its absence does) when the browser calls back, which holds it
/// until the promise that the callback returns is settled. Nothing comes where the browser denies locks.
fn ask(manager: &LockManager, name: &str, options: &Object) -> oneshot::Receiver<Option<Lock>> {
    let (granted, answer) = oneshot::channel();
    let granted = Rc::new(Cell::new(Some(granted)));
    let request = Rc::new(OnceCell::new());
    let callback = {
        let (name, request, granted) = (name.to_owned(), request.clone(), granted.clone());
        Closure::once_into_js(move |lock: JsValue| {
            let mut free = None;
            let holding = (!lock.is_null()).then(|| Promise::new(&mut |resolve, _| free = Some(resolve)));
            let held = free.map(|free| Held { name, free, request });
            // Where nobody waits any more, the lock is dropped here, and free again.
            if let Some(granted) = granted.take() {
                let _ = granted.send(held.map(|held| Lock { _held: Some(held) }));
            }
            holding.map_or(JsValue::UNDEFINED, JsValue::from)
        })
    };
    if let Ok(promise) = manager.request(name, options, &callback) {
        let _ = request.set(promise.clone());
        spawn_local(async move {
            // It rejects when locks are denied, and when the queue is left: no callback comes any more.
            let _ = JsFuture::from(promise).await;
            granted.take();
        });
    } else {
        granted.take();
    }
    answer
}
