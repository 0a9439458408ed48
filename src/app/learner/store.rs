//! Keeps the learner's state for the whole page and tells components of changes.
//!
//! A store and not a reducer: tools read what is true *now*, not what was at the last render, and a change is kept
//! before the call returns, also while the page goes away.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use yew::prelude::*;

use super::{Change, Learner, Part, StorageProblem, storage};
use crate::binding::EventListener;

struct Inner {
    learner: RefCell<Learner>,
    /// A problem is said once for each page.
    said: RefCell<Option<StorageProblem>>,
    on_change: RefCell<Option<Callback<Learner>>>,
}

/// The learner's state for the whole page; clones are the same store.
#[derive(Clone)]
pub struct LearnerStore(Rc<Inner>);

impl PartialEq for LearnerStore {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl LearnerStore {
    /// Reads what the browser has kept.
    #[must_use]
    pub fn open() -> Self {
        let learner = storage::read_all();
        let said = RefCell::new(learner.problem);
        Self(Rc::new(Inner { learner: RefCell::new(learner), said, on_change: RefCell::default() }))
    }

    /// The state now.
    #[must_use]
    pub fn get(&self) -> Learner {
        self.0.learner.borrow().clone()
    }

    /// Applies a change, keeps it and tells the components.
    pub fn apply(&self, change: Change) {
        let part = self.0.learner.borrow_mut().apply(change);
        if let Some(part) = part
            && let Err(problem) = storage::write(&self.get(), part)
            && self.0.said.replace(Some(problem)) != Some(problem)
        {
            self.0.learner.borrow_mut().problem = Some(problem);
        }
        self.tell();
    }

    /// Takes over what another tab has kept under `key`; `None` as key: it was all removed.
    fn take_over(&self, key: Option<&str>, text: Option<&str>) {
        let parts = Part::ALL.into_iter().filter(|part| key.is_none_or(|key| key == storage::key(*part)));
        let mut learner = self.get();
        let mut taken = false;
        for part in parts {
            taken = true;
            match text {
                // What another tab writes wrongly is not ours to set aside.
                Some(text) => _ = storage::read(&mut learner, part, text),
                None => _ = learner.apply(Change::Reset(part)),
            }
        }
        if taken {
            self.0.learner.replace(learner);
            self.tell();
        }
    }

    fn tell(&self) {
        let on_change = self.0.on_change.borrow().clone();
        if let Some(on_change) = on_change {
            on_change.emit(self.get());
        }
    }
}

/// Properties of [`LearnerProvider`].
#[derive(Properties, PartialEq)]
pub struct LearnerProviderProps {
    /// The store.
    pub store: LearnerStore,
    /// What may use it.
    pub children: Html,
}

/// Gives its children the learner's state ([`use_learner`]) and the store ([`use_learner_store`]).
#[component]
pub fn LearnerProvider(LearnerProviderProps { store, children }: &LearnerProviderProps) -> Html {
    let learner = use_state_eq(|| store.get());
    use_effect_with(store.clone(), {
        let set_learner = learner.setter();
        move |store| {
            store.0.on_change.replace(Some(Callback::from(move |now| set_learner.set(now))));
            let other_tabs = EventListener::new(&gloo::utils::window(), "storage", {
                let store = store.clone();
                move |event| {
                    if let Ok(event) = event.dyn_into::<web_sys::StorageEvent>() {
                        store.take_over(event.key().as_deref(), event.new_value().as_deref());
                    }
                }
            });
            let store = store.clone();
            move || {
                drop(other_tabs);
                store.0.on_change.replace(None);
            }
        }
    });
    html! {
        <ContextProvider<Provided> context={Provided { learner: (*learner).clone(), store: store.clone() }}>
            { children.clone() }
        </ContextProvider<Provided>>
    }
}

/// One context for both: each kind of context costs the page's weight anew.
#[derive(Clone, PartialEq)]
struct Provided {
    learner: Learner,
    store: LearnerStore,
}

/// The learner's state; the component follows its changes.
///
/// # Panics
/// Outside of [`LearnerProvider`].
#[hook]
pub fn use_learner() -> Learner {
    use_provided().learner
}

/// The store, to change the state or to read it at another time than while rendering.
///
/// # Panics
/// Outside of [`LearnerProvider`].
#[hook]
pub fn use_learner_store() -> LearnerStore {
    use_provided().store
}

#[hook]
fn use_provided() -> Provided {
    use_context().expect("the learner is known inside <LearnerProvider> only")
}
