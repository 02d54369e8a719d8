//! What one process runs and begins to send, kept where `kill -9` does not reach it.
//!
//! Each process with workers holds a locked file of its own. When the lock is free and the file
//! is there, the process is dead, and its jobs are taken back at once in place of waiting for
//! their leases.
//!
//! The file also holds the sends whose bodies were begun. The database says that a send was
//! announced; between that commit and the first byte on the wire a process may die, and nobody
//! outside can tell "announced" from "sent". So each announcement carries a ticket, and the
//! process writes the ticket down just before the body: what the file of a dead process does not
//! hold was surely not sent, and goes out at once in place of waiting for statuses (DESIGN §3.7).
//!
//! The file lies in the page cache, which outlives the process and not the machine: a file of an
//! earlier boot says nothing. Nor does one that a live process holds, or one that is not on this
//! machine.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use uuid::Uuid;

/// Files of processes that ended longer ago than this are removed.
const KEPT: Duration = Duration::from_secs(7 * 86_400);
/// A file longer than this, in bytes, is written anew with what is still unsettled.
const LONGEST: usize = 64 * 1024;
const EXTENSION: &str = "process";

/// What is known of the send behind a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// Its body was never begun: it was surely not sent.
    NotBegun,
    /// It may have been sent, or nobody here can tell.
    Unknown,
}

/// The journal of one process. Clones share it; the file is made with the first ticket.
#[derive(Debug, Clone)]
pub struct ProcessJournal {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    process: String,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    file: Option<File>,
    written: usize,
    next: u64,
    /// Begun, and its outcome not in the database yet.
    begun: BTreeSet<u64>,
    /// Announced, as far as the database may know, and given up before the body was begun.
    abandoned: BTreeSet<u64>,
}

/// One announcement. Dropped before [`Ticket::begin`], it was surely not sent.
#[derive(Debug)]
pub struct Ticket {
    shared: Arc<Shared>,
    number: u64,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Announced,
    Begun,
}

impl ProcessJournal {
    /// A journal in `folder`, which is made when it is needed.
    pub fn new(folder: PathBuf) -> Self {
        let process = Uuid::now_v7().simple().to_string();
        Self { shared: Arc::new(Shared { folder, process, state: Mutex::default() }) }
    }

    /// The name of this process, for the jobs that it claims.
    pub fn process(&self) -> &str {
        &self.shared.process
    }

    /// Makes the file, if that was not done yet. Without one everything still works, and others
    /// learn of this process's death by its leases.
    pub fn keep(&self) -> io::Result<()> {
        let mut state = self.shared.state();
        if state.file.is_none() {
            state.file = Some(self.shared.make_file(&[])?);
            self.shared.remove_old();
        }
        Ok(())
    }

    /// The process is known to be dead.
    pub fn has_ended(&self, process: &str) -> bool {
        process != self.shared.process && self.shared.left_by(process).is_some()
    }

    /// A ticket for one announcement; `None` where no journal is kept.
    pub fn ticket(&self) -> Option<Ticket> {
        let mut state = self.shared.state();
        state.file.as_ref()?;
        state.next += 1;
        Some(Ticket { shared: self.shared.clone(), number: state.next, stage: Stage::Waiting })
    }

    /// The outcome of a send is in the database: its ticket is not asked for again.
    pub fn settle(&self, ticket: &str) {
        let mut state = self.shared.state();
        if let Some(number) = self.shared.own(ticket) {
            state.begun.remove(&number);
        }
    }

    /// What is known of the send that was announced under `ticket`.
    pub fn trace(&self, ticket: &str) -> Trace {
        if let Some(number) = self.shared.own(ticket) {
            let abandoned = self.shared.state().abandoned.contains(&number);
            return if abandoned { Trace::NotBegun } else { Trace::Unknown };
        }
        let read = || -> Option<bool> {
            let (process, number) = ticket.split_once(':')?;
            let number: u64 = number.parse().ok()?;
            Some(self.shared.left_by(process)?.contains(&number))
        };
        match read() {
            Some(false) => Trace::NotBegun,
            Some(true) | None => Trace::Unknown,
        }
    }
}

impl Ticket {
    /// What the announcement records.
    pub fn name(&self) -> String {
        format!("{}:{}", self.shared.process, self.number)
    }

    /// From here on the database may know of it.
    pub fn announce(&mut self) {
        self.stage = Stage::Announced;
    }

