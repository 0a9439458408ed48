//! Where the person writes: the text field, send and stop, and what could not be sent.
//!
//! The field is not controlled: some systems type an emoji as two halves, each an event of its own, and a half
//! written back through Rust's strings would be destroyed (case I03). The panel writes into it only when it
//! changes the text itself.

use std::rc::Rc;

use web_sys::{HtmlElement, HtmlTextAreaElement, InputEvent, KeyboardEvent, MouseEvent};
use yew::{
    AttrValue, Callback, Html, NodeRef, Properties, TargetCast, component, html, use_effect_with,
    use_force_update, use_mut_ref,
};

use super::actions::Actions;
use super::draft::{Drafts, Taken};
use super::icon::{Symbol, icon};
use super::icon_button::{IconButton, icon_button};
use super::words::Words;
use super::{Draft, Origin};

/// Properties of [`Composer`].
#[derive(Clone, PartialEq, Properties)]
pub struct ComposerProps {
    /// Texts that could not be sent.
    pub drafts: Rc<[Draft]>,
    /// Whether a turn goes on.
    pub running: bool,
    /// Whether nothing can be sent.
    pub disabled: bool,
    /// What an empty field says.
    pub placeholder: AttrValue,
    /// The text field.
    pub field: NodeRef,
    /// What sending and stopping do.
    pub actions: Actions,
    /// The panel's words.
    pub words: &'static Words,
}

/// The composer.
#[component]
pub fn Composer(props: &ComposerProps) -> Html {
    let ComposerProps { drafts: come_back, running, disabled, placeholder, field, actions, words } = props;
    let (running, disabled, words) = (*running, *disabled, *words);
    let drafts = use_mut_ref(Drafts::default);
    let rerender = use_force_update();
    // The turn that runs is being stopped.
    let stopping = use_mut_ref(|| false);
    if !running {
        stopping.replace(false);
    }

    // Changes the text from here, and shows it.
    let change = {
        let (field, drafts, rerender) = (field.clone(), drafts.clone(), rerender.clone());
        Rc::new(move |change: &mut dyn FnMut(&mut Drafts)| {
            let field = field.cast::<HtmlTextAreaElement>();
            if let Some(field) = &field {
                drafts.borrow_mut().typed(field.value());
            }
            let (before, after) = {
                let mut drafts = drafts.borrow_mut();
                let before = drafts.text().to_owned();
                change(&mut drafts);
                (before, drafts.text().to_owned())
            };
            if let Some(field) = field.filter(|_| before != after) {
                field.set_value(&after);
            }
            rerender.force_update();
        })
    };

    use_effect_with(come_back.clone(), {
        let change = change.clone();
        move |come_back| change(&mut |drafts| drafts.receive(come_back))
    });

    let send = {
        let (change, actions) = (change.clone(), actions.clone());
        Callback::from(move |()| {
            if disabled {
                return;
            }
            let mut taken = None;
            change(&mut |drafts| taken = drafts.take());
            if let Some(Taken { text, settled }) = taken {
                actions.send(text, Origin::Composer);
                settled.iter().for_each(|serial| actions.settle_draft(*serial));
            }
        })
    };
    let oninput = {
        let drafts = drafts.clone();
        let rerender = rerender.clone();
        Callback::from(move |event: InputEvent| {
            // Every value is taken: the event that commits a composition still says that it composes.
            let field: HtmlTextAreaElement = event.target_unchecked_into();
            drafts.borrow_mut().typed(field.value());
            rerender.force_update();
        })
    };
    let onkeydown = {
        let send = send.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" && !event.shift_key() && !event.alt_key() && !is_composing(&event) {
                event.prevent_default();
                send.emit(());
            }
        })
    };
    let on_send = {
        let field = field.clone();
        Callback::from(move |event: MouseEvent| {
            send.emit(());
            focus_after_keyboard(&event, &field);
        })
    };
    let on_stop = {
        let (field, actions, stopping) = (field.clone(), actions.clone(), stopping.clone());
        Callback::from(move |event: MouseEvent| {
            focus_after_keyboard(&event, &field);
            if !stopping.replace(true) {
                rerender.force_update();
                actions.interrupt();
            }
        })
    };

    let drafts = drafts.borrow();
    let stopping = *stopping.borrow();
    let stop = if stopping { words.stopping } else { words.stop };
    let stop_button = IconButton {
        class: Some("round stop"),
        part: Some("stop"),
        pressed: Some(stopping),
        leaves_focus: true,
        ..IconButton::default()
    };
    let blank = drafts.is_blank();
    let send_button = IconButton {
        class: Some(if running && blank { "round away" } else { "round" }),
        part: Some("send"),
        disabled: disabled || blank,
        leaves_focus: true,
        ..IconButton::default()
    };
    let returned = drafts.returned().iter().map(|returned| {
        let serial = returned.serial;
        let on_restore = {
            let (change, field) = (change.clone(), field.clone());
            Callback::from(move |_: MouseEvent| {
                change(&mut |drafts| drafts.restore(serial));
                focus(&field);
            })
        };
        let on_dismiss = {
            let (change, field, actions) = (change.clone(), field.clone(), actions.clone());
            Callback::from(move |event: MouseEvent| {
                change(&mut |drafts| drafts.dismiss(serial));
                actions.settle_draft(serial);
                focus_after_keyboard(&event, &field);
            })
        };
        html! {
            <div key={serial} class="returned" role="alert">
                { icon(Symbol::Warning) }
                <div class="returned-words">
                    <p>{ words.not_sent }{ "：" }{ &*returned.error }</p>
                    if let Some(text) = &returned.text {
                        <blockquote>{ &**text }</blockquote>
                        <button type="button" class="quiet" onclick={on_restore}>{ words.restore }</button>
                    }
                </div>
                { icon_button(Symbol::Close, words.dismiss, on_dismiss, IconButton::default()) }
            </div>
        }
    });
    html! {
        <div class="composer-area">
            <div class="returned-list">{ for returned }</div>
            <div class={if disabled { "composer disabled" } else { "composer" }}>
                // The field is as high as this copy of its text.
                <div class="grow" data-text={drafts.text().to_owned()}>
                    <textarea ref={field} part="composer" rows="1" aria-label={words.composer} {placeholder} {disabled}
                        enterkeyhint="send" autocomplete="off" {oninput} {onkeydown} />
                </div>
                <div class="composer-buttons">
                    if running {
                        { icon_button(Symbol::Stop, stop, on_stop, stop_button) }
                    }
                    { icon_button(Symbol::ArrowUp, words.send, on_send, send_button) }
                </div>
            </div>
            <p class="disclaimer">{ words.disclaimer }</p>
        </div>
    }
}

/// Whether the key belongs to an input method. Safari ends the composition before the key that confirms it and
/// tells only by the old key code.
fn is_composing(event: &KeyboardEvent) -> bool {
    const PROCESS_KEY: u32 = 229;
    event.is_composing() || event.key_code() == PROCESS_KEY
}

/// A button that goes away would take the keyboard's focus with it: it goes to `to`. A click without a pointer's
/// count comes from the keyboard.
pub fn focus_after_keyboard(event: &MouseEvent, to: &NodeRef) {
    if event.detail() == 0 {
        focus(to);
    }
}

/// Gives `node` the focus, when it is there.
pub fn focus(node: &NodeRef) {
    if let Some(element) = node.cast::<HtmlElement>() {
        // Fails for no reason that anybody could act on.
        drop(element.focus());
    }
}
