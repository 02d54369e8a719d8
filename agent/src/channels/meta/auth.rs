//! Whether a webhook request comes from Meta (WhatsApp facts 1–3).

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Name of the header that carries the signature.
pub const SIGNATURE_HEADER: &str = "X-Hub-Signature-256";

/// Whether `header` (`sha256=<hex>`) signs these very bytes with the app secret. Without a secret
/// nothing is signed.
pub fn is_signed(app_secret: &SecretString, body: &[u8], header: Option<&str>) -> bool {
    let secret = app_secret.expose_secret();
    let Some(given) = header.and_then(|header| header.trim().strip_prefix("sha256=")) else {
        return false;
    };
    let Ok(given) = hex::decode(given) else {
        return false;
    };
    let Ok(mut mac) = <Hmac<Sha256> as KeyInit>::new_from_slice(secret.as_bytes()) else {
        return false;
    };
    mac.update(body);
    !secret.is_empty() && mac.verify_slice(&given).is_ok()
}

/// The header that signs `body`: what Meta, and the simulator in its place, sends.
pub fn sign(app_secret: &SecretString, body: &[u8]) -> String {
    let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(app_secret.expose_secret().as_bytes());
    let digest = mac.map(|mut mac| {
        mac.update(body);
        hex::encode(mac.finalize().into_bytes())
    });
    format!("sha256={}", digest.unwrap_or_default())
}

/// Whether a secret word is the expected one, in time that does not depend on where it differs.
pub fn same_secret(expected: &SecretString, given: &str) -> bool {
    let expected = expected.expose_secret();
    !expected.is_empty() && bool::from(expected.as_bytes().ct_eq(given.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_signature_of_these_bytes_with_this_secret_passes() {
        let secret = SecretString::from("segredo");
        // As sent on the wire: escaped. Parsing and writing it again would change the bytes.
        let body = br#"{"text":"a\u00e7\u00e3o \/ ok"}"#;
        let header = sign(&secret, body);
        assert!(is_signed(&secret, body, Some(&header)));
        assert!(is_signed(&secret, body, Some(&header.to_uppercase().replace("SHA256", "sha256"))));
        assert!(!is_signed(&secret, "{\"text\":\"ação / ok\"}".as_bytes(), Some(&header)));
        assert!(!is_signed(&SecretString::from("outro"), body, Some(&header)));
        for header in [None, Some(""), Some("sha256="), Some("sha256=zz"), Some("md5=00")] {
            assert!(!is_signed(&secret, body, header), "{header:?}");
        }
    }

    #[test]
    fn without_a_secret_nothing_is_signed() {
        let none = SecretString::from("");
        let header = sign(&none, b"{}");
        assert!(!is_signed(&none, b"{}", Some(&header)));
        assert!(!same_secret(&none, ""));
    }
}
