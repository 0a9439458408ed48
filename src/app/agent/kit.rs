//! The kit that defines `<praxis-agent>`, as a module of its own: the lesson can be watched before it is there, and
//! a page that has defined the element already keeps its own (K12).

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use yew::prelude::*;

use crate::app::fetch::{Loading, site_url};
use crate::binding::agent_is_defined;

#[wasm_bindgen(module = "/src/app/agent/load.js")]
extern "C" {
    fn load(address: &str) -> Promise;
}

/// Whether the page has the element; fetches the kit where it has not.
#[hook]
pub fn use_kit() -> Loading<()> {
    let kit = use_state(|| if agent_is_defined() { Loading::Ready(()) } else { Loading::Pending });
    use_effect_with((), {
        let (needed, set_kit) = (*kit == Loading::Pending, kit.setter());
        move |()| {
            if needed {
                wasm_bindgen_futures::spawn_local(async move {
                    let loaded = JsFuture::from(load(&site_url("praxis-kit.js"))).await;
                    set_kit.set(match loaded {
                        // Whoever else has defined the element by now serves as well.
                        _ if agent_is_defined() => Loading::Ready(()),
                        Ok(_) => Loading::Failed("praxis-kit.js does not define <praxis-agent>".into()),
                        Err(error) => Loading::Failed(crate::tools::js_error_text(&error).into()),
                    });
                });
            }
        }
    });
    (*kit).clone()
}
