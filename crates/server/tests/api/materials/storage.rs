//! What the store, the storage and their faults have to do with uploads: nothing is lost, and nothing is left.

use lectern_store::Edge;
use lectern_testkit::{Account, Connection, Reply, Setup, TestApp, on_both};
use serde_json::json;

use super::{PATH, file, form, form_type, reservations, stored, upload};

/// Uploads a file, and cuts the transaction that makes its material off at `edge`.
async fn cut_off(app: &TestApp, account: &Account, edge: Edge) -> Reply {
    let whole = form(&[file("a.txt", b"Words.")]);
    // The last boundary makes a form whole.
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
    // The transaction before it, which announces the file, is over then.
    app.until("the file on its way", async || reservations(app).await == Some(1)).await;
    app.faults.cut_next(edge);
    connection.send(&whole[most..]).await;
    let reply = connection.reply().await.unwrap();
    assert!(app.faults.is_spent(), "nothing was cut off");
    reply
}

on_both! {
    // Negative control: with the file deleted whenever the transaction fails it is gone from under the material.
    async fn a_material_whose_commit_was_not_heard_of_is_answered_and_has_its_file(setup: Setup) {
        let app = setup.faulty().by_hand().start().await;
        let account = app.account(0).await;
        let reply = cut_off(&app, &account, Edge::Committed).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        let id = reply.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(app.material(&account.live, &id).await, reply.json());
        assert_eq!((stored(&app).len(), reservations(&app).await), (1, Some(0)));
        app.finish().await;
    }

    async fn a_material_whose_transaction_failed_leaves_no_file(setup: Setup) {
        let app = setup.faulty().by_hand().start().await;
        let account = app.account(0).await;
        let reply = cut_off(&app, &account, Edge::Commit).await;
        assert_eq!(reply.refusal(), "service_unavailable");
        assert_eq!((stored(&app), reservations(&app).await), (Vec::new(), Some(0)));
        assert_eq!(app.get(PATH, &account.live).await.json()["data"], json!([]));
        app.finish().await;
    }
}

#[tokio::test]
async fn a_storage_that_takes_nothing_is_an_error_and_no_material() {
    let app = Setup::default().by_hand().start().await;
    let account = app.account(0).await;
    // A file where the folder should be.
    std::fs::write(app.data().join("objects/materials"), b"").unwrap();
    let reply = upload(&app, &account.live, &[file("a.txt", b"Words.")]).await;
    assert_eq!(reply.refusal(), "internal_error");
    assert_eq!(reservations(&app).await, Some(0));
    assert_eq!(app.get(PATH, &account.live).await.json()["data"], json!([]));
    app.finish().await;
}
