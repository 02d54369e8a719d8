//! Lines and units: what is shown of them to whom, and what an account may not choose.

use lembra_agent::domain::access::Role;
use lembra_agent::store::{inboxes, units};
use lembra_entities::inbox;
use reqwest::Method;
use serde_json::json;

use super::settings::{call, stranger};
use crate::support::app::TestApp;
use crate::support::bodies::{ACCESS_TOKEN, APP_SECRET, VERIFY_TOKEN};
use crate::support::on_both_databases;
use crate::support::operator::Operator;

async fn line(app: &TestApp) -> inbox::Model {
    inboxes::list(app.db()).await.expect("answers").remove(0)
}

on_both_databases! {
    async fn a_lines_secrets_are_shown_to_nobody_and_its_webhook_to_who_may_change_it(app: TestApp) {
        let inbox = line(&app).await;
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        for path in ["/inboxes".to_owned(), format!("/inboxes/{}", inbox.id)] {
            let (full, bare) = (admin.get(&path).await.body, viewer.get(&path).await.body);
            assert!(full.contains(&inbox.inbox_key), "{path}");
            assert!(!bare.contains(&inbox.inbox_key), "{path}");
            assert!(bare.contains(&inbox.external_id), "{path}");
            for secret in [ACCESS_TOKEN, APP_SECRET, VERIFY_TOKEN] {
                assert!(!full.contains(secret) && !bare.contains(secret), "{path}");
            }
        }
        let (_, listed) = call(&viewer, Method::GET, "/inboxes", None).await;
        assert_eq!(listed["inboxes"][0]["webhook_url"], json!(null));
        assert_eq!(listed["inboxes"][0]["secrets"], json!(["app_secret", "verify_token", "access_token"]));
        let other = stranger(&app).await;
        let path = |end: &str| format!("/inboxes/{}{end}", inbox.id);
        assert_eq!(other.get(&path("")).await.status, 404);
        assert_eq!(other.post(&path("/resume"), &[]).await.status, 404);
        assert_eq!(other.post(&path("/unit"), &[("unit_id", "")]).await.status, 404);
        assert_eq!(other.post(&path("/secrets"), &[("access_token", "x")]).await.status, 404);
        assert_eq!(line(&app).await.credentials, inbox.credentials);
    }

    async fn a_stopped_line_says_why_and_sends_again_by_hand_or_with_another_token(app: TestApp) {
        let inbox = line(&app).await;
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let stop = async || {
            inboxes::stop(app.db(), inbox.id, "131031 account locked", app.now()).await.expect("is written")
        };
        assert!(stop().await);
        let page = admin.live("/inboxes").await.body;
        assert!(page.contains("131031 account locked") && page.contains("Parada"), "{page}");
        let agent = Operator::sign_in(&app, Role::Agent).await;
        assert_eq!(agent.post(&format!("/inboxes/{}/resume", inbox.id), &[]).await.status, 403);
        assert_eq!(admin.post(&format!("/inboxes/{}/resume", inbox.id), &[]).await.status, 204);
        assert_eq!(line(&app).await.stopped_at, None);
        assert!(stop().await);
        let path = format!("/inboxes/{}/secrets", inbox.id);
        let replaced = admin.post(&path, &[("access_token", " outro-token "), ("app_secret", "")]).await;
        assert_eq!((replaced.status, replaced.location), (204, Some(format!("/inboxes/{}", inbox.id))));
        assert_eq!(line(&app).await.stopped_at, None);
        let opened = app.runtime.inboxes.credentials(&line(&app).await).expect("opens");
        let opened = opened.to_plain().expect("text");
        assert!(opened.contains("outro-token") && opened.contains(APP_SECRET) && !opened.contains(" outro"));
        // What belongs to the other kind of line is refused, and changes nothing.
        let change = json!({ "api_key": "x", "access_token": "y" });
        let (status, problem) = call(&admin, Method::PATCH, &format!("/inboxes/{}", inbox.id), Some(change)).await;
        assert_eq!((status, problem["errors"]["api_key"].is_string()), (422, true));
        let opened = app.runtime.inboxes.credentials(&line(&app).await).expect("opens");
        assert!(opened.to_plain().expect("text").contains("outro-token"));
    }

    async fn only_who_runs_the_installation_points_a_line_into_a_private_network(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let form = |url: &'static str, name: &'static str| [
            ("instance", name), ("base_url", url), ("api_key", "chave"), ("webhook_secret", ""),
        ];
        for address in ["http://127.0.0.1:1/", "http://169.254.169.254", "http://[::1]/", "http://10.1.2.3"] {
            let refused = admin.post("/inboxes/new/evolution", &form(address, "loja")).await;
            assert_eq!(refused.status, 422, "{address}");
            assert!(refused.body.contains("rede privada"), "{address}: {}", refused.body);
            assert!(!refused.body.contains("value=\"chave\""), "{address}");
        }
        assert_eq!(admin.post("/inboxes/new/evolution", &form("https://1.1.1.1/", "loja")).await.status, 204);
        let host = Operator::who_runs_the_instance(&app).await;
        assert_eq!(host.post("/inboxes/new/evolution", &form("http://10.1.2.3", "matriz")).await.status, 204);
        let rows = inboxes::of_account(app.db(), admin.account_id).await.expect("answers");
        assert_eq!(rows.len(), 3);
        assert_eq!((rows[1].base_url.as_deref(), rows[1].public_only), (Some("https://1.1.1.1"), true));
        assert_eq!((rows[2].base_url.as_deref(), rows[2].public_only), (Some("http://10.1.2.3"), false));
        // The same line twice, and a number that is none.
        let taken = admin.post("/inboxes/new/evolution", &form("https://1.1.1.1", "loja")).await;
        assert!(taken.status == 422 && taken.body.contains("instance-error"));
        let meta = [("phone_number_id", "+55 11"), ("app_secret", "a"), ("verify_token", "b"), ("access_token", " ")];
        let refused = admin.post("/inboxes/new/meta", &meta).await.body;
        assert!(refused.contains("phone_number_id-error") && refused.contains("access_token-error"));
        // Another server does not get the key of this one.
        let path = format!("/inboxes/{}", rows[1].id);
        let (status, problem) =
            call(&admin, Method::PATCH, &path, Some(json!({ "base_url": "https://8.8.8.8" }))).await;
        assert_eq!((status, problem["errors"]["api_key"].is_string()), (422, true));
        let moved = json!({ "base_url": "https://8.8.8.8", "api_key": "nova", "jwt_key": "j" });
        let (status, shown) = call(&admin, Method::PATCH, &path, Some(moved)).await;
        assert_eq!((status, &shown["base_url"]), (200, &json!("https://8.8.8.8")));
        assert_eq!(shown["secrets"], json!(["api_key", "jwt_key"]));
    }

    async fn units_are_named_once_and_lines_are_put_into_those_of_their_account(app: TestApp) {
        let inbox = line(&app).await;
        let admin = Operator::sign_in(&app, Role::Admin).await;
        assert_eq!(admin.post("/units", &[("name", " Centro ")]).await.status, 204);
        assert_eq!(admin.post("/units", &[("name", "Praia")]).await.status, 204);
        let twice = admin.post("/units", &[("name", "Centro")]).await;
        assert_eq!((twice.status, twice.notice.as_deref()), (400, Some("Já existe.")));
        let rows = units::list(app.db(), admin.account_id).await.expect("answers");
        let path = format!("/units/{}", rows[1].id);
        assert_eq!(admin.post(&path, &[("name", "Centro")]).await.status, 400);
        assert_eq!(admin.post(&path, &[("name", "Serra")]).await.status, 204);
        let unit_path = format!("/inboxes/{}/unit", inbox.id);
        let unit = rows[1].id.to_string();
        assert_eq!(admin.post(&unit_path, &[("unit_id", &unit)]).await.status, 204);
        assert_eq!(line(&app).await.unit_id, Some(rows[1].id));
        assert!(admin.live("/inboxes").await.body.contains("Serra"));
        let other = stranger(&app).await;
        assert_eq!(other.post(&path, &[("name", "Minha")]).await.status, 404);
        let theirs = units::add(app.db(), other.account_id, "Deles", app.now()).await.expect("a unit");
        let refused = admin.post(&unit_path, &[("unit_id", &theirs.id.to_string())]).await;
        assert_eq!((refused.status, refused.notice.as_deref()), (400, Some("Não existe nesta conta.")));
        assert_eq!(line(&app).await.unit_id, Some(rows[1].id));
        let (_, listed) = call(&admin, Method::GET, "/units", None).await;
        assert_eq!(listed["units"][1]["inbox_ids"], json!([inbox.id]));
        assert_eq!(admin.post(&unit_path, &[("unit_id", "")]).await.status, 204);
        assert_eq!(line(&app).await.unit_id, None);
    }
}
