//! One look at the database per topic, however many pages are open on it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lembra_agent::store::board::live::{self, Topic};
use lembra_worker::runtime::Runtime;
use tokio::sync::watch;

/// How often the database is looked at for each topic that somebody has open.
const LOOK_EVERY: Duration = Duration::from_millis(500);

type Key = (i64, Topic);
type Looking = HashMap<Key, watch::Sender<String>>;

/// All topics that somebody looks at. Clones share them.
#[derive(Clone, Default)]
pub struct Watchers(Arc<Mutex<Looking>>);

/// One page's view of a topic.
pub struct Watch(watch::Receiver<String>);

impl Watch {
    /// The word of the topic now; empty before the first look.
    pub fn word(&self) -> String {
        self.0.borrow().clone()
    }

    /// Until the word is another one.
    pub async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            // Nobody looks any more. The stream ends in its time, and the next one begins anew.
            std::future::pending::<()>().await;
        }
    }
}

impl Watchers {
    fn looking(&self) -> MutexGuard<'_, Looking> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to look, unless somebody looks already.
    pub fn watch(&self, runtime: &Runtime, account_id: i64, topic: Topic) -> Watch {
        let key = (account_id, topic);
        let mut looking = self.looking();
        if let Some(sender) = looking.get(&key) {
            return Watch(sender.subscribe());
        }
        let (sender, receiver) = watch::channel(String::new());
        looking.insert(key, sender);
        tokio::spawn(look(Look(self.clone(), key), runtime.clone()));
        Watch(receiver)
    }

    /// Tells everybody; false when nobody is there any more, and the topic is forgotten.
    fn tell(&self, key: Key, word: String) -> bool {
        let mut looking = self.looking();
        let listening = looking.get(&key).is_some_and(|sender| sender.receiver_count() > 0);
        if !listening {
            looking.remove(&key);
            return false;
        }
        if let Some(sender) = looking.get(&key) {
            sender.send_if_modified(|last| {
                let changed = *last != word;
                *last = word;
                changed
            });
        }
        true
    }

    fn word(&self, key: Key) -> String {
        self.looking().get(&key).map(|sender| sender.borrow().clone()).unwrap_or_default()
    }
}

/// Forgets the topic when its look ends, in whatever way: the next page begins another one.
struct Look(Watchers, Key);

impl Drop for Look {
    fn drop(&mut self) {
        self.0.looking().remove(&self.1);
    }
}

async fn look(look: Look, runtime: Runtime) {
    let Look(watchers, key) = &look;
    let key = *key;
    let mut every = tokio::time::interval(LOOK_EVERY);
    loop {
        every.tick().await;
        let (account_id, topic) = key;
        let word = live::version(&runtime.db, account_id, topic, runtime.clock.now()).await;
        // A database that does not answer now answers at the next look.
        let word = word.unwrap_or_else(|_| watchers.word(key));
        if !watchers.tell(key, word) {
            return;
        }
    }
}
