//! The first start of a fresh machine: a demo account with a simulated line, an agenda and an
//! operator.

use std::net::SocketAddr;
use std::sync::Arc;

use lembra_agent::config::random_bytes;
use lembra_agent::domain::access::Role;
use lembra_agent::services::inboxes::{Inbox, MetaCredentials, NewMetaInbox};
use lembra_agent::services::knowledge::import::File;
use lembra_agent::services::memory::flags::{self, Flag};
use lembra_agent::services::operators;
use lembra_agent::store::operators::NewOperator;
use lembra_agent::store::{accounts, agendas, inboxes};
use lembra_worker::runtime::Runtime;
use secrecy::SecretString;
use url::Url;

use crate::demo_agenda::{self, DemoAgenda};
use crate::simulator::{Simulator, own_url};

const ACCOUNT: &str = "Conta demo";
/// What the demo clinic knows of itself.
const KNOWLEDGE: &str = include_str!("../../templates/demo/knowledge.md");
const OPERATOR: &str = "operador@lembra.local";
const PHONE_NUMBER_ID: &str = "100000000000000";

/// What was made at the first start, to be printed once.
pub struct FirstStart {
    pub email: String,
    pub password: SecretString,
}

/// What only standalone mode has. Clones share it.
#[derive(Clone)]
pub struct Demo {
    pub simulator: Simulator,
    pub agenda: DemoAgenda,
}

/// Makes what is missing, and the simulator and the agenda for where this process listens.
pub async fn prepare(
    runtime: &Runtime,
    address: SocketAddr,
) -> anyhow::Result<(Demo, Option<FirstStart>)> {
    let graph_url = format!("{}/simulator/graph", own_url(address));
    // By the rows: an inbox whose credentials do not open is there all the same.
    let rows = inboxes::list(&runtime.db).await?;
    let first = match rows.iter().find(|row| row.simulated) {
        Some(row) => {
            // The port may be another than the last time.
            inboxes::set_base_url(&runtime.db, row.id, &graph_url).await?;
            None
        }
        None => Some(make(runtime, graph_url).await?),
    };
    runtime.inboxes.forget();
    let inbox = simulated(runtime).await?;
    let agenda = open_agenda(runtime, inbox.account.id, address).await?;
    Ok((Demo { simulator: Simulator::new(inbox, address)?, agenda }, first))
}

/// The demo agenda, under a token of this start. The demo account uses it unless it was given
/// another one.
async fn open_agenda(
    runtime: &Runtime,
    account_id: i64,
    address: SocketAddr,
) -> anyhow::Result<DemoAgenda> {
    let token = random_secret()?;
    let row = agendas::find(&runtime.db, account_id).await?;
    if row.is_none_or(|row| row.base_url.ends_with(demo_agenda::PATH)) {
        // The port may be another than the last time.
        let url = Url::parse(&format!("{}{}", own_url(address), demo_agenda::PATH))?;
        runtime.agendas.set(account_id, &url, Some(&token)).await?;
    }
    Ok(DemoAgenda::open(&runtime.config.data_dir, runtime.clock.clone(), token)?)
}

async fn simulated(runtime: &Runtime) -> anyhow::Result<Arc<Inbox>> {
    let inbox = runtime.inboxes.all().await?.into_iter().find(|inbox| inbox.simulated);
    inbox
        .ok_or_else(|| anyhow::anyhow!("the demo inbox cannot be read: is LEMBRA_KEY another one?"))
}

async fn make(runtime: &Runtime, graph_url: String) -> anyhow::Result<FirstStart> {
    let account = accounts::add(&runtime.db, ACCOUNT, runtime.clock.now()).await?;
    // A demonstration shows what it can; other accounts decide for themselves.
    for flag in [Flag::Extraction, Flag::Recall] {
        flags::set(&runtime.db, account.id, flag, true, "demo", runtime.clock.now()).await?;
    }
    let file = File { name: "demo.md", bytes: KNOWLEDGE.as_bytes(), format: None };
    runtime.knowledge.import(account.id, file).await?;
    let credentials = MetaCredentials {
        app_secret: random_secret()?,
        verify_token: random_secret()?,
        access_token: random_secret()?,
    };
    let inbox = NewMetaInbox {
        account_id: account.id,
        phone_number_id: PHONE_NUMBER_ID.to_owned(),
        credentials,
        graph_url: Some(graph_url),
        simulated: true,
    };
    runtime.inboxes.add_meta(inbox).await?;
    let new = NewOperator {
        account_id: account.id,
        email: OPERATOR.to_owned(),
        name: String::new(),
        role: Role::Admin,
        runs_instance: true,
    };
    let (_, password) = operators::add(&runtime.db, &runtime.clock, new).await?;
    Ok(FirstStart { email: OPERATOR.to_owned(), password })
}

fn random_secret() -> anyhow::Result<SecretString> {
    let bytes = random_bytes::<16>()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into())
}
