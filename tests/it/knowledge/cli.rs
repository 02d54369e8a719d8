//! Knowledge from the command line.

use serde_json::json;

use crate::support::processes::Installation;

#[tokio::test(flavor = "multi_thread")]
async fn entries_are_kept_from_the_command_line() {
    let Some(installation) = Installation::standalone() else {
        return;
    };
    let bot = |arguments: &[&str]| {
        installation.bot_json(&[&["knowledge"][..], arguments, &["--account", "1"][..]].concat())
    };
    let added = bot(&[
        "add",
        "--question",
        "Tem estacionamento?",
        "--answer",
        "Sim",
        "--category",
        "Estrutura",
    ]);
    assert_eq!((&added["source"], &added["status"]), (&json!("cli"), &json!("enabled")));
    let id = added["id"].to_string();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("perguntas.md");
    std::fs::write(&file, "# Pagamento\n## Aceitam pix?\nSim.\n## Aceitam cheque?\n")
        .expect("a file");
    let report = bot(&["import", &file.to_string_lossy()]);
    assert_eq!((&report["added"], &report["refused"][0]["line"]), (&json!(1), &json!(4)));
    assert_eq!(bot(&["import", &file.to_string_lossy()])["unchanged"], 1);
    let list = bot(&["list", "--category", "pagamento"]);
    assert_eq!(list["entries"][0]["source"], "file:perguntas.md");
    assert_eq!(list["entries"].as_array().map(Vec::len), Some(1));
    let hits = bot(&["search", "vcs tem estacionamento?"]);
    assert_eq!(hits["hits"][0]["question"], "Tem estacionamento?");
    let edited = bot(&["edit", &id, "--answer", "Não", "--no-category", "--disable"]);
    assert_eq!((&edited["answer"], &edited["status"]), (&json!("Não"), &json!("disabled")));
    assert!(edited["category"].is_null());
    assert_eq!(bot(&["show", &id])["answer"], "Não");
    assert_eq!(bot(&["search", "tem estacionamento?"])["hits"], json!([]));
    assert_eq!(bot(&["remove", &id])["removed"].to_string(), id);
    for arguments in [
        vec!["knowledge", "show", &id, "--account", "1"],
        vec!["knowledge", "remove", &id, "--account", "1"],
        vec!["knowledge", "import", "nada.csv", "--account", "1"],
        vec!["knowledge", "add", "--question", "a?", "--answer", "b", "--account", "99"],
        vec!["knowledge", "edit", "1", "--category", "x", "--no-category", "--account", "1"],
    ] {
        assert!(!installation.bot(&arguments).status.success(), "{arguments:?}");
    }
}
