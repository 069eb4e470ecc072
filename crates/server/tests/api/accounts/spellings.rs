//! An address has one account in every spelling of its host (UTS 46).

use lectern_service::services::accounts::invitations::{self, InviteError};
use lectern_testkit::{Database, Kind, Setup};
use serde_json::{Value, json};

use super::{CONFIRM, PASSWORD, REGISTER, link, login, mails, open, recovery::forgot, send};
use crate::program;

// Negative control: with addresses compared only in lower case, the mail of the first registration
// is not sent to the ASCII form.
#[tokio::test]
async fn an_address_has_one_account_however_its_host_is_spelt() {
    let app = open(Setup::default()).start().await;
    for (first, twin, in_mail) in [
        ("u@bücher.example", "u@xn--bcher-kva.example", "u@xn--bcher-kva.example"),
        ("V@XN--bcher-kva.example", "v@BÜCHER.example", "V@XN--bcher-kva.example"),
    ] {
        let registration = |email: &str| json!({ "password": PASSWORD, "email": email });
        let reply = send(&app, REGISTER, &registration(first)).await;
        assert_eq!(reply.status, 201, "{}", reply.json());
        assert_eq!(reply.json()["account"]["email"], first, "the address is shown as it was given");
        let mail = mails(&app).pop().unwrap();
        assert!(mail.is_ascii() && mail.contains(&format!("\r\nTo: {in_mail}\r\n")), "{mail}");

        assert_eq!(send(&app, REGISTER, &registration(twin)).await.refusal(), "email_in_use");
        let invited = invitations::invite(&app.base, twin, None, None).await;
        assert!(matches!(invited, Err(InviteError::AlreadyRegistered(_))), "{invited:?}");

        let confirmed = send(&app, CONFIRM, &json!({ "token": link(&mail, "confirm") })).await;
        assert_eq!(confirmed.status, 200, "{}", confirmed.json());
        for spelling in [first, twin] {
            let reply = login(&app, spelling, PASSWORD).await;
            assert_eq!(reply.status, 200, "{spelling}: {}", reply.json());
            assert_eq!(reply.json()["account"]["email"], first);
            forgot(&app, spelling).await;
        }
    }
    app.finish().await;
}

/// Such accounts were created when addresses were compared only in lower case.
#[tokio::test]
async fn two_accounts_of_one_address_stay_separate_and_doctor_names_them() {
    let data = tempfile::tempdir().unwrap();
    let database = Database::create(Kind::Sqlite, data.path()).await;
    let lectern = |arguments: &[&str]| {
        let mut command = program::lectern(data.path(), arguments);
        // Nothing listens at this address, so lookups fail at once.
        command.env("LECTERN_OUTBOUND__RESOLVER", "127.0.0.1:1").envs(database.settings());
        command
    };
    assert!(lectern(&["migrate"]).status().unwrap().success());
    let found = || {
        let printed = lectern(&["doctor", "--json"]).output().unwrap().stdout;
        let report: Value = serde_json::from_slice(&printed).unwrap();
        report["findings"].as_array().unwrap().iter().find(|finding| finding["what"] == "accounts").cloned()
    };
    let twins = ["u@bücher.example", "u@xn--bcher-kva.example"];
    for (made, twin) in ["one@example.com", "two@example.com"].iter().zip(twins) {
        program::printed(&mut lectern(&["admin", "invite", "create", "--email", made, "--json"]));
        assert_eq!(found(), None);
        database
            .run(&format!(
                "UPDATE accounts SET email = '{twin}', email_key = '{twin}' WHERE email = '{made}'"
            ))
            .await;
    }
    for twin in twins {
        let shown =
            program::printed(&mut lectern(&["admin", "account", "show", "--account", twin, "--json"]));
        assert_eq!(shown["email"], twin);
    }
    let finding = found().expect("they are named");
    assert_eq!(finding["state"], "note");
    assert!(finding["detail"].as_str().unwrap().contains(&twins.join(" = ")), "{finding}");
    database.end().await;
}
