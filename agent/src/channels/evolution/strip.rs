//! Bodies as they may be stored: without files, and without credentials (WhatsApp facts 40, 56).

use serde_json::Value;

use super::super::payload::parse;

/// Fields that are files, keys to files, or credentials.
const DROPPED: [&str; 12] = [
    "base64",
    "jpegThumbnail",
    "thumbnail",
    "mediaKey",
    "messageSecret",
    "streamingSidecar",
    "waveform",
    "apikey",
    "token",
    "jwt",
    "code",
    "pairingCode",
];

/// Longest unbroken run of characters that is kept of a body which is not JSON.
const LONGEST_RUN: usize = 256;

/// The body without files and credentials.
pub fn storable(body: &[u8]) -> String {
    match parse(body) {
        Ok(mut root) => {
            strip(&mut root);
            root.to_string()
        }
        Err(_) => without_runs(&String::from_utf8_lossy(body)),
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                if DROPPED.contains(&key.as_str()) && !value.is_null() {
                    *value = Value::String("(dropped)".to_owned());
                } else {
                    strip(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::String(text) if text.len() > LONGEST_RUN => *text = without_runs(text),
        _ => {}
    }
}

/// The text without long runs of what base64 is made of.
fn without_runs(text: &str) -> String {
    let in_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=-_".contains(c);
    let mut kept = String::with_capacity(text.len().min(64 * 1024));
    for part in text.split_inclusive(|c| !in_base64(c)) {
        if part.len() > LONGEST_RUN {
            kept.push_str("(dropped)");
            kept.extend(part.chars().next_back().filter(|c| !in_base64(*c)));
        } else {
            kept.push_str(part);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_credentials_are_not_kept() {
        let file = "QUJD".repeat(1_000);
        let body = serde_json::json!({
            "apikey": "segredo",
            "data": [{ "message": { "base64": file, "conversation": "oi", "x": file } }],
        });
        let kept = storable(body.to_string().as_bytes());
        assert!(!kept.contains("QUJDQUJD") && !kept.contains("segredo"), "{kept}");
        assert!(kept.contains("\"conversation\":\"oi\""), "{kept}");
        let broken = format!("{{\"base64\":\"{file}\", oi");
        assert_eq!(storable(broken.as_bytes()), "{\"base64\":\"(dropped)\", oi");
    }
}
