//! Encryption of credentials at rest: XChaCha20-Poly1305 under one key of the installation. While the
//! key is being exchanged, what other keys encrypted still opens; nothing new is encrypted with them.

use std::io::Write;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::Mode;
use super::env::{ConfigError, Env};

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
const VERSION: &str = "v1:";

/// Encrypts and decrypts small secrets. The keys are never printed.
pub struct Vault {
    cipher: XChaCha20Poly1305,
    /// Of `LEMBRA_KEY_OLD`: they open and never close.
    older: Vec<XChaCha20Poly1305>,
    session_key: [u8; 64],
}

impl std::fmt::Debug for Vault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Vault")
    }
}

/// A stored secret that this key does not open.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error("not an encrypted value")]
    Format,
    #[error("not encrypted with this key, or not for this row")]
    Key,
    #[error("no randomness from the system")]
    Randomness,
}

impl Vault {
    /// Reads `LEMBRA_KEY`; in standalone mode falls back on `DATA_DIR/secret.key`, made readable
    /// by its owner alone when it is not there. Reads `LEMBRA_KEY_OLD` as further keys that open.
    pub fn from_env(env: &Env, mode: Mode, data_dir: &Path) -> Result<Self, ConfigError> {
        let text = match (env.text("LEMBRA_KEY"), mode) {
            (Some(text), _) => text,
            (None, Mode::Standalone) => kept_key(&data_dir.join("secret.key"))?,
            (None, Mode::Production) => {
                let problem = "is required in production: 32 bytes in base64, such as `openssl rand -base64 32` prints";
                return Err(ConfigError::new("LEMBRA_KEY", problem));
            }
        };
        let refuse = || ConfigError::new("LEMBRA_KEY", "must be 32 bytes in base64");
        let vault = key_bytes(&text).and_then(|key| Self::new(&key)).ok_or_else(refuse)?;
        let older = env.text("LEMBRA_KEY_OLD").unwrap_or_default();
        let older = older.split(',').map(str::trim).filter(|text| !text.is_empty());
        older.map(key_bytes).try_fold(vault, |vault, key| {
            let refuse = || {
                let problem = "must be keys of 32 bytes in base64, separated by commas";
                ConfigError::new("LEMBRA_KEY_OLD", problem)
            };
            key.and_then(|key| vault.opening_also(&key)).ok_or_else(refuse)
        })
    }

    /// `None` when the key is not 32 bytes.
    pub fn new(key: &[u8]) -> Option<Self> {
        let cipher = XChaCha20Poly1305::new_from_slice(key).ok()?;
        let mut session_key = [0; 64];
        for (half, purpose) in session_key.chunks_mut(32).zip(["session-1", "session-2"]) {
            let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).ok()?;
            mac.update(purpose.as_bytes());
            half.copy_from_slice(&mac.finalize().into_bytes());
        }
        Some(Self { cipher, older: Vec::new(), session_key })
    }

    /// The same, which opens also what `key` encrypted; `None` when it is not 32 bytes.
    #[must_use]
    pub fn opening_also(mut self, key: &[u8]) -> Option<Self> {
        self.older.push(XChaCha20Poly1305::new_from_slice(key).ok()?);
        Some(self)
    }

    /// Key material for sign-in cookies, derived so that it opens no credential.
    pub fn session_key(&self) -> &[u8; 64] {
        &self.session_key
    }

    /// `context` is bound to the value: it opens only with the same one.
    pub fn encrypt(&self, plain: &str, context: &str) -> Result<String, VaultError> {
        let nonce = random_bytes::<NONCE_BYTES>().map_err(|_| VaultError::Randomness)?;
        let payload = Payload { msg: plain.as_bytes(), aad: context.as_bytes() };
        let sealed =
            self.cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| VaultError::Key)?;
        Ok(format!("{VERSION}{}", STANDARD.encode([nonce.as_slice(), &sealed].concat())))
    }

    /// Opens what this key encrypted, or one of the older ones.
    pub fn decrypt(&self, stored: &str, context: &str) -> Result<String, VaultError> {
        let older = || self.older.iter().find_map(|cipher| open(cipher, stored, context).ok());
        match open(&self.cipher, stored, context) {
            Err(VaultError::Key) => older().ok_or(VaultError::Key),
            opened => opened,
        }
    }

    /// Whether it opens without the older keys.
    pub fn is_current(&self, stored: &str, context: &str) -> bool {
        open(&self.cipher, stored, context).is_ok()
    }
}

