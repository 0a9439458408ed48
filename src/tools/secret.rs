//! What is a secret, by its name or by its looks (C14, F04).
//!
//! Pure judgements of text. Whoever shows, logs or sends names and values asks here first.

/// Words that name a secret by themselves.
const SECRET_WORDS: [&str; 21] = [
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "jwt",
    "apikey",
    "credential",
    "credentials",
    "auth",
    "authorization",
    "bearer",
    "otp",
    "cvv",
    "cvc",
    "pin",
    "secrets",
    "tokens",
    "passwords",
];
/// Words that name a secret where they stand together.
const SECRET_PAIRS: [(&str, &str); 5] =
    [("api", "key"), ("access", "key"), ("private", "key"), ("secret", "key"), ("pass", "word")];
/// The same in Chinese, anywhere in the name.
const SECRET_CHINESE: [&str; 6] = ["密码", "口令", "令牌", "密钥", "验证码", "凭证"];
/// What well-known secrets begin with.
const SECRET_BEGINNINGS: [&str; 10] =
    ["sk-", "sk_live_", "rk_live_", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA"];
/// What follows such a beginning has at least so many characters.
const SHORTEST_SECRET: usize = 12;

/// Whether a field, a storage key or a JSON member of this name holds a secret: `newPassword`, `AUTH_TOKEN`,
/// `x-api-key`, `登录密码`.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| SECRET_WORDS.contains(&word.as_str()))
        || words.windows(2).any(|pair| {
            matches!(pair, [first, second] if SECRET_PAIRS.contains(&(first.as_str(), second.as_str())))
        })
        || SECRET_CHINESE.iter().any(|secret| name.contains(secret))
        || ["password", "passwd", "apikey"].iter().any(|secret| words.iter().any(|word| word.contains(secret)))
}

/// Whether a text holds what looks like a secret: a JSON web token, `Bearer …`, a key such as `sk-…`, a PEM key.
#[must_use]
pub fn is_secret_value(text: &str) -> bool {
    let mut before = "";
    for part in text.split(|c: char| c.is_whitespace() || "\"'`,;:=()[]{}<>&?".contains(c)) {
        if part.is_empty() {
            continue;
        }
        let after_bearer = before.eq_ignore_ascii_case("bearer") && part.len() >= SHORTEST_SECRET;
        if after_bearer || is_web_token(part) || SECRET_BEGINNINGS.iter().any(|start| begins(part, start)) {
            return true;
        }
        before = part;
    }
    text.contains("PRIVATE KEY-----")
}

/// Three parts in URL-safe Base64, of which the first begins a JSON object.
fn is_web_token(part: &str) -> bool {
    let pieces: Vec<&str> = part.split('.').collect();
    matches!(pieces.as_slice(), [header, payload, _signature]
        if header.starts_with("eyJ") && header.len() >= SHORTEST_SECRET && payload.starts_with("eyJ"))
}

fn begins(part: &str, start: &str) -> bool {
    part.strip_prefix(start).is_some_and(|rest| {
        rest.len() >= SHORTEST_SECRET
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    })
}

/// The words of a name, in lower case: `userAPIKey_2` is `user api key 2`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut characters = name.chars().peekable();
    let (mut after_lower, mut after_upper) = (false, false);
    while let Some(character) = characters.next() {
        let upper = character.is_ascii_uppercase();
        let before_lower = characters.peek().is_some_and(char::is_ascii_lowercase);
        let begins = upper && (after_lower || (after_upper && before_lower));
        if begins || !is_of_word(character) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (is_of_word(character), words.last_mut()) {
            word.push(character.to_ascii_lowercase());
        }
        (after_lower, after_upper) = (!upper && is_of_word(character), upper);
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Letters and digits; of other scripts than Latin every character, so that no table of Unicode is needed.
fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || !character.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_c14_case_f04_names_of_secrets_are_known() {
        for name in [
            "password",
            "newPassword",
            "password2",
            "user_pwd",
            "auth_token",
            "AUTH_TOKEN",
            "apiKey",
            "APIKey",
            "x-api-key",
            "apikey",
            "my.jwt.cookie",
            "idJWT",
            "accessKeyId",
            "登录密码",
            "client-secret",
            "pass_word",
            "userpassword",
            "praxis.token",
            "loginOTP",
            "userAPIToken",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "username",
            "author",
            "authority",
            "tokenizer",
            "keyboard",
            "passage",
            "compass",
            "spinner",
            "email",
            "lesson-player.preferences",
            "用户名",
            "",
            "secretary",
            "api_version_key",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn case_f04_values_that_look_like_secrets_are_known_wherever_they_stand() {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
        for value in [
            token.to_owned(),
            format!("{{\"a\":\"{token}\"}}"),
            "Bearer abcdefghijklmnop".to_owned(),
            "Authorization: bearer abcdefghijklmnop".to_owned(),
            "sk-abcdefghijklmnopqrst".to_owned(),
            "{\"k\":[\"sk-proj-abcdefghijklmnop\"]}".to_owned(),
            "ghp_0123456789abcdef".to_owned(),
            "AKIAIOSFODNN7EXAMPLE".to_owned(),
            "-----BEGIN RSA PRIVATE KEY-----\nx".to_owned(),
        ] {
            assert!(is_secret_value(&value), "{value}");
        }
        for value in [
            "",
            "eyJ",
            "a.b.c",
            "task-list-of-the-week",
            "sk-",
            "{\"theme\":\"dark\"}",
            "the bearer of news",
            "1.2.3",
        ] {
            assert!(!is_secret_value(value), "{value}");
        }
    }
}
