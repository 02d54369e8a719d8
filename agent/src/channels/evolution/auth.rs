//! Whether a webhook request comes from our Evolution (WhatsApp facts 41). The path's key is the
//! first secret; header and token are asked for where the inbox has them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use sha2::Sha256;

use super::super::meta::auth::same_secret;

/// A header of our own for the secret, beside `Authorization`, which `jwt_key` takes.
pub const SECRET_HEADER: &str = "X-Webhook-Secret";

/// Seconds by which Evolution's clock and ours may differ.
const LEEWAY: i64 = 60;

/// What a request shows of itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shown<'a> {
    pub authorization: Option<&'a str>,
    pub secret_header: Option<&'a str>,
}

impl<'a> Shown<'a> {
    fn bearer(&self) -> Option<&'a str> {
        let (scheme, token) = self.authorization?.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    }
}

/// Whether a request may pass: every secret that the inbox has must be shown. The secret is
/// accepted in [`SECRET_HEADER`] or in `Authorization`, with or without `Bearer`.
pub fn is_allowed(
    secret: Option<&SecretString>,
    jwt_key: Option<&SecretString>,
    shown: Shown<'_>,
    now: DateTime<Utc>,
) -> bool {
    let places = [shown.secret_header, shown.authorization.map(str::trim), shown.bearer()];
    // All places are compared, so that time does not tell which one was right.
    let knows = |secret: &SecretString| {
        places.iter().flatten().fold(false, |known, given| known | same_secret(secret, given))
    };
    let signed =
        |key: &SecretString| shown.bearer().is_some_and(|token| is_signed(key, token, now));
    secret.is_none_or(knows) & jwt_key.is_none_or(signed)
}

/// Whether `token` is a JSON Web Token signed with HS256 and this key, and not expired. No other
/// algorithm passes, whatever its header asks for.
pub fn is_signed(key: &SecretString, token: &str, now: DateTime<Utc>) -> bool {
    let key = key.expose_secret();
    let (Some((signed, signature)), false) = (token.rsplit_once('.'), key.is_empty()) else {
        return false;
    };
    let Some((header, claims)) = signed.split_once('.') else {
        return false;
    };
    let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else {
        return false;
    };
    let Ok(mut mac) = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_bytes()) else {
        return false;
    };
    mac.update(signed.as_bytes());
    if mac.verify_slice(&signature).is_err() {
        return false;
    }
    let (Some(header), Some(claims)) = (part(header), part(claims)) else {
        return false;
    };
    let algorithm = header.get("alg").and_then(Value::as_str);
    let instant = |name: &str| match claims.get(name) {
        None => Ok(None),
        Some(value) => value.as_f64().map(Some).ok_or(()),
    };
    let (Ok(expires), Ok(begins)) = (instant("exp"), instant("nbf")) else {
        return false;
    };
    #[expect(clippy::cast_precision_loss, reason = "seconds since 1970 fit")]
    let (early, late) = ((now.timestamp() - LEEWAY) as f64, (now.timestamp() + LEEWAY) as f64);
    algorithm == Some("HS256")
        && expires.is_none_or(|at| early < at)
        && begins.is_none_or(|at| at <= late)
}

fn part(text: &str) -> Option<Value> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use serde_json::json;

    use super::*;

    fn token(key: &str, header: &Value, claims: &Value) -> String {
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", encode(header), encode(claims));
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_bytes()).unwrap();
        mac.update(signed.as_bytes());
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
    }

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap()
    }

    #[test]
    fn only_a_fresh_token_of_this_key_and_algorithm_passes() {
        let key = SecretString::from("chave");
        let header = json!({ "alg": "HS256", "typ": "JWT" });
        let claims = |exp: i64| json!({ "iat": exp - 600, "exp": exp, "app": "evolution" });
        let fresh = now().timestamp() + 600;
        let good = token("chave", &header, &claims(fresh));
        assert!(is_signed(&key, &good, now()));
        assert!(!is_signed(&key, &good, now() + TimeDelta::seconds(700)));
        assert!(is_signed(&key, &token("chave", &header, &json!({})), now()));
        for bad in [
            token("outra", &header, &claims(fresh)),
            token("chave", &json!({ "alg": "none" }), &claims(fresh)),
            token("chave", &json!({ "alg": "HS512" }), &claims(fresh)),
            token("chave", &header, &json!({ "exp": "tomorrow" })),
            token("chave", &header, &json!({ "nbf": fresh })),
            format!("{}x", good),
            good.split_once('.').unwrap().1.to_owned(),
            String::new(),
            "..".to_owned(),
        ] {
            assert!(!is_signed(&key, &bad, now()), "{bad}");
        }
        let none = SecretString::from("");
        assert!(!is_signed(&none, &token("", &header, &claims(fresh)), now()));
    }

    #[test]
    fn every_secret_of_the_inbox_must_be_shown() {
        let (secret, key) = (SecretString::from("palavra"), SecretString::from("chave"));
        let jwt = token("chave", &json!({ "alg": "HS256" }), &json!({}));
        let jwt = format!("Bearer {jwt}");
        let shown = |authorization, secret_header| Shown { authorization, secret_header };
        let allowed = |secret, key, shown| is_allowed(secret, key, shown, now());
        assert!(allowed(None, None, shown(None, None)));
        for (authorization, header, passes) in [
            (Some("Bearer palavra"), None, true),
            (Some("palavra"), None, true),
            (None, Some("palavra"), true),
            (Some("Bearer outra"), None, false),
            (None, Some(""), false),
            (None, None, false),
        ] {
            assert_eq!(allowed(Some(&secret), None, shown(authorization, header)), passes);
        }
        assert!(allowed(None, Some(&key), shown(Some(&jwt), None)));
        assert!(allowed(Some(&secret), Some(&key), shown(Some(&jwt), Some("palavra"))));
        assert!(!allowed(Some(&secret), Some(&key), shown(Some(&jwt), None)));
        assert!(!allowed(Some(&secret), Some(&key), shown(None, Some("palavra"))));
        assert!(!allowed(None, Some(&key), shown(Some("Bearer palavra"), None)));
    }
}
