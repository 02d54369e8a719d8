//! Exchanging the key that encrypts credentials.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lembra_agent::config::Vault;
use lembra_agent::services::agenda::Agendas;
use lembra_agent::services::handoff::notify;
use lembra_agent::services::inboxes::InboxDirectory;
use lembra_agent::services::keys::{self, Standing};
use lembra_agent::services::tools::http::HttpTools;
use lembra_agent::store::accounts::Changes;
use lembra_agent::store::sealed::{self, SealedColumn};
use lembra_agent::store::{agendas, inboxes};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use crate::support::app::{KEY, TestApp};
use crate::support::bodies::{self, ACCESS_TOKEN, ANA};
use crate::support::on_both_databases;
use crate::support::processes::Installation;
use crate::support::until;

const NEW: [u8; 32] = *b"abcdefghijklmnopqrstuvwxyz012345";
const AGENDA_TOKEN: &str = "chave-da-agenda";
const TOOL_HEADER: &str = "Bearer jabuticaba";

fn old() -> Vec<u8> {
    STANDARD.decode(KEY).unwrap()
}

/// The new key, which opens with the old one, too.
fn both() -> Vault {
    Vault::new(&NEW).unwrap().opening_also(&old()).unwrap()
}

/// Something in each column that is encrypted.
async fn fill(app: &TestApp) {
    let account = app.account().await;
    let url = url::Url::parse("https://agenda.example.com/v1").unwrap();
    let token = SecretString::from(AGENDA_TOKEN);
    app.runtime.agendas.set(account, &url, Some(&token)).await.unwrap();
    let tool = json!({
        "name": "saldo",
        "description": "Saldo de pontos do cliente.",
        "parameters": { "type": "object", "properties": {} },
        "url": "https://erp.example.com/saldo",
        "headers": { "Authorization": TOOL_HEADER },
    });
    let tool = serde_json::from_value(tool).unwrap();
    app.runtime.http_tools.add(account, tool).await.unwrap();
    let secret = notify::new_secret(&app.runtime.config.vault, account).unwrap();
    let address = Some(Some(("https://painel.example.com", secret.sealed.as_str())));
    app.set(Changes { notify: address, ..Changes::default() }).await;
}

/// Per column: what opens with the key, with an older one, and was encrypted anew.
fn counts(found: &[Standing]) -> Vec<(usize, usize, usize)> {
    assert!(found.iter().all(|one| one.unreadable.is_empty()), "{found:?}");
    found.iter().map(|one| (one.current, one.older, one.renewed)).collect()
}

