//! Failures of the store and the storage during uploads: nothing is lost, and nothing is left over.

use lectern_store::Edge;
use lectern_testkit::{Account, Connection, Reply, Setup, TestApp, on_both};
use serde_json::json;

use super::{PATH, file, form, form_type, reservations, stored, upload};

/// Uploads a file and cuts off the transaction that creates its material at `edge`.
async fn cut_off(app: &TestApp, account: &Account, edge: Edge) -> Reply {
    let whole = form(&[file("a.txt", b"Words.")]);
    // The form is complete only with its last boundary.
    let most = whole.len() - 10;
    let mut connection = Connection::open(&app.url).await;
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
        account.live,
        form_type(),
        whole.len(),
    );
    connection.send(head).await;
    connection.send(&whole[..most]).await;
    // By then, the transaction that reserves the file is over.
    app.until("the file on its way", async || reservations(app).await == Some(1)).await;
    app.faults.cut_next(edge);
    connection.send(&whole[most..]).await;
    let reply = connection.reply().await.unwrap();
    assert!(app.faults.has_fired(), "nothing was cut off");
    reply
}

on_both! {
    // Negative control: if the file is deleted after every failed transaction, the material has
    // lost its file.
    async fn a_material_whose_commit_answer_was_lost_is_returned_with_its_file(setup: Setup) {
        let app = setup.with_faults().without_workers().start().await;
        let account = app.account(0).await;
        let reply = cut_off(&app, &account, Edge::Committed).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        let id = reply.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(app.material(&account.live, &id).await, reply.json());
        assert_eq!((stored(&app).len(), reservations(&app).await), (1, Some(0)));
        app.finish().await;
    }

    async fn a_material_whose_transaction_failed_leaves_no_file(setup: Setup) {
        let app = setup.with_faults().without_workers().start().await;
        let account = app.account(0).await;
        let reply = cut_off(&app, &account, Edge::Commit).await;
        assert_eq!(reply.refusal(), "service_unavailable");
        assert_eq!((stored(&app), reservations(&app).await), (Vec::new(), Some(0)));
        assert_eq!(app.get(PATH, &account.live).await.json()["data"], json!([]));
        app.finish().await;
    }
}

#[tokio::test]
async fn an_unwritable_storage_is_an_error_and_creates_no_material() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    // A file blocks the directory.
    std::fs::write(app.data().join("objects/materials"), b"").unwrap();
    let reply = upload(&app, &account.live, &[file("a.txt", b"Words.")]).await;
    assert_eq!(reply.refusal(), "internal_error");
    assert_eq!(reservations(&app).await, Some(0));
    assert_eq!(app.get(PATH, &account.live).await.json()["data"], json!([]));
    app.finish().await;
}
