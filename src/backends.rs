//! Which backend speaks which protocol; for [`define_element`](crate::kit::element::define_element).

use std::rc::Rc;

use crate::kit::backend::Backend;
use crate::kit::http;
use crate::kit::options::{Options, Protocol};
use crate::local;

/// The backend for `api.protocol`.
///
/// # Errors
/// Names a protocol that this build does not speak.
pub fn backend(options: &Options) -> Result<Rc<dyn Backend>, String> {
    match options.api.protocol {
        Protocol::Praxis => Ok(http::backend(options)),
        Protocol::Demo | Protocol::AgUi => Ok(local::backend(options)),
        other => {
            let problem = " is not available in this build; expected \"praxis\", \"demo\" or \"ag-ui\"";
            Err(["api.protocol: \"", other.name(), "\"", problem].concat())
        }
    }
}
