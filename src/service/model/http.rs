//! HTTP as a codec sees it: a request to be sent, in words that every transport understands.

/// Names and values of headers.
pub type Headers = Vec<(String, String)>;

/// A request; always a POST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// The address.
    pub url: String,
    /// The headers.
    pub headers: Headers,
    /// The body.
    pub body: String,
}
