//! Which backend speaks which protocol; for [`define_element`](crate::kit::element::define_element).

use std::rc::Rc;

use crate::kit::backend::Backend;
use crate::kit::http;
use crate::kit::options::{Options, Protocol};
use crate::local;

/// The backend for `api.protocol`.
///
/// # Errors
/// None: this build speaks every protocol.
pub fn backend(options: &Options) -> Result<Rc<dyn Backend>, String> {
    Ok(match options.api.protocol {
        Protocol::Praxis => http::backend(options),
        Protocol::Demo | Protocol::OpenAiChatCompletions | Protocol::AgUi => local::backend(options),
    })
}
