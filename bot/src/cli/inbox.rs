//! `bot inbox`.

use clap::{Args, Subcommand};
use lembra_agent::services::alerts;
use lembra_agent::services::inboxes::{
    EvolutionCredentials, MetaCredentials, NewEvolutionInbox, NewMetaInbox,
};
use lembra_agent::store::{accounts, inboxes};
use lembra_worker::runtime::Runtime;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Inbox {
    /// Connect a number of Meta's Cloud API
    AddMeta(AddMeta),
    /// Connect an instance of Evolution API
    AddEvolution(AddEvolution),
    /// List all inboxes, with their webhook addresses
    List,
    /// Replace the token that a number sends with, and send through it again
    SetToken {
        id: i64,
        /// The new token: of Meta's system user, or Evolution's API key
        #[arg(long)]
        access_token: SecretString,
    },
    /// Send again through a number that was stopped
    Resume { id: i64 },
}

#[derive(Args)]
pub struct AddMeta {
    /// The account that the number belongs to
    #[arg(long)]
    account: i64,
    /// "Phone number ID" in Meta's console, API Setup
    #[arg(long)]
    phone_number_id: String,
    /// "App secret" in Meta's console, App settings, Basic
    #[arg(long)]
    app_secret: SecretString,
    /// A word of your own that Meta repeats when it first calls
    #[arg(long)]
    verify_token: SecretString,
    /// Permanent token of a system user
    #[arg(long)]
    access_token: SecretString,
    /// Another address of the Graph API, such as a proxy's
    #[arg(long)]
    graph_url: Option<url::Url>,
}

#[derive(Args)]
pub struct AddEvolution {
    /// The account that the instance belongs to
    #[arg(long)]
    account: i64,
    /// The instance's name
    #[arg(long)]
    instance: String,
    /// The instance's token, or the server's AUTHENTICATION_API_KEY
    #[arg(long)]
    api_key: SecretString,
    /// Where the server answers, such as https://evo.example.com
    #[arg(long)]
    base_url: url::Url,
    /// A word of your own that Evolution sends in a header of its webhooks
    #[arg(long)]
    webhook_secret: Option<SecretString>,
    /// A word of your own that Evolution signs a token with (its header `jwt_key`)
    #[arg(long)]
    jwt_key: Option<SecretString>,
}

impl Inbox {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        match self {
            Inbox::AddMeta(new) => add_meta(new, runtime, output).await,
            Inbox::AddEvolution(new) => add_evolution(new, runtime, output).await,
            Inbox::List => list(runtime, output).await,
            Inbox::SetToken { id, access_token } => {
                if !runtime.inboxes.set_token(id, access_token).await? {
                    anyhow::bail!("there is no inbox {id}");
                }
                resume(id, runtime, output).await
            }
            Inbox::Resume { id } => resume(id, runtime, output).await,
        }
    }
}

async fn add_meta(new: AddMeta, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    if accounts::find(&runtime.db, new.account).await?.is_none() {
        anyhow::bail!("there is no account {}; see `bot account list`", new.account);
    }
    let digits = new.phone_number_id.chars().all(|c| c.is_ascii_digit());
    if new.phone_number_id.is_empty() || !digits {
        anyhow::bail!(
            "--phone-number-id is the number's id, digits only, and not its telephone number with signs"
        );
    }
    let credentials = MetaCredentials {
        app_secret: new.app_secret,
        verify_token: new.verify_token,
        access_token: new.access_token,
    };
    let row = runtime
        .inboxes
        .add_meta(NewMetaInbox {
            account_id: new.account,
            phone_number_id: new.phone_number_id,
            credentials,
            graph_url: new.graph_url.map(|url| url.as_str().trim_end_matches('/').to_owned()),
            simulated: false,
        })
        .await?;
    let path = format!("/webhooks/meta/{}", row.inbox_key);
    let url = format!("{}{path}", runtime.config.web.base_url());
    let lines = [
        format!("inbox {}  {path}", row.id),
        String::new(),
        "In Meta's console, WhatsApp > Configuration > Webhook, paste:".to_owned(),
        format!("  Callback URL   {url}"),
        "  Verify token   the one that you gave here".to_owned(),
        "and subscribe to: messages, smb_message_echoes".to_owned(),
    ];
    let value = json!({ "id": row.id, "webhook_path": path, "webhook_url": url });
    output.print(&value, &lines);
    Ok(())
}