fn open(cipher: &XChaCha20Poly1305, stored: &str, context: &str) -> Result<String, VaultError> {
    let encoded = stored.strip_prefix(VERSION).ok_or(VaultError::Format)?;
    let bytes = STANDARD.decode(encoded).map_err(|_| VaultError::Format)?;
    let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(VaultError::Format)?;
    let payload = Payload { msg: sealed, aad: context.as_bytes() };
    let plain = cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| VaultError::Key)?;
    String::from_utf8(plain).map_err(|_| VaultError::Format)
}

fn key_bytes(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text.trim()).ok().filter(|key| key.len() == KEY_BYTES)
}

/// Bytes that nobody can guess.
pub fn random_bytes<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

fn kept_key(file: &Path) -> Result<String, ConfigError> {
    let refuse = |problem: String| ConfigError::new("DATA_DIR", problem);
    if let Ok(text) = std::fs::read_to_string(file) {
        return Ok(text);
    }
    let key = random_bytes::<KEY_BYTES>().map_err(|error| refuse(format!("no key: {error}")))?;
    let text = STANDARD.encode(key);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut handle = options
        .open(file)
        .map_err(|error| refuse(format!("{} cannot be made: {error}", file.display())))?;
    handle
        .write_all(text.as_bytes())
        .map_err(|error| refuse(format!("{} cannot be written: {error}", file.display())))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_opens_only_for_its_own_row_and_key() {
        let vault = Vault::new(&[7; 32]).unwrap();
        let stored = vault.encrypt("segredo", "inbox-a").unwrap();
        assert!(!stored.contains("segredo"));
        assert_eq!(vault.decrypt(&stored, "inbox-a").unwrap(), "segredo");
        assert!(matches!(vault.decrypt(&stored, "inbox-b"), Err(VaultError::Key)));
        let other = Vault::new(&[8; 32]).unwrap();
        assert!(matches!(other.decrypt(&stored, "inbox-a"), Err(VaultError::Key)));
        assert!(matches!(vault.decrypt("segredo", "inbox-a"), Err(VaultError::Format)));
    }

    #[test]
    fn the_same_secret_is_stored_differently_each_time() {
        let vault = Vault::new(&[7; 32]).unwrap();
        assert_ne!(vault.encrypt("a", "x").unwrap(), vault.encrypt("a", "x").unwrap());
    }

    #[test]
    fn an_older_key_opens_and_closes_nothing() {
        let old = Vault::new(&[7; 32]).unwrap();
        let both = Vault::new(&[8; 32]).unwrap().opening_also(&[7; 32]).unwrap();
        let stored = old.encrypt("segredo", "inbox-a").unwrap();
        assert_eq!(both.decrypt(&stored, "inbox-a").unwrap(), "segredo");
        assert!(!both.is_current(&stored, "inbox-a"));
        assert!(matches!(both.decrypt(&stored, "inbox-b"), Err(VaultError::Key)));
        let anew = both.encrypt("segredo", "inbox-a").unwrap();
        assert!(both.is_current(&anew, "inbox-a"));
        assert!(matches!(old.decrypt(&anew, "inbox-a"), Err(VaultError::Key)));
    }

    #[test]
    fn older_keys_are_a_list_and_a_broken_one_is_refused_by_name() {
        let key = |byte: u8| STANDARD.encode([byte; 32]);
        let env = Env::default().with("LEMBRA_KEY", key(1));
        let read = |env: &Env| Vault::from_env(env, Mode::Production, Path::new("."));
        let list = format!(" {} , {},", key(2), key(3));
        let vault = read(&env.clone().with("LEMBRA_KEY_OLD", list)).unwrap();
        for byte in 1..=3 {
            let stored = Vault::new(&[byte; 32]).unwrap().encrypt("a", "x").unwrap();
            assert_eq!(vault.decrypt(&stored, "x").unwrap(), "a");
        }
        let broken = read(&env.with("LEMBRA_KEY_OLD", format!("{},curta", key(2))));
        assert_eq!(broken.unwrap_err().name, "LEMBRA_KEY_OLD");
    }

    #[test]
    fn a_key_does_not_print() {
        assert_eq!(format!("{:?}", Vault::new(&[7; 32]).unwrap()), "Vault");
    }
}
