//! Mails: sent at once, retried after failures, and never sent without the change that they
//! announce.

use lectern_service::{config::MailUrl, services::mailing};
use lectern_store::mails as stored;
use lectern_testkit::{Reply, TestApp, on_both};
use lectern_types::AccountId;
use serde_json::json;

use super::{CONFIRM, PASSWORD, REGISTER, invite, link, mails, register, send, setup, unlimited};

fn account(reply: &Reply) -> AccountId {
    reply.json()["account"]["id"].as_str().unwrap().parse().unwrap()
}

async fn progress(app: &TestApp, account: AccountId) -> stored::Progress {
    stored::list(&app.base.store, account, 10).await.unwrap().swap_remove(0)
}

#[tokio::test]
async fn a_mail_is_sent_before_its_request_is_answered() {
    let app = setup().start().await;
    let account = account(&register(&app, "ada@example.com").await);
    let mail = mails(&app).swap_remove(0);
    let (headers, text) = mail.split_once("\r\n\r\n").unwrap();
    assert!(headers.contains("Subject: Confirm your address"), "{headers}");
    assert!(headers.contains("Content-Transfer-Encoding: 7bit"), "{headers}");
    assert!(text.is_ascii() && text.contains("nobody\r\ncan sign in."), "{text}");
    let noted = progress(&app, account).await;
    assert_eq!((noted.attempts, noted.last_error), (1, None));
    assert_eq!(noted.delivered_at, Some(app.clock.now()));
    app.finish().await;
}

on_both! {
    // Negative control: when the worker ignores the clock, the mail arrives before the ten seconds
    // are over.
    async fn an_undeliverable_mail_is_retried_and_its_error_is_kept(setup: Setup) {
        let app = unlimited(setup).start().await;
        let MailUrl::Directory(directory) = &app.base.config.mail.url else { panic!("mails are not files") };
        std::fs::write(directory, "in the way").unwrap();
        let account = account(&register(&app, "ada@example.com").await);
        let failed = progress(&app, account).await;
        assert_eq!((failed.attempts, failed.delivered_at), (1, None));
        let why = failed.last_error.unwrap();
        assert!(why.contains("could not be written") && !why.contains("ada@"), "{why}");
        assert_eq!(failed.next_attempt_at, app.clock.now().plus_seconds(10));

        app.clock.advance_seconds(10);
        mailing::deliver_due(&app.base).await.unwrap();
        app.until("a second attempt", async || progress(&app, account).await.attempts == 2).await;
        assert_eq!(progress(&app, account).await.next_attempt_at, app.clock.now().plus_seconds(60));

        std::fs::remove_file(directory).unwrap();
        app.clock.advance_seconds(59);
        mailing::deliver_due(&app.base).await.unwrap();
        assert_eq!(mails(&app).len(), 0);
        app.clock.advance_seconds(1);
        mailing::deliver_due(&app.base).await.unwrap();
        app.until("a delivery", async || mails(&app).len() == 1).await;
        app.until("its note", async || progress(&app, account).await.delivered_at.is_some()).await;
        let token = link(&mails(&app)[0], "confirm");
        assert_eq!(send(&app, CONFIRM, &json!({ "token": token })).await.status, 200);
        app.finish().await;
    }
}

#[tokio::test]
async fn a_refused_registration_leaves_no_mail() {
    let app = setup().start().await;
    let token = invite(&app, "ada@example.com").await;
    let body = json!({ "password": PASSWORD, "invite_token": token });
    let account = account(&send(&app, REGISTER, &body).await);
    assert_eq!(send(&app, REGISTER, &body).await.refusal(), "invite_invalid");
    assert_eq!(stored::list(&app.base.store, account, 10).await.unwrap().len(), 1);
    assert_eq!(mails(&app).len(), 1);
    app.finish().await;
}

// Negative control: with the mail stored in plain text, the database's file contains the token.
#[tokio::test]
async fn a_pending_mail_is_encrypted_in_the_database() {
    let app = setup().start().await;
    let MailUrl::Directory(directory) = &app.base.config.mail.url else { panic!("mails are not files") };
    std::fs::write(directory, "in the way").unwrap();
    register(&app, "ada@example.com").await;
    let mut database = Vec::new();
    for name in ["lectern.db", "lectern.db-wal"] {
        database.extend(std::fs::read(app.base.config.data_dir.join(name)).unwrap_or_default());
    }
    let holds = |text: &[u8]| database.windows(text.len()).any(|bytes| bytes == text);
    assert!(holds(b"ada@example.com"), "the database was not read");
    assert!(!holds(b"?token=") && !holds(PASSWORD.as_bytes()));
    app.finish().await;
}

// Negative control: without a limit on the wait for the first attempt, the response takes as long
// as the attempt, 30 s.
#[tokio::test]
async fn an_answer_does_not_wait_for_a_silent_mail_server() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", silent.local_addr().unwrap());
    let app = setup().set("LECTERN_MAIL__URL", &url).start().await;
    let started = std::time::Instant::now();
    let account = account(&register(&app, "ada@example.com").await);
    assert!(started.elapsed() < std::time::Duration::from_secs(8), "{:?}", started.elapsed());
    assert_eq!(progress(&app, account).await.attempts, 0, "the attempt has not ended");
    drop(silent);
    app.end().await;
}
