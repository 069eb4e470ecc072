//! The binary as an operator uses it.

use std::{
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

use crate::program;

fn lectern(folder: &Path, arguments: &[&str]) -> Output {
    program::lectern(folder, arguments).output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    program::printed(&mut program::lectern(folder, arguments))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn an_invitation_creates_an_account_with_keys_and_a_second_one_replaces_the_token() {
    let dir = tempfile::tempdir().unwrap();
    let create = ["admin", "invite", "create", "--email", "Ada@example.com", "--credits", "500", "--json"];
    let first = json(dir.path(), &create);
    assert_eq!(keys(&first), ["account_id", "email", "expires_at", "invite_token", "live_key", "test_key"]);
    assert!(first["live_key"].as_str().unwrap().starts_with("svc_live_"));
    assert!(first["test_key"].as_str().unwrap().starts_with("svc_test_"));
    for named in [["--credits", "500"], ["--tier", "premium"]] {
        let create = ["admin", "invite", "create", "--email", "ada@EXAMPLE.com", "--json"];
        let noted = lectern(dir.path(), &[&create[..], &named].concat());
        let said = String::from_utf8(noted.stderr).unwrap();
        assert_eq!(noted.status.code(), Some(0), "{said}");
        assert!(said.contains("was invited before: it got a new token, and neither"), "{said}");
        let shown = json(dir.path(), &["admin", "account", "show", "--account", "ada@example.com", "--json"]);
        assert_eq!(shown["tier"], "free");
    }
    let again = json(dir.path(), &["admin", "--json", "invite", "create", "--email", "ada@EXAMPLE.com"]);
    assert_eq!((&again["live_key"], &again["test_key"]), (&Value::Null, &Value::Null));
    assert_eq!(again["account_id"], first["account_id"]);
    assert_ne!(again["invite_token"], first["invite_token"]);
    let shown = json(dir.path(), &["admin", "account", "show", "--account", "ada@example.com", "--json"]);
    assert_eq!(
        keys(&shown),
        ["consent", "created_at", "email", "email_confirmed", "has_purchased_credits", "id", "tier"]
    );
    assert_eq!(shown["has_purchased_credits"], true, "invited credits count as a purchase");
    let id = first["account_id"].as_str().unwrap();
    let grant = json(dir.path(), &["admin", "credits", "grant", "--account", id, "--credits", "7", "--json"]);
    assert_eq!(
        (&grant["kind"], &grant["credits"], &grant["balance_after"]),
        (&"grant".into(), &7.into(), &507.into())
    );
    let bought = ["admin", "credits", "grant", "--account", id, "--credits", "3", "--purchase", "--json"];
    assert_eq!(json(dir.path(), &bought)["kind"], "purchase");
    let tier = ["admin", "account", "set-tier", "--account", id, "--tier", "premium", "--json"];
    assert_eq!(json(dir.path(), &tier)["tier"], "premium");
    let confirmed = ["admin", "account", "confirm-email", "--account", id, "--json"];
    assert_eq!(json(dir.path(), &confirmed)["email_confirmed"], true);
    let verified = json(dir.path(), &["admin", "ledger", "verify", "--json"]);
    assert_eq!((&verified["ok"], &verified["accounts"]), (&true.into(), &1.into()));
}

#[test]
fn documents_are_published_once_a_version_and_accepted_for_an_account() {
    let dir = tempfile::tempdir().unwrap();
    json(dir.path(), &["admin", "invite", "create", "--email", "a@example.com", "--json"]);
    let accept = ["admin", "consent", "accept", "--account", "a@example.com", "--json"];
    assert_eq!(json(dir.path(), &accept)["terms_version"], Value::Null, "nothing is published yet");
    std::fs::write(dir.path().join("terms.md"), "Be kind.").unwrap();
    let publish =
        ["admin", "terms", "publish", "--kind", "terms", "--version", "v1", "--file", "terms.md", "--json"];
    let published = json(dir.path(), &publish);
    assert_eq!((&published["kind"], &published["version"]), (&"terms".into(), &"v1".into()));
    assert_eq!(lectern(dir.path(), &publish).status.code(), Some(1), "the same version again");
    let accepted = json(dir.path(), &accept);
    assert_eq!((&accepted["terms_version"], &accepted["privacy_version"]), (&"v1".into(), &Value::Null));
}

#[test]
fn voices_are_listed_and_added() {
    let dir = tempfile::tempdir().unwrap();
    let add = [
        "admin",
        "voices",
        "add",
        "--slug",
        "nova",
        "--name",
        "Nova",
        "--engine",
        "upstream",
        "--voice",
        "nova",
        "--tier",
        "standard",
        "--price",
        "3",
        "--language",
        "en-US",
        "--inactive",
        "--json",
    ];
    let added = json(dir.path(), &add);
    assert_eq!(
        (&added["slug"], &added["active"], &added["price_per_character"]),
        (&"nova".into(), &false.into(), &3.into())
    );
    let listed = json(dir.path(), &["admin", "voices", "list", "--json"]);
    let slugs: Vec<_> = listed.as_array().unwrap().iter().map(|e| e["slug"].as_str().unwrap()).collect();
    assert!(slugs.contains(&"heart") && slugs.contains(&"nova"), "{slugs:?}");
}

#[test]
fn exit_codes_tell_failure_from_wrong_usage_from_bad_configuration() {
    let dir = tempfile::tempdir().unwrap();
    let code = |arguments: &[&str]| lectern(dir.path(), arguments).status.code();
    assert_eq!(code(&["admin", "account", "show", "--account", "nobody@example.com"]), Some(1));
    assert_eq!(code(&["admin", "invite", "create", "--email", "nonsense"]), Some(1));
    assert_eq!(code(&["admin", "invite", "create"]), Some(2));
    assert_eq!(code(&["admin", "invite", "create", "--email", "a@b.c", "--credits", "-1"]), Some(2));
    assert_eq!(code(&["nonsense"]), Some(2));
    assert_eq!(code(&["--config", "missing.toml", "migrate"]), Some(78));
    std::fs::write(dir.path().join("lectern.toml"), "[http]\nlistn = \"x\"\n").unwrap();
    let output = lectern(dir.path(), &["migrate"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78));
    assert!(said.contains("http.listn") && said.contains("no such setting"), "{said}");
}

#[test]
fn another_master_key_than_the_stores_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(lectern(dir.path(), &["migrate"]).status.code(), Some(0));
    std::fs::remove_file(dir.path().join("master.key")).unwrap();
    let output = lectern(dir.path(), &["admin", "voices", "list"]);
    assert_eq!(output.status.code(), Some(78));
    assert!(String::from_utf8(output.stderr).unwrap().contains("secrets.master_key"));
}

#[test]
fn a_service_without_a_voice_pack_names_the_command_that_installs_it() {
    let dir = tempfile::tempdir().unwrap();
    let output = lectern(dir.path(), &["serve"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{said}");
    assert!(said.contains("voice pack") && said.contains("lectern voices fetch hibari"), "{said}");
}

/// A running service. It ends with the test.
struct Served {
    child: std::process::Child,
    data: tempfile::TempDir,
    lines: Vec<String>,
    printed: std::io::BufReader<std::process::ChildStdout>,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts `serve --demo` with the real voice pack on free ports and reads its output up to the
/// second paste command.
fn serve_demo(data: tempfile::TempDir) -> Served {
    use std::io::{BufRead as _, Read as _};
    let mut command = program::lectern(data.path(), &["serve", "--demo"]);
    command
        .env("LECTERN_SPEECH__VOICES_DIR", program::voices())
        .stdout(std::process::Stdio::piped())
        .stderr(std::fs::File::create(data.path().join("log")).unwrap());
    let mut child = command.spawn().unwrap();
    let mut printed = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut lines = Vec::new();
    for line in printed.by_ref().lines() {
        let line = line.unwrap();
        let last = line.contains("ls -l hello.mp3");
        lines.push(line);
        if last {
            break;
        }
    }
    Served { child, data, lines, printed }
}

fn paste(served: &Served, which: usize) -> Output {
    let text = served.lines.join("\n");
    let commands: Vec<&str> = text.match_indices("  curl ").map(|(at, _)| &text[at..]).collect();
    let command = commands[which].split("\n\n").next().unwrap();
    Command::new("sh").args(["-c", command]).current_dir(served.data.path()).output().unwrap()
}

#[test]
fn the_demo_prints_its_addresses_first_and_commands_that_work_even_after_a_restart() {
    let served = serve_demo(tempfile::tempdir().unwrap());
    let bound: Value = serde_json::from_str(&served.lines[0]).unwrap();
    assert_eq!(keys(&bound), ["listening", "management"]);
    let answer: Value = serde_json::from_slice(&paste(&served, 0).stdout).unwrap();
    assert!(answer["audio_url"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{answer}");
    let saved = paste(&served, 1);
    assert!(saved.status.success(), "{saved:?}");
    let mp3 = std::fs::read(served.data.path().join("hello.mp3")).unwrap();
    assert!(mp3.starts_with(b"ID3") && mp3.len() > 10_000);

    // The service shuts down gracefully and starts again on the same store.
    let mut served = served;
    let killed = Command::new("kill").args(["-TERM", &served.child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert!(served.child.wait().unwrap().success(), "did not shut down gracefully");
    let data = std::mem::replace(&mut served.data, tempfile::tempdir().unwrap());
    let again = serve_demo(data);
    let answer: Value = serde_json::from_slice(&paste(&again, 0).stdout).unwrap();
    assert_eq!(answer["credits_charged"], 53, "{answer}");
}

/// The next line of output that contains this text.
fn next_line(served: &mut Served, part: &str) -> String {
    use std::io::BufRead as _;
    let mut line = String::new();
    while !line.contains(part) {
        line.clear();
        assert_ne!(served.printed.read_line(&mut line).unwrap(), 0, "it ended without {part}");
    }
    line.trim().to_owned()
}

/// Posts JSON as a browser would and returns status and body.
fn post(url: &str, body: &Value) -> (u16, Value) {
    let output = Command::new("curl")
        .args(["-sS", "-w", "\n%{http_code}", "-H", "Content-Type: application/json", "-d"])
        .args([&body.to_string(), url])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let (body, status) = said.rsplit_once('\n').unwrap();
    (status.parse().unwrap(), serde_json::from_str(body).unwrap())
}

#[test]
fn the_demo_invites_and_prints_the_links_of_its_mails_and_the_log_has_neither() {
    let mut served = serve_demo(tempfile::tempdir().unwrap());
    let invitation = served.lines.iter().find_map(|line| line.trim().split_once("/register?invite="));
    let (url, token) =
        invitation.map(|(url, token)| (url.to_owned(), token.to_owned())).expect("an invitation");
    let post = |path: &str, body: Value| self::post(&format!("{url}{path}"), &body);
    let (_, invited) = post("/v1/bff/auth/invitation", serde_json::json!({ "invite_token": token }));
    assert_eq!(invited["email"], "guest@lectern.example");
    let password = "seven lanterns over the harbour";
    let body = serde_json::json!({ "invite_token": token, "password": password });
    assert_eq!(post("/v1/bff/auth/register", body).0, 201);
    let link = next_line(&mut served, "/confirm?token=");
    let (_, confirm) = link.split_once("token=").unwrap();
    assert_eq!(post("/v1/bff/auth/confirm", serde_json::json!({ "token": confirm })).0, 200);
    let login = serde_json::json!({ "email": "guest@lectern.example", "password": password });
    let (status, login) = post("/v1/bff/auth/login", login);
    assert_eq!((status, &login["account"]["tier"]), (200, &serde_json::json!("free")), "{login}");
    served.child.kill().unwrap();
    let log = std::fs::read_to_string(served.data.path().join("log")).unwrap();
    assert!(log.contains("a mail was delivered"), "{log}");
    // Negative control: with the log format that other pipes get, every line is a JSON object.
    assert!(log.contains(" POST /v1/bff/auth/register 201 "), "{log}");
    assert!(!log.lines().any(|line| line.starts_with('{')), "the demo's log is in JSON: {log}");
    assert!(!log.contains(confirm) && !log.contains(&token) && !log.contains("guest@"), "{log}");
}

// Negative control: when what is not given is written as empty, the second command erases both.
#[test]
fn a_voice_that_is_changed_keeps_what_is_not_given() {
    let dir = tempfile::tempdir().unwrap();
    let add = |more: &[&str]| {
        let voice = [
            "--slug",
            "ann",
            "--name",
            "Ann",
            "--engine",
            "hibari",
            "--voice",
            "heart",
            "--language",
            "en-US",
        ];
        let command =
            [&["admin", "voices", "add", "--json", "--tier", "free", "--price", "1"], &voice[..], more]
                .concat();
        let shown = json(dir.path(), &command);
        (shown["description"].clone(), shown["gender"].clone())
    };
    assert_eq!(add(&[]), ("".into(), "female".into()), "the voice's own gender");
    assert_eq!(add(&["--description", "Calm.", "--gender", "neutral"]), ("Calm.".into(), "neutral".into()));
    assert_eq!(add(&[]), ("Calm.".into(), "neutral".into()));
    assert_eq!(add(&["--description", ""]), ("".into(), "neutral".into()));
}