on_both_databases! {
    async fn after_the_exchange_the_new_key_alone_opens_everything(app: TestApp) {
        fill(&app).await;
        let account = app.account().await;
        assert_eq!(counts(&keys::standing(app.db(), &both()).await.unwrap()), [(0, 1, 0); 4]);
        // Before, processes with both keys open everything as well.
        let found = keys::rotate(app.db(), &both()).await.unwrap();
        assert_eq!(counts(&found), [(1, 0, 1); 4]);
        assert!(found.iter().all(Standing::is_settled));
        // Again it changes nothing.
        assert_eq!(counts(&keys::rotate(app.db(), &both()).await.unwrap()), [(1, 0, 0); 4]);

        let alone = Arc::new(Vault::new(&NEW).unwrap());
        assert_eq!(counts(&keys::standing(app.db(), &alone).await.unwrap()), [(1, 0, 0); 4]);
        let (clock, allowed) =
            (app.runtime.clock.clone(), app.runtime.config.tools.allowed_hosts.clone());
        let lines =
            InboxDirectory::new(app.db().clone(), alone.clone(), clock.clone(), allowed.clone());
        let line = lines.unwrap().all().await.unwrap().remove(0);
        assert_eq!(line.meta().unwrap().access_token.expose_secret(), ACCESS_TOKEN);
        let agendas_ = Agendas::new(app.db().clone(), alone.clone(), clock, allowed).unwrap();
        let row = agendas::find(app.db(), account).await.unwrap().unwrap();
        assert_eq!(agendas_.token(&row).unwrap().unwrap().expose_secret(), AGENDA_TOKEN);
        let tools = HttpTools { vault: alone, ..app.runtime.http_tools.clone() };
        let tool = tools.list(account).await.unwrap().remove(0);
        assert_eq!(tool.declaration.headers.to_map()["authorization"], TOOL_HEADER);

        // The old key opens nothing any more.
        let old = Vault::new(&old()).unwrap();
        let found = keys::standing(app.db(), &old).await.unwrap();
        assert!(found.iter().all(|one| one.unreadable.len() == 1), "{found:?}");
    }

    async fn a_credential_that_is_replaced_meanwhile_is_not_put_back(app: TestApp) {
        let column = SealedColumn::InboxCredentials;
        let read = sealed::page(app.db(), column, 0, 10).await.unwrap().remove(0);
        let token = SecretString::from("token-novo");
        assert!(app.runtime.inboxes.set_token(read.id, token).await.unwrap());
        let plain = both().decrypt(&read.sealed, &read.name).unwrap();
        let anew = both().encrypt(&plain, &read.name).unwrap();
        assert!(!sealed::replace(app.db(), column, &read, anew).await.unwrap());
        keys::rotate(app.db(), &both()).await.unwrap();
        let row = inboxes::list(app.db()).await.unwrap().remove(0);
        let kept = Vault::new(&NEW).unwrap().decrypt(&row.credentials, &row.inbox_key).unwrap();
        assert!(kept.contains("token-novo") && !kept.contains(ACCESS_TOKEN));
    }

    async fn what_no_key_opens_is_named_and_left_as_it_is(app: TestApp) {
        fill(&app).await;
        let before = inboxes::list(app.db()).await.unwrap();
        let strange = Vault::new(&[9; 32]).unwrap().opening_also(&NEW).unwrap();
        let found = keys::rotate(app.db(), &strange).await.unwrap();
        for one in &found {
            assert_eq!((one.current, one.renewed, one.unreadable.len()), (0, 0, 1), "{one:?}");
            assert!(!one.is_settled());
        }
        assert_eq!(found[0].unreadable, [before[0].id]);
        assert_eq!(inboxes::list(app.db()).await.unwrap(), before);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_exchanged_without_closing_a_line() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    let new = STANDARD.encode(NEW);
    let say = |from: &str, id: &str, now: i64| {
        let message = bodies::text_message(from, id, "quanto custa a diária?", now);
        bodies::envelope(&[vec![bodies::messages(&[message])]])
    };
    // Where several processes are exchanged one by one, each must open what the others write.
    installation.set("LEMBRA_KEY_OLD", &new);
    installation.up().await;
    assert_eq!(installation.post(&say(ANA, "wamid.K1", installation.seconds())).await, Some(200));
    assert!(installation.terminate(40).await);
    installation.set("LEMBRA_KEY", &new);
    installation.set("LEMBRA_KEY_OLD", KEY);
    installation.up().await;
    let status = installation.bot_json(&["key", "status"]);
    assert_eq!((&status["settled"], &status["columns"][0]["older"]), (&json!(false), &json!(1)));
    let rotated = installation.bot_json(&["key", "rotate"]);
    assert_eq!((&rotated["settled"], &rotated["columns"][0]["renewed"]), (&json!(true), &json!(1)));
    assert_eq!(installation.post(&say(ANA, "wamid.K2", installation.seconds())).await, Some(200));
    assert!(installation.terminate(40).await);
    installation.set("LEMBRA_KEY_OLD", "");
    installation.up().await;
    assert_eq!(installation.post(&say(ANA, "wamid.K3", installation.seconds())).await, Some(200));
    until(20, "three answers", || async { installation.meta.sends().len() >= 3 }).await;
    // With a key that was never used nothing opens, and the command says so.
    installation.set("LEMBRA_KEY", &STANDARD.encode([9; 32]));
    assert!(!installation.bot(&["key", "status"]).status.success());
    for key in [KEY, &new] {
        assert!(!installation.logs().contains(key), "a key is in a log");
    }
}

/// What is encrypted elsewhere would be left behind by the exchange.
#[test]
fn everything_that_encrypts_is_known_to_the_exchange() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> =
        ["agent/src", "bot/src", "worker/src"].iter().map(|folder| root.join(folder)).collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if text.contains("vault.encrypt(") {
                found.push(path.strip_prefix(&root).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found.retain(|file| !file.ends_with("config/vault.rs"));
    found.sort();
    let known = [
        "agent/src/services/agenda/mod.rs",
        "agent/src/services/handoff/notify.rs",
        "agent/src/services/inboxes/changes.rs",
        "agent/src/services/keys.rs",
        "agent/src/services/tools/http/mod.rs",
    ];
    assert_eq!(found, known, "a column of store::sealed for each");
}
