//! Where bearer tokens come from (K5).

use std::fmt;
use std::rc::Rc;

use futures_util::future::{FutureExt, LocalBoxFuture};

/// An async function that yields a bearer token, or an error for people. Clones are equal.
///
/// A new one on a later render is the one used from then on; the element keeps the function that it has.
///
/// # Example
/// ```
/// use praxis::binding::GetToken;
///
/// let get_token = GetToken::new(|| async {
///     Err::<String, _>("暂时无法使用")
/// });
/// ```
#[derive(Clone)]
pub struct GetToken(Rc<dyn Fn() -> LocalBoxFuture<'static, Result<String, String>>>);

impl GetToken {
    /// From an async closure.
    pub fn new<F, Token, E>(get_token: impl Fn() -> F + 'static) -> Self
    where
        F: Future<Output = Result<Token, E>> + 'static,
        Token: Into<String>,
        E: fmt::Display,
    {
        Self(Rc::new(move || {
            get_token()
                .map(|outcome| outcome.map(Into::into).map_err(|error| error.to_string()))
                .boxed_local()
        }))
    }

    /// Asks for a token.
    pub(super) fn call(&self) -> LocalBoxFuture<'static, Result<String, String>> {
        (self.0)()
    }
}

impl PartialEq for GetToken {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for GetToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GetToken")
    }
}
