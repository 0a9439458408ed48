//! The pages: the files of `dist/`, precompressed where the browser takes that, with the headers that they must carry.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use reqwest::Url;
use serde_json::{Value, json};
use tower_http::services::{ServeDir, ServeFile};

use super::App;

/// The headers of every page, as every host of the pages has them.
const HEADERS_FILE: &str = include_str!("../../../static/_headers");

/// The headers of every page that is served.
type Headers = Arc<[(HeaderName, HeaderValue)]>;

/// The headers of the file; pages may connect to `origins` besides their own.
fn headers(origins: &[String]) -> Headers {
    let indented = HEADERS_FILE.lines().filter(|line| line.starts_with(' '));
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        let own = "connect-src 'self'";
        let value = value.trim().replace(own, &[&[own.to_owned()], origins].concat().join(" "));
        Some((name.trim().parse().ok()?, value.parse().ok()?))
    };
    indented.filter_map(header).collect()
}

/// The origins of the services that `config.json` names, as it is when the server starts: the policy lets pages reach
/// those, so that a deployment changes this file alone.
fn origins(dist: &Path) -> Vec<String> {
    let text = std::fs::read(dist.join("config.json")).unwrap_or_default();
    let config: Value = serde_json::from_slice(&text).unwrap_or_default();
    let urls = ["url", "tokenUrl"].into_iter().filter_map(|name| config["api"][name].as_str());
    let urls =
        urls.filter_map(|url| Url::parse(url).ok()).filter(|url| matches!(url.scheme(), "http" | "https"));
    // A host may have a semicolon in it, which would begin another directive.
    let plain = |origin: &String| origin.chars().all(|c| c.is_ascii_alphanumeric() || "-._:/[]".contains(c));
    let mut origins: Vec<_> = urls.map(|url| url.origin().ascii_serialization()).filter(plain).collect();
    origins.dedup();
    origins
}

/// What is served: the app's page, and the files.
#[derive(Clone)]
struct Pages {
    index: ServeFile,
    files: ServeDir,
}

pub(super) fn router(app: &App) -> Router<Arc<App>> {
    let index = ServeFile::new(app.dist.join("index.html")).precompressed_br().precompressed_gzip();
    let files = ServeDir::new(&app.dist)
        // A folder is no page: `/lessons` may be a route of the app.
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip();
    let pages = Pages { index, files };
    let serve = move |request| pages.clone().serve(request);
    let headers = from_fn_with_state(headers(&origins(&app.dist)), with_headers);
    Router::new().route("/config.json", get(config)).fallback(serve).layer(headers)
}

impl Pages {
    async fn serve(mut self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        match self.files.try_call(Request::from_parts(parts.clone(), body)).await {
            Ok(response) if response.status() != StatusCode::NOT_FOUND => response.map(Body::new),
            Err(error) if !says_there_is_none(error.kind()) => {
                tracing::error!(path = parts.uri.path(), %error, "a file could not be read");
                (StatusCode::INTERNAL_SERVER_ERROR, "The file cannot be read now.\n").into_response()
            }
            _ => self.page(Request::from_parts(parts, Body::empty())).await,
        }
    }

    /// A route of the app leads to its page, a missing file nowhere.
    async fn page(mut self, request: Request) -> Response {
        if request.uri().path().rsplit('/').next().is_some_and(|last| last.contains('.')) {
            return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response();
        }
        match self.index.try_call(request).await {
            Ok(response) if response.status() != StatusCode::NOT_FOUND => response.map(Body::new),
            _ => (StatusCode::NOT_FOUND, "There are no pages here: `cargo xtask dist` builds them.\n")
                .into_response(),
        }
    }
}

/// Whether a file that could not be opened is one that is not there; no file has too long a name.
fn says_there_is_none(error: ErrorKind) -> bool {
    use ErrorKind::{InvalidFilename, NotADirectory, NotFound, PermissionDenied};
    matches!(error, NotFound | NotADirectory | PermissionDenied | InvalidFilename)
}

async fn with_headers(State(headers): State<Headers>, request: Request, next: Next) -> Response {
    let hashed = is_hashed(request.uri().path());
    let mut response = next.run(request).await;
    let found = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    for (name, value) in headers.iter() {
        response.headers_mut().insert(name, value.clone());
    }
    if hashed && found {
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(header::CACHE_CONTROL, forever);
    }
    response
}

/// Whether a file's name says what is in it, as the build's `app-7c1ca70e05614e29.css` does.
fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((_, rest)) = name.rsplit_once('-') else { return false };
    let hash = rest.split(['.', '_']).next().unwrap_or_default();
    hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `config.json`, for pages that this server serves: where the file leaves the demo in place, the agent is this server.
async fn config(State(app): State<Arc<App>>) -> Response {
    let text = tokio::fs::read(app.dist.join("config.json")).await;
    let mut config: Value = text.ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    if !config.is_object() {
        config = json!({});
    }
    if matches!(config["api"]["protocol"].as_str(), None | Some("demo")) {
        config["api"] = json!({"protocol": "praxis", "url": "/", "tokenUrl": "/api/praxis-token"});
    }
    ([(header::CONTENT_TYPE, "application/json")], config.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headers_of_every_page_are_those_of_the_file() {
        let headers = headers(&[]);
        let value = |name: &str| {
            let found = headers.iter().find(|(header, _)| header == name);
            found.and_then(|(_, value)| value.to_str().ok()).unwrap_or_default()
        };
        assert!(value("content-security-policy").contains("default-src 'none'"));
        assert!(value("content-security-policy").contains("frame-ancestors 'none'"));
        assert_eq!(value("x-content-type-options"), "nosniff");
        assert_eq!(value("cache-control"), "no-cache");
        assert!(!value("referrer-policy").is_empty());
        assert!(value("content-security-policy").contains("connect-src 'self';"));
    }

    #[test]
    fn only_names_with_a_hash_are_kept_for_ever() {
        for path in
            ["/app-7c1ca70e05614e29.css", "/praxis-caf0c7b0f24731a0_bg.wasm", "/a/icon-2ac690fa2ca5c50d.svg"]
        {
            assert!(is_hashed(path), "{path}");
        }
        for path in
            ["/", "/praxis-kit.js", "/kit_bg.wasm", "/snippets/praxis-caf0c7b0f24731a0/js/a.js", "/a-0123.js"]
        {
            assert!(!is_hashed(path), "{path}");
        }
    }
}
