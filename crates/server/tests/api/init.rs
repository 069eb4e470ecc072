//! `lectern init`: by options, and by a person at a terminal.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::program::{lectern, printed};

/// `lectern init` with these options, with no settings around it.
fn init(folder: &Path, options: &[&str]) -> Command {
    let mut command = lectern(folder, &["init"]);
    command.args(options).env_remove("LECTERN_DATA_DIR").env_remove("LECTERN_HTTP__LISTEN");
    command
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn options_make_the_settings_and_the_first_account() {
    let folder = tempfile::tempdir().unwrap();
    let options = [
        "--yes",
        "--email",
        "ada@example.com",
        "--credits",
        "5",
        "--public-url",
        "https://speech.example.com",
    ];
    let output = init(folder.path(), &options).output().unwrap();
    let (out, err) = said(&output);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(out.contains("https://speech.example.com/register?invite=inv_"), "{out}");
    assert!(out.contains("svc_live_") && out.contains("svc_test_"), "{out}");

    let file = folder.path().join("lectern.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("trusted_proxies = [\"127.0.0.1/32\", \"::1/128\"]"), "{text}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    // The file is what the other commands read.
    let mut list =
        lectern(folder.path(), &["admin", "account", "show", "--account", "ada@example.com", "--json"]);
    let account = printed(list.env_remove("LECTERN_DATA_DIR"));
    assert_eq!(
        (&account["email"], &account["has_purchased_credits"]),
        (&"ada@example.com".into(), &true.into()),
        "{account}"
    );

    let again = init(folder.path(), &options).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    assert!(said(&again).1.contains("lectern.toml is there already"), "{:?}", said(&again));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn a_wrong_option_is_named_and_nothing_is_made() {
    for (options, named) in [
        (["--yes", "--listen", "8080"], "http.listen"),
        (["--yes", "--public-url", "speech.example.com"], "http.public_url"),
        (["--yes", "--database", "mysql://h/d"], "database.url"),
        (["--yes", "--mail", "mail.example.com"], "mail.url"),
        (["--yes", "--email", "nobody"], "is not an e-mail address"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let output = init(folder.path(), &options).output().unwrap();
        let err = said(&output).1;
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(named), "{err}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{options:?}");
    }
}

#[test]
fn a_database_that_cannot_be_opened_leaves_no_settings() {
    let folder = tempfile::tempdir().unwrap();
    let output = init(folder.path(), &["--yes", "--database", "sqlite:///proc/none/l.db"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{:?}", said(&output));
    assert!(!folder.path().join("lectern.toml").exists());
}

#[test]
fn an_option_that_the_environment_would_beat_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = init(folder.path(), &["--yes", "--listen", "127.0.0.1:8090"]);
    let output = command.env("LECTERN_HTTP__LISTEN", "127.0.0.1:0").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).1.contains("LECTERN_HTTP__LISTEN"), "{:?}", said(&output));
}

#[test]
fn a_file_that_cannot_be_written_makes_no_account() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--config", "none/lectern.toml", "--yes", "--email", "ada@example.com"];
    let output = init(folder.path(), &options).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{:?}", said(&output));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn without_a_terminal_it_does_not_wait_for_answers() {
    let folder = tempfile::tempdir().unwrap();
    let output = init(folder.path(), &[]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).1.contains("--yes"), "{:?}", said(&output));
}

#[test]
fn a_person_is_asked_again_after_a_wrong_answer() {
    let folder = tempfile::tempdir().unwrap();
    // `script` gives the program a terminal.
    let mut terminal = Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .arg(format!("{} init", env!("CARGO_BIN_EXE_lectern")))
        .arg("/dev/null")
        .current_dir(folder.path())
        .env_clear()
        .envs([
            ("HOME", folder.path().as_os_str()),
            ("PATH", "/usr/bin:/bin".as_ref()),
            ("TERM", "dumb".as_ref()),
        ])
        .env("LECTERN_HTTP__LISTEN", "127.0.0.1:0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The folder; the address is in the environment; the public address, twice; database, mail, registration, account, credits.
    let answers = "store\nspeech.example.com\nhttp://speech.example.com\n\n\ny\nada@example.com\n\n";
    terminal.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    let output = terminal.wait_with_output().unwrap();
    let shown = said(&output).0;
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("bad configuration: http.public_url"), "{shown}");
    let text = fs::read_to_string(folder.path().join("lectern.toml")).unwrap();
    assert!(text.contains("data_dir = \"store\""), "{text}");
    assert!(text.contains("public_url = \"http://speech.example.com\""), "{text}");
    assert!(text.contains("open_registration = true"), "{text}");
    assert!(!text.contains("listen = "), "{text}");
}
