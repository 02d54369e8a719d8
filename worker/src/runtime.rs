//! What every process is made of: opened once, at start, from the configuration.

use std::sync::Arc;

use lembra_agent::clock::SharedClock;
use lembra_agent::config::{Config, Mode};
use lembra_agent::http::public;
use lembra_agent::jobs::journal::ProcessJournal;
use lembra_agent::jobs::relay::Relay;
use lembra_agent::jobs::transport::{Transport, TransportError};
use lembra_agent::llm::{self, ChatModel, embedder};
use lembra_agent::services::agenda::Agendas;
use lembra_agent::services::agent_chat::AgentChat;
use lembra_agent::services::board::admin::Admin;
use lembra_agent::services::deliver::Deliveries;
use lembra_agent::services::handoff::notify::Announcer;
use lembra_agent::services::inboxes::{InboxDirectory, InboxError};
use lembra_agent::services::intake::{Intake, Settings};
use lembra_agent::services::knowledge::Knowledge;
use lembra_agent::services::media::{MediaFiles, MediaStoreError};
use lembra_agent::services::memory::Memories;
use lembra_agent::services::tools::http::HttpTools;
use lembra_agent::services::turn::Turns;
use lembra_agent::store::db;
use lembra_migration::{Migrator, MigratorTrait};
use sea_orm::{DatabaseConnection, DbErr};

/// Why a process cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("the database cannot be opened: {0}")]
    Database(#[from] DbErr),
    #[error("the database is not migrated: run `bot migrate up`")]
    NotMigrated,
    #[error(transparent)]
    Transport(#[from] TransportError),
    #[error(transparent)]
    Inboxes(#[from] InboxError),
    #[error(transparent)]
    Media(#[from] MediaStoreError),
    #[error("HTTP client: {0}")]
    Http(#[from] lembra_agent::http::Error),
}

/// The opened parts. Clones share them.
#[derive(Clone)]
pub struct Runtime {
    pub config: Config,
    pub db: DatabaseConnection,
    /// For intake alone; see [`db::connect_for_intake`].
    pub intake_db: DatabaseConnection,
    pub clock: SharedClock,
    pub relay: Relay,
    pub inboxes: InboxDirectory,
    pub agendas: Agendas,
    pub turns: Turns,
    pub deliveries: Deliveries,
    pub journal: ProcessJournal,
    pub media: MediaFiles,
    pub memories: Memories,
    pub http_tools: HttpTools,
    pub announcer: Announcer,
    pub knowledge: Knowledge,
    pub model: Arc<dyn ChatModel>,
}

impl Runtime {
    /// What changes accounts, their lines and their people.
    pub fn admin(&self) -> Admin<'_> {
        Admin {
            db: &self.db,
            clock: &self.clock,
            config: &self.config,
            inboxes: &self.inboxes,
            agendas: &self.agendas,
            public: &self.http_tools.http,
        }
    }

    /// Opens database, transport and model. A standalone database is migrated; a production one
    /// must be migrated already.
    pub async fn open(config: Config, clock: SharedClock) -> Result<Self, StartError> {
        lembra_agent::http::install_tls_provider();
        let db = db::connect(&config.database).await?;
        match config.mode {
            _ if db::is_migrated(&db).await? => {}
            Mode::Standalone => Migrator::up(&db, None).await?,
            Mode::Production => return Err(StartError::NotMigrated),
        }
        let intake_db = db::connect_for_intake(&config.database, Intake::committers()).await?;
        let transport = Transport::open(&config.transport).await?;
        let relay = Relay::new(db.clone(), transport, clock.clone());
        let allowed = config.tools.allowed_hosts.clone();
        let (vault, open) = (config.vault.clone(), allowed.clone());
        let inboxes = InboxDirectory::new(db.clone(), vault.clone(), clock.clone(), open)?;
        let agendas = Agendas::new(db.clone(), vault, clock.clone(), allowed)?;
        let model = llm::from_config(&config.llm)?;
        let mut memory_llm = config.llm.clone();
        memory_llm.model = config.memory.model.clone().unwrap_or(memory_llm.model);
        let memories = Memories {
            db: db.clone(),
            recall_db: db::connect_for_recall(&config.database, &db).await?,
            clock: clock.clone(),
            model: llm::from_config(&memory_llm)?,
            embedder: embedder::from_config(&config.llm, &config.memory)?,
            config: Arc::new(config.memory.clone()),
        };
        let public_http = public::client(config.tools.allowed_hosts.clone())?;
        let http_tools = HttpTools {
            db: db.clone(),
            clock: clock.clone(),
            vault: config.vault.clone(),
            http: public_http.clone(),
        };
        let announcer = Announcer {
            db: db.clone(),
            clock: clock.clone(),
            vault: config.vault.clone(),
            http: public_http,
        };
        let knowledge = Knowledge::new(
            db.clone(),
            clock.clone(),
            memories.embedder.clone(),
            memories.config.clone(),
        );
        let turns = Turns {
            db: db.clone(),
            clock: clock.clone(),
            chat: AgentChat::new(model.clone()),
            inboxes: inboxes.clone(),
            memories: memories.clone(),
            agendas: agendas.clone(),
            http_tools: http_tools.clone(),
            knowledge: knowledge.clone(),
            relay: relay.clone(),
            answering: config.answering.clone(),
        };
        let journal = ProcessJournal::new(config.data_dir.join("processes"));
        let deliveries = Deliveries {
            db: db.clone(),
            clock: clock.clone(),
            inboxes: inboxes.clone(),
            journal: journal.clone(),
            longest_wait: config.answering.max_answer_age,
        };
        let intake = Settings::of(&config.answering, &config.media);
        let media = MediaFiles::new(
            db.clone(),
            clock.clone(),
            inboxes.clone(),
            relay.clone(),
            intake,
            &config.media,
            config.memory.prices.clone(),
        )?;
        Ok(Self {
            config,
            db,
            intake_db,
            clock,
            relay,
            inboxes,
            agendas,
            turns,
            deliveries,
            journal,
            media,
            memories,
            http_tools,
            announcer,
            knowledge,
            model,
        })
    }
}
