//! Which backend speaks which protocol; for [`define_element`](crate::kit::element::define_element).

use std::rc::Rc;

use crate::kit::backend::Backend;
use crate::kit::http;
use crate::kit::options::{Options, Protocol};
use crate::local;

/// The backend for `api.protocol`.
///
/// # Errors
/// None here, where every protocol is spoken; another build of the kit may speak fewer.
pub fn backend(options: &Options) -> Result<Rc<dyn Backend>, String> {
    Ok(match options.api.protocol {
        Protocol::Praxis => http::backend(options),
        Protocol::Demo | Protocol::OpenAiChatCompletions | Protocol::AgUi => local::backend(options),
    })
}
