//! Who asks: tokens (JWT, HS256), the cookie by which a visitor is known again, and the server key.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::{HeaderMap, header};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind as TokenErrorKind};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::protocol::{ApiError, ErrorKind, Timestamp};

/// How long a token is good for; the kit asks for another when it is over.
const TOKEN_LIFE: Duration = Duration::from_secs(10 * 60);
/// How long a browser keeps a cookie at most.
const COOKIE_LIFE: Duration = Duration::from_secs(400 * 24 * 60 * 60);
const COOKIE: &str = "praxis_visitor";
/// How long a user's name is at most, in bytes.
const LONGEST_USER: usize = 256;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Caller {
    /// A user, who sees their own sessions.
    User(String),
    /// The host's server, with the server key: it reaches every session (K19).
    Host,
}

impl Caller {
    /// Whose the sessions are that this caller makes.
    pub fn user(&self) -> &str {
        match self {
            Self::User(user) => user,
            Self::Host => "",
        }
    }

    pub fn may_see(&self, owner: &str) -> bool {
        matches!(self, Self::Host) || self.user() == owner
    }
}

/// A token for a visitor.
#[derive(Debug)]
pub(super) struct Issued {
    pub token: String,
    pub expires_at: Timestamp,
    /// The `Set-Cookie` that makes the visitor known again.
    pub cookie: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: String,
    /// Seconds since 1970.
    exp: u64,
}

struct Key {
    sign: EncodingKey,
    verify: DecodingKey,
}

impl Key {
    fn new(secret: &[u8]) -> Result<Self, Error> {
        Ok(Self { sign: EncodingKey::from_secret(secret)?, verify: DecodingKey::from_secret(secret)? })
    }

    fn sign(&self, user: &str, life: Duration) -> Result<(String, u64), Error> {
        let exp = seconds_since_1970() + life.as_secs();
        let claims = Claims { sub: user.to_owned(), exp };
        Ok((jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.sign)?, exp))
    }

    fn read(&self, token: &str) -> Result<Claims, Error> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.leeway = 0;
        validation.validate_nbf = true;
        validation.validate_aud = false;
        jsonwebtoken::decode::<Claims>(token, &self.verify, &validation).map(|token| token.claims)
    }
}

/// What a server's tokens are signed with.
pub(super) struct Tokens {
    token: Key,
    cookie: Key,
    server_key: Option<String>,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

impl Tokens {
    /// # Errors
    /// The secret is no key.
    pub fn new(secret: &[u8], server_key: Option<&str>) -> Result<Self, Error> {
        // Fails where it is installed already.
        let _ = HMAC_SHA_256.install_default();
        Ok(Self {
            token: Key::new(secret)?,
            // Another key: a cookie is no token, and nobody who holds a token can make a cookie of it.
            cookie: Key::new(&[secret, b" visitor's cookie"].concat())?,
            server_key: server_key.map(str::to_owned),
        })
    }

    /// Who asks, by the `Authorization` header.
    ///
    /// # Errors
    /// 401 without a token, and with one that is not accepted.
    pub fn caller(&self, headers: &HeaderMap) -> Result<Caller, ApiError> {
        let refused = |problem: &str| ApiError::new(ErrorKind::AuthenticationError, problem);
        let token =
            bearer(headers).ok_or_else(|| refused("expected a header \"Authorization: Bearer …\""))?;
        if self.server_key.as_deref().is_some_and(|key| equal(key, token)) {
            return Ok(Caller::Host);
        }
        match self.token.read(token) {
            Ok(Claims { sub, .. }) if (1..=LONGEST_USER).contains(&sub.len()) => Ok(Caller::User(sub)),
            Ok(_) => Err(refused("the token's sub must have 1 to 256 bytes")),
            Err(error) => Err(refused(match error.kind() {
                TokenErrorKind::ExpiredSignature => "the token has expired",
                _ => "the token is not accepted",
            })),
        }
    }

    /// A token for the visitor whose cookie `headers` carry, or for a new one.
    ///
    /// # Errors
    /// The system gives no random numbers, or nothing can be signed.
    pub fn issue(&self, headers: &HeaderMap) -> Result<Issued, ApiError> {
        let known = cookies(headers).find_map(|cookie| self.cookie.read(cookie).ok());
        let fresh = seconds_since_1970() + COOKIE_LIFE.as_secs() / 2;
        let (user, keeps_cookie) = match known {
            Some(claims) => (claims.sub, claims.exp > fresh),
            None => (new_visitor()?, false),
        };
        let failed = |error: Error| ApiError::new(ErrorKind::ApiError, error.to_string());
        let (token, expires) = self.token.sign(&user, TOKEN_LIFE).map_err(failed)?;
        let cookie = if keeps_cookie {
            None
        } else {
            let (value, _) = self.cookie.sign(&user, COOKIE_LIFE).map_err(failed)?;
            // Behind a proxy that speaks TLS, the browser must not send it without.
            let secure = headers.get("x-forwarded-proto").is_some_and(|protocol| protocol == "https");
            Some(format!(
                "{COOKIE}={value}; Path=/api/praxis-token; Max-Age={}; HttpOnly; SameSite=Strict{}",
                COOKIE_LIFE.as_secs(),
                if secure { "; Secure" } else { "" }
            ))
        };
        Ok(Issued { token, expires_at: Timestamp::from_millis(expires * 1000), cookie })
    }
}

fn new_visitor() -> Result<String, ApiError> {
    let mut random = [0_u8; 16];
    getrandom::fill(&mut random).map_err(|error| ApiError::new(ErrorKind::ApiError, error.to_string()))?;
    Ok(format!("visitor_{:032x}", u128::from_be_bytes(random)))
}

fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Compares without saying by its time how much was right.
fn equal(key: &str, given: &str) -> bool {
    let of = |text: &str| hmac(key.as_bytes(), text.as_bytes());
    match (of(key), of(given)) {
        (Some(expected), Some(mac)) => mac.verify(&expected.finalize().into_bytes()).is_ok(),
        _ => false,
    }
}

fn hmac(key: &[u8], message: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(message);
    Some(mac)
}

/// HMAC-SHA-256 for jsonwebtoken, and nothing else.
static HMAC_SHA_256: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| {
        let key = only_hs256(*algorithm).and_then(|()| HmacSha256::new(key.as_bytes()))?;
        Ok(Box::new(key))
    },
    verifier_factory: |algorithm, key| {
        let key = only_hs256(*algorithm).and_then(|()| HmacSha256::new(key.try_get_as_bytes()?))?;
        Ok(Box::new(key))
    },
    key_utils: KeyUtils::new_unimplemented(),
};

fn only_hs256(algorithm: Algorithm) -> Result<(), Error> {
    if algorithm == Algorithm::HS256 { Ok(()) } else { Err(TokenErrorKind::InvalidAlgorithm.into()) }
}

struct HmacSha256(Hmac<Sha256>);

impl HmacSha256 {
    fn new(key: &[u8]) -> Result<Self, Error> {
        Hmac::new_from_slice(key).map(Self).map_err(|_| TokenErrorKind::InvalidKeyFormat.into())
    }
}

impl signature::Signer<Vec<u8>> for HmacSha256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        Ok(self.0.clone().chain_update(message).finalize().into_bytes().to_vec())
    }
}

impl signature::Verifier<Vec<u8>> for HmacSha256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let mac = self.0.clone().chain_update(message);
        mac.verify_slice(signature).map_err(signature::Error::from_source)
    }
}

impl JwtSigner for HmacSha256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for HmacSha256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}
