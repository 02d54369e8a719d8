//! The book in its file: a change is on disk, whole, before it is answered.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::book::{Book, Reply};

/// A book and the file that it is kept in.
pub struct KeptBook {
    file: PathBuf,
    book: Mutex<Book>,
}

impl KeptBook {
    /// Reads the file; without one the book is empty.
    pub fn open(file: PathBuf) -> io::Result<Self> {
        let book = match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let why = format!("{} cannot be read: {error}", file.display());
                io::Error::new(io::ErrorKind::InvalidData, why)
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Book::default(),
            Err(error) => return Err(error),
        };
        Ok(Self { file, book: Mutex::new(book) })
    }

    /// The book as it is. It changes only after it was written, so a panic leaves it whole.
    pub fn read(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `act` once under `key`: a repetition of the same request gets the same answer. Blocks
    /// until it is on disk. What was refused leaves nothing.
    pub fn once(
        &self,
        key: &str,
        request: &str,
        act: impl FnOnce(&mut Book) -> Reply,
    ) -> io::Result<Reply> {
        let mut current = self.read();
        if let Some(reply) = current.answered(key, request) {
            return Ok(reply);
        }
        let mut changed = current.clone();
        let reply = act(&mut changed);
        if reply.status < 300 {
            changed.remember(key, request, &reply);
            write(&self.file, &serde_json::to_vec(&changed)?)?;
            *current = changed;
        }
        Ok(reply)
    }
}

/// Replaces a file: whoever reads it finds the old or the new one, also after a power cut.
fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = file.with_extension("json.new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut handle = options.open(&fresh)?;
    handle.write_all(bytes)?;
    handle.sync_all()?;
    fs::rename(&fresh, file)?;
    #[cfg(unix)]
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("lembra-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder.join("book.json")
    }

    #[test]
    fn a_change_is_made_once_and_found_after_opening_again() {
        let file = folder("book-once");
        let _ = fs::remove_file(&file);
        let reply = |number: u32| Reply::ok(201, &json!({ "id": number }));
        let kept = KeptBook::open(file.clone()).unwrap();
        assert_eq!(kept.once("k1", "POST a", |_| reply(1)).unwrap(), reply(1));
        assert_eq!(kept.once("k1", "POST a", |_| reply(2)).unwrap(), reply(1));
        let kept = KeptBook::open(file).unwrap();
        assert_eq!(kept.once("k1", "POST a", |_| reply(3)).unwrap(), reply(1));
        assert_eq!(kept.once("k1", "POST b", |_| reply(3)).unwrap().status, 422);
        assert_eq!(kept.once("k2", "POST b", |_| reply(4)).unwrap(), reply(4));
    }

    #[test]
    fn what_was_refused_can_be_tried_again() {
        let file = folder("book-refused");
        let _ = fs::remove_file(&file);
        let kept = KeptBook::open(file.clone()).unwrap();
        assert_eq!(
            kept.once("k1", "a", |_| Reply::refusal(409, "slot_taken")).unwrap().status,
            409
        );
        assert!(!file.exists());
        let done = Reply::ok(201, &json!({}));
        assert_eq!(kept.once("k1", "a", |_| done.clone()).unwrap(), done);
    }

    #[test]
    fn a_broken_file_is_told_by_name() {
        let file = folder("book-broken");
        fs::write(&file, "{").unwrap();
        let error = KeptBook::open(file).err().unwrap().to_string();
        assert!(error.contains("book.json"), "{error}");
    }
}