    /// Writes that the body goes out now. An error says that it must not.
    pub fn begin(mut self) -> io::Result<()> {
        let shared = self.shared.clone();
        let mut state = shared.state();
        let line = format!("{}\n", self.number);
        if state.written + line.len() > LONGEST {
            let begun: Vec<u64> = state.begun.iter().copied().collect();
            state.file = Some(shared.make_file(&begun)?);
            state.written = 0;
        }
        let file = state.file.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.write_all(line.as_bytes())?;
        state.written += line.len();
        state.begun.insert(self.number);
        drop(state);
        self.stage = Stage::Begun;
        Ok(())
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.stage == Stage::Announced {
            self.shared.state().abandoned.insert(self.number);
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path_of(&self, process: &str) -> PathBuf {
        self.folder.join(process).with_extension(EXTENSION)
    }

    /// The number of a ticket of this process.
    fn own(&self, ticket: &str) -> Option<u64> {
        ticket.strip_prefix(&self.process)?.strip_prefix(':')?.parse().ok()
    }

    /// The sends that a dead process had begun; `None` where it lives or nothing is known of it.
    fn left_by(&self, process: &str) -> Option<BTreeSet<u64>> {
        let process = Uuid::try_parse(process).ok()?.simple().to_string();
        let path = self.path_of(&process);
        let mut file = File::open(&path).ok()?;
        // A live process holds its file.
        file.try_lock_shared().ok()?;
        // One that was just written anew leaves the old file free.
        if file.metadata().ok()?.ino() != fs::metadata(&path).ok()?.ino() {
            return None;
        }
        let mut text = String::new();
        file.read_to_string(&mut text).ok()?;
        let mut lines = text.lines();
        (lines.next()? == boot_id()?).then(|| lines.filter_map(|line| line.parse().ok()).collect())
    }

    /// Puts a locked file in the place of the one that is there, if any.
    fn make_file(&self, begun: &[u64]) -> io::Result<File> {
        let boot = boot_id().ok_or(io::ErrorKind::Unsupported)?;
        fs::create_dir_all(&self.folder)?;
        let path = self.path_of(&self.process);
        let fresh = path.with_extension("new");
        let mut file = OpenOptions::new().append(true).create(true).open(&fresh)?;
        file.try_lock()?;
        let lines: String = begun.iter().map(|number| format!("{number}\n")).collect();
        file.write_all(format!("{boot}\n{lines}").as_bytes())?;
        fs::rename(&fresh, &path)?;
        Ok(file)
    }

    /// Removes what processes left behind that ended long ago.
    fn remove_old(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let ours = path.extension().is_some_and(|extension| extension == EXTENSION);
            if ours && is_old(&path) {
                // One that cannot be removed is tried again at the next start.
                let _ = fs::remove_file(&path);
            }
        }
    }
}

fn is_old(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let held = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    let changed = file.metadata().and_then(|metadata| metadata.modified());
    let age = changed.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
    !held && age.is_ok_and(|age| age > KEPT)
}

/// Another for every start of the machine; `None` where the system does not tell.
fn boot_id() -> Option<String> {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal(folder: &tempfile::TempDir) -> ProcessJournal {
        let journal = ProcessJournal::new(folder.path().join("processes"));
        journal.keep().unwrap();
        journal
    }

    #[test]
    fn what_a_dead_process_had_not_begun_was_not_sent() {
        let folder = tempfile::tempdir().unwrap();
        let dead = journal(&folder);
        let (begun, waiting) = (dead.ticket().unwrap(), dead.ticket().unwrap());
        let (begun_name, waiting_name) = (begun.name(), waiting.name());
        begun.begin().unwrap();
        let other = journal(&folder);
        assert_eq!(other.trace(&waiting_name), Trace::Unknown, "its process lives");
        drop((waiting, dead));
        assert_eq!(other.trace(&begun_name), Trace::Unknown);
        assert_eq!(other.trace(&waiting_name), Trace::NotBegun);
    }

    #[test]
    fn a_process_has_ended_when_nobody_holds_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (journal(&folder), journal(&folder));
        let name = one.process().to_owned();
        assert!(!other.has_ended(&name));
        assert!(!other.has_ended(other.process()));
        drop(one);
        assert!(other.has_ended(&name));
    }

    #[test]
    fn a_process_knows_its_own_tickets() {
        let folder = tempfile::tempdir().unwrap();
        let own = journal(&folder);
        let (mut begun, mut waiting) = (own.ticket().unwrap(), own.ticket().unwrap());
        let (begun_name, waiting_name) = (begun.name(), waiting.name());
        begun.announce();
        waiting.announce();
        begun.begin().unwrap();
        assert_eq!(own.trace(&begun_name), Trace::Unknown);
        assert_eq!(own.trace(&waiting_name), Trace::Unknown);
        drop(waiting);
        assert_eq!(own.trace(&waiting_name), Trace::NotBegun);
    }

    #[test]
    fn nothing_is_known_of_another_machine_or_an_earlier_boot() {
        let folder = tempfile::tempdir().unwrap();
        let own = journal(&folder);
        let elsewhere = Uuid::now_v7().simple().to_string();
        assert_eq!(own.trace(&format!("{elsewhere}:1")), Trace::Unknown);
        assert!(!own.has_ended(&elsewhere));
        let file = folder.path().join("processes").join(&elsewhere).with_extension(EXTENSION);
        fs::write(file, "another boot\n").unwrap();
        assert_eq!(own.trace(&format!("{elsewhere}:1")), Trace::Unknown);
        assert!(!own.has_ended(&elsewhere));
        assert_eq!(own.trace("../../etc/passwd:1"), Trace::Unknown);
    }

    #[test]
    fn a_long_journal_is_written_anew_and_forgets_nothing_unsettled() {
        let folder = tempfile::tempdir().unwrap();
        let busy = journal(&folder);
        let unsettled = busy.ticket().unwrap();
        let unsettled_name = unsettled.name();
        unsettled.begin().unwrap();
        for _ in 0..LONGEST / 4 {
            let ticket = busy.ticket().unwrap();
            let name = ticket.name();
            ticket.begin().unwrap();
            busy.settle(&name);
        }
        let waiting = busy.ticket().unwrap().name();
        let file = busy.shared.path_of(&busy.shared.process);
        assert!(fs::metadata(file).unwrap().len() <= LONGEST as u64 + 64);
        drop(busy);
        let other = journal(&folder);
        assert_eq!(other.trace(&unsettled_name), Trace::Unknown);
        assert_eq!(other.trace(&waiting), Trace::NotBegun);
    }
}
