//! Memory from the command line.

use crate::support::processes::Installation;

#[tokio::test(flavor = "multi_thread")]
async fn switches_tokens_and_units_are_kept_with_who_and_when() {
    let Some(installation) = Installation::standalone() else {
        return;
    };
    let flags = |arguments: &[&str]| {
        installation.bot_json(&[&["memory", "flags", "--account", "1"], arguments].concat())
    };
    let of = |value: &serde_json::Value, name: &str| {
        let flags = value["flags"].as_array().cloned().unwrap_or_default();
        flags.into_iter().find(|flag| flag["name"] == name).expect("a switch")
    };
    let extraction = "captain_contact_memory_extraction_enabled";
    let recall = "captain_contact_memory_recall_enabled";
    // An account that nobody asked has both off, and learns every kind once it is on.
    let before = flags(&[]);
    assert_eq!(of(&before, extraction)["enabled"], false);
    assert_eq!(of(&before, recall)["enabled"], false);
    assert_eq!(of(&before, "captain_contact_memory_kind_restricao")["enabled"], true);
    let after = flags(&["--set", "extraction=on", "--set", "restricao=off"]);
    assert_eq!(of(&after, extraction)["enabled"], true);
    assert_eq!(of(&after, extraction)["changed_by"], "cli");
    assert!(of(&after, extraction)["changed_at"].is_string());
    assert_eq!(of(&after, recall)["enabled"], false);
    assert_eq!(of(&after, "captain_contact_memory_kind_restricao")["enabled"], false);
    for wrong in ["extraction", "extraction=yes", "humor=on"] {
        let arguments = ["memory", "flags", "--account", "1", "--set", wrong];
        assert!(!installation.bot(&arguments).status.success(), "{wrong}");
    }

    let token = installation.bot_json(&["token", "add", "--account", "1", "--name", "painel"]);
    assert!(token["token"].as_str().unwrap().starts_with("lembra_"));
    let id = token["id"].to_string();
    assert_eq!(installation.bot_json(&["token", "revoke", &id])["revoked"], true);
    let list = installation.bot_json(&["token", "list", "--account", "1"]);
    assert!(list["tokens"][0]["revoked_at"].is_string());
    assert!(!list.to_string().contains(token["token"].as_str().unwrap()));

    let unit = installation.bot_json(&["unit", "add", "--account", "1", "Centro"]);
    let unit = unit["units"][0]["id"].to_string();
    let assigned = installation.bot_json(&["unit", "assign", "--inbox", "1", "--unit", &unit]);
    assert_eq!(assigned["unit_id"].to_string(), unit);
    assert!(
        !installation.bot(&["unit", "assign", "--inbox", "1", "--unit", "99"]).status.success()
    );

    for arguments in [
        vec!["memory", "list", "--account", "1", "--contact", "1"],
        vec!["memory", "forget", "--account", "1", "--phone", "5511999990000"],
        vec!["memory", "export", "--account", "2", "--contact", "1"],
    ] {
        assert!(!installation.bot(&arguments).status.success(), "{arguments:?}");
    }
}