async fn resume(id: i64, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    if !inboxes::resume(&runtime.db, id).await? {
        anyhow::bail!("there is no inbox {id}");
    }
    let (db, now) = (&runtime.db, runtime.clock.now());
    alerts::settle(db, alerts::Kind::InboxStopped, &format!("inbox {id}"), now).await?;
    let value = json!({ "id": id, "state": "sending" });
    output.print(&value, &[format!("inbox {id} sends again")]);
    Ok(())
}

/// The events that Lembra reads; the others only cost time.
const EVENTS: &str = "MESSAGES_UPSERT, MESSAGES_UPDATE, MESSAGES_EDITED, MESSAGES_DELETE, \
                      MESSAGES_SET, SEND_MESSAGE, CONNECTION_UPDATE, STATUS_INSTANCE, \
                      QRCODE_UPDATED, LOGOUT_INSTANCE, PRESENCE_UPDATE";

async fn add_evolution(new: AddEvolution, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    if accounts::find(&runtime.db, new.account).await?.is_none() {
        anyhow::bail!("there is no account {}; see `bot account list`", new.account);
    }
    if new.instance.trim().is_empty() {
        anyhow::bail!("--instance is the instance's name in Evolution");
    }
    if !matches!(new.base_url.scheme(), "http" | "https") {
        anyhow::bail!("--base-url begins with http:// or https://");
    }
    let is_empty = |secret: &Option<SecretString>| {
        secret.as_ref().is_some_and(|secret| secret.expose_secret().is_empty())
    };
    if is_empty(&new.webhook_secret) || is_empty(&new.jwt_key) {
        anyhow::bail!("--webhook-secret and --jwt-key are left out or hold something");
    }
    let (with_secret, with_key) = (new.webhook_secret.is_some(), new.jwt_key.is_some());
    let row = runtime
        .inboxes
        .add_evolution(NewEvolutionInbox {
            account_id: new.account,
            instance: new.instance,
            credentials: EvolutionCredentials {
                api_key: new.api_key,
                webhook_secret: new.webhook_secret,
                jwt_key: new.jwt_key,
            },
            base_url: new.base_url.as_str().trim_end_matches('/').to_owned(),
        })
        .await?;
    let path = format!("/webhooks/evolution/{}", row.inbox_key);
    let url = format!("{}{path}", runtime.config.web.base_url());
    let headers = match (with_secret, with_key) {
        (false, false) => vec!["  Headers   none: keep the URL secret".to_owned()],
        (true, false) => vec![
            "  Headers   Authorization: Bearer and the --webhook-secret that you gave".to_owned(),
        ],
        (false, true) => vec!["  Headers   jwt_key: the --jwt-key that you gave".to_owned()],
        (true, true) => vec![
            "  Headers   jwt_key: the --jwt-key that you gave".to_owned(),
            "            X-Webhook-Secret: the --webhook-secret that you gave".to_owned(),
        ],
    };
    let mut lines = vec![
        format!("inbox {}  {path}", row.id),
        String::new(),
        "In Evolution's manager, the instance's Events > Webhook, paste:".to_owned(),
        format!("  URL       {url}"),
        format!("  Events    {EVENTS}"),
    ];
    lines.extend(headers);
    lines.push("and leave \"Webhook Base64\" off.".to_owned());
    let value = json!({ "id": row.id, "webhook_path": path, "webhook_url": url });
    output.print(&value, &lines);
    Ok(())
}

async fn list(runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    let rows = inboxes::list(&runtime.db).await?;
    let line = |row: &lembra_entities::inbox::Model| {
        let last = row.last_event_at.map_or("never".to_owned(), |at| at.to_rfc3339());
        let stopped = row.stopped_why.as_deref().map(|why| format!("  STOPPED: {why}"));
        format!(
            "inbox {}  account {}  {} {}  /webhooks/{}/{}  last event {last}{}",
            row.id,
            row.account_id,
            row.channel,
            row.external_id,
            row.channel,
            row.inbox_key,
            stopped.unwrap_or_default()
        )
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    let list = rows.iter().map(|row| {
        json!({
            "id": row.id,
            "account_id": row.account_id,
            "channel": row.channel,
            "external_id": row.external_id,
            "webhook_path": format!("/webhooks/{}/{}", row.channel, row.inbox_key),
            "simulated": row.simulated,
            "last_event_at": row.last_event_at,
            "stopped_at": row.stopped_at,
            "stopped_why": row.stopped_why,
        })
    });
    output.print(&json!({ "inboxes": list.collect::<Vec<_>>() }), &lines);
    Ok(())
}
