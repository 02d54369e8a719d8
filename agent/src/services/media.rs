//! Files of customers: fetched from the channel, kept, heard when they are voices, and deleted in
//! time. A file that cannot be had never leaves its customer without an answer.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use lembra_entities::{media_file, message};
use object_store::local::LocalFileSystem;
use object_store::path::Path as StorePath;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt};
use sea_orm::DatabaseConnection;

use crate::channels::{FetchedMedia, MediaError};
use crate::clock::SharedClock;
use crate::config::{MediaConfig, MediaStore, Prices};
use crate::domain::message::{Content, Media, MediaKind};
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::finish::JobOutcome;
use crate::jobs::kinds::FetchMedia;
use crate::jobs::relay::Relay;
use crate::llm::transcription::{Heard, OpenAiTranscriber, Transcriber};
use crate::llm::{LlmError, MeteredTranscriber, Purpose};
use crate::services::inboxes::{Inbox, InboxDirectory, InboxError};
use crate::services::intake::{Settings, answer_later};
use crate::services::spending;
use crate::store::media::{MediaState, NOT_PAID};
use crate::store::usage::NewUsage;
use crate::store::{StoreError, StoreResult, db, media, messages, usage};

/// Files deleted per pass.
const PAGE: u64 = 200;

/// The store of files cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum MediaStoreError {
    #[error("the store of files: {0}")]
    Store(#[from] object_store::Error),
    #[error("the folder of files: {0}")]
    Folder(#[from] std::io::Error),
    #[error("HTTP client: {0}")]
    Http(#[from] reqwest::Error),
    #[error(transparent)]
    Rows(#[from] StoreError),
    #[error("some files could not be deleted")]
    Left,
}

/// What fetching needs. Clones share it.
#[derive(Clone)]
pub struct MediaFiles {
    pub db: DatabaseConnection,
    pub clock: SharedClock,
    pub inboxes: InboxDirectory,
    pub relay: Relay,
    pub intake: Settings,
    /// Opened with the first file: most commands need none.
    files: Arc<OnceLock<Arc<dyn ObjectStore>>>,
    store: MediaStore,
    transcriber: Option<Arc<dyn Transcriber>>,
    prices: Prices,
    max_bytes: u64,
}

impl MediaFiles {
    pub fn new(
        db: DatabaseConnection,
        clock: SharedClock,
        inboxes: InboxDirectory,
        relay: Relay,
        intake: Settings,
        config: &MediaConfig,
        prices: Prices,
    ) -> Result<Self, MediaStoreError> {
        let transcriber = match &config.transcription {
            Some(config) => {
                let transcriber = MeteredTranscriber(OpenAiTranscriber::new(config)?);
                Some(Arc::new(transcriber) as Arc<dyn Transcriber>)
            }
            None => None,
        };
        Ok(Self {
            db,
            clock,
            inboxes,
            relay,
            intake,
            files: Arc::default(),
            store: config.store.clone(),
            transcriber,
            prices,
            max_bytes: config.max_bytes,
        })
    }

    fn files(&self) -> Result<Arc<dyn ObjectStore>, MediaStoreError> {
        if let Some(files) = self.files.get() {
            return Ok(files.clone());
        }
        let files = open(&self.store)?;
        Ok(self.files.get_or_init(|| files).clone())
    }

    /// Fetches the file of a message, keeps it and, where somebody waits for its words, hears it.
    pub async fn fetch(&self, job: &ClaimedJob, payload: FetchMedia) -> JobOutcome {
        match self.try_fetch(job, payload.message_id).await {
            Ok(outcome) => outcome,
            Err(InboxError::Store(StoreError::LeaseLost)) => JobOutcome::Done,
            Err(error) => JobOutcome::retry(error),
        }
    }

    /// Nothing came of it: the row says so, and a customer who waits is answered all the same.
    pub async fn give_up(
        &self,
        job: &ClaimedJob,
        payload: FetchMedia,
        why: &str,
    ) -> StoreResult<()> {
        let Some((file, row)) = self.load(payload.message_id).await? else {
            return Ok(());
        };
        match self.inboxes.by_id(row.inbox_id).await {
            Ok(Some(inbox)) => self.end(job, &inbox, &file, &row, Err(why.to_owned())).await,
            Ok(None) | Err(InboxError::Vault(_) | InboxError::Http(_)) => Ok(()),
            Err(InboxError::Store(error)) => Err(error),
        }
    }

    async fn load(
        &self,
        message_id: i64,
    ) -> StoreResult<Option<(media_file::Model, message::Model)>> {
        let file = media::of_message(&self.db, message_id).await?;
        let row = messages::find(&self.db, message_id).await?;
        Ok(file.zip(row))
    }

    async fn try_fetch(&self, job: &ClaimedJob, id: i64) -> Result<JobOutcome, InboxError> {
        let Some((file, row)) = self.load(id).await? else {
            return Ok(JobOutcome::dead("no such message"));
        };
        let Some(inbox) = self.inboxes.by_id(row.inbox_id).await? else {
            return Ok(JobOutcome::retry("no such inbox"));
        };
        let content = row.content.clone().map(serde_json::from_value::<Content>);
        let Some(Ok(Content::Media(described))) = content else {
            return Ok(JobOutcome::dead("the message holds no file"));
        };
        if file.state == MediaState::Kept.as_str() {
            return Ok(JobOutcome::Done);
        }
        let provider_id = row.provider_message_id.as_deref().unwrap_or_default();
        let channel = self.inboxes.channel(&inbox);
        let fetched = match channel.fetch_media(&described, provider_id, self.max_bytes).await {
            Ok(fetched) => fetched,
            Err(MediaError::Retry(error)) => return Ok(JobOutcome::retry(error)),
            Err(MediaError::Refused(error)) => {
                self.end(job, &inbox, &file, &row, Err(error)).await?;
                return Ok(JobOutcome::Done);
            }
        };
        let mime = described.mime.clone().or_else(|| fetched.mime.clone());
        let mime = mime.unwrap_or_else(|| "application/octet-stream".to_owned());
        let path = format!("{}/{}/{}", row.account_id, row.conversation_id, row.id);
        let bytes = fetched.bytes.len();
        let stored = match self.files() {
            Ok(files) => {
                files.put(&StorePath::from(path.as_str()), fetched.bytes.clone().into()).await
            }
            Err(error) => return Ok(JobOutcome::retry(error)),
        };
        if let Err(error) = stored {
            return Ok(JobOutcome::retry(error));
        }
        let paid_for = !spending::is_over(&self.db, row.account_id, self.clock.now()).await?;
        let heard = match self.hear(&file, &described, &fetched, &mime, paid_for).await {
            Ok(heard) => heard,
            Err(error @ LlmError::Unavailable { .. }) => return Ok(JobOutcome::retry(error)),
            // Kept all the same, and its customer asked to write.
            Err(error) => Some(Err(error.to_string())),
        };
        let heard = match heard {
            Some(Ok(heard)) => {
                self.account_for(&row, &heard).await;
                Some(Ok(heard.words))
            }
            Some(Err(why)) => Some(Err(why)),
            None => None,
        };
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, now).await?;
        media::kept(&tx, file.id, &path, &mime, bytes, now).await?;
        if let Some(Err(why)) = &heard {
            media::not_heard(&tx, file.id, why).await?;
        }
        let due = match heard {
            None => BTreeSet::new(),
            Some(heard) => {
                let words = heard.ok().filter(|words| !words.is_empty());
                answer_later(&tx, &self.intake, &inbox, &row, words, now).await?
            }
        };
        tx.commit().await?;
        self.relay.ring_all(due);
        tracing::info!(message.id = row.id, bytes, "media kept");
        Ok(JobOutcome::Done)
    }

    /// The words of a voice that somebody waits for; `None` when nobody does.
    async fn hear(
        &self,
        file: &media_file::Model,
        described: &Media,
        fetched: &FetchedMedia,
        mime: &str,
        paid_for: bool,
    ) -> Result<Option<Result<Heard, String>>, LlmError> {
        if file.state != MediaState::Unheard.as_str() {
            return Ok(None);
        }
        let Some(transcriber) = self.transcriber.as_ref() else {
            return Ok(Some(Err("nobody listens any more".to_owned())));
        };
        if described.kind != MediaKind::Audio {
            return Ok(Some(Err("no audio".to_owned())));
        }
        if !paid_for {
            return Ok(Some(Err(NOT_PAID.to_owned())));
        }
        Ok(Some(Ok(transcriber.transcribe(fetched.bytes.clone(), mime).await?)))
    }

    /// What hearing cost is owed whatever becomes of the message.
    async fn account_for(&self, row: &message::Model, heard: &Heard) {
        let Some(transcriber) = self.transcriber.as_ref() else { return };
        let model = transcriber.model();
        let (prompt_tokens, completion_tokens) = heard.tokens.unwrap_or_default();
        let by_tokens = || self.prices.brl(model, prompt_tokens, completion_tokens);
        let call = NewUsage {
            account_id: row.account_id,
            conversation_id: Some(row.conversation_id),
            purpose: Purpose::Transcription.as_str(),
            model: model.to_owned(),
            prompt_tokens,
            completion_tokens,
            brl: self.prices.brl_of_audio(model, heard.seconds).unwrap_or_else(by_tokens),
        };
        if let Err(error) = usage::record(&self.db, &[call], self.clock.now()).await {
            tracing::warn!(message.id = row.id, %error, "cost of a transcription not written");
        }
    }

    async fn end(
        &self,
        job: &ClaimedJob,
        inbox: &Inbox,
        file: &media_file::Model,
        row: &message::Model,
        result: Result<(), String>,
    ) -> StoreResult<()> {
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, now).await?;
        let why = result.err().unwrap_or_default();
        media::failed(&tx, file.id, &why, now).await?;
        let mut due = BTreeSet::new();
        if file.state == MediaState::Unheard.as_str() {
            due = answer_later(&tx, &self.intake, inbox, row, None, now).await?;
        }
        tx.commit().await?;
        self.relay.ring_all(due);
        tracing::warn!(message.id = row.id, "media not kept");
        Ok(())
    }

    /// The bytes of a message's file; `None` when they are not kept.
    pub async fn read(&self, file: &media_file::Model) -> Result<Option<Bytes>, MediaStoreError> {
        let Some(path) = &file.path else {
            return Ok(None);
        };
        match self.files()?.get(&StorePath::from(path.as_str())).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes files from before that instant; answers how many.
    pub async fn remove_older(&self, before: DateTime<Utc>) -> Result<u64, MediaStoreError> {
        let mut removed = 0;
        loop {
            let page = media::older_than(&self.db, before, PAGE).await?;
            let asked = page.len() as u64;
            let gone = self.remove(page).await?;
            removed += gone;
            if asked < PAGE || gone == 0 {
                return Ok(removed);
            }
        }
    }

    /// Deletes all files of a contact who is erased. An error says that some are still there.
    pub async fn remove_of_contact(&self, contact_id: i64) -> Result<(), MediaStoreError> {
        let files = media::of_contact(&self.db, contact_id).await?;
        let asked = files.len() as u64;
        match self.remove(files).await? {
            gone if gone == asked => Ok(()),
            _ => Err(MediaStoreError::Left),
        }
    }

    /// Deletes these; answers how many are gone.
    async fn remove(&self, files: Vec<(i64, Option<String>)>) -> Result<u64, MediaStoreError> {
        let mut removed = 0;
        for (id, path) in files {
            let deleted = match path {
                None => Ok(()),
                Some(path) => self.files()?.delete(&StorePath::from(path)).await,
            };
            match deleted {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {
                    media::removed(&self.db, id, self.clock.now()).await?;
                    removed += 1;
                }
                Err(error) => tracing::warn!(media.id = id, %error, "file not deleted"),
            }
        }
        Ok(removed)
    }
}

fn open(store: &MediaStore) -> Result<Arc<dyn ObjectStore>, MediaStoreError> {
    Ok(match store {
        MediaStore::Folder(folder) => {
            std::fs::create_dir_all(folder)?;
            Arc::new(LocalFileSystem::new_with_prefix(folder)?)
        }
        MediaStore::Url(url) => {
            let (store, prefix) = object_store::parse_url_opts(url, settings())?;
            Arc::new(PrefixStore::new(store, prefix))
        }
    })
}

/// What the stores' own clients read from the environment, such as `AWS_ACCESS_KEY_ID`.
fn settings() -> Vec<(String, String)> {
    crate::config::env::of_stores()
}
