//! Materials from an address: what is fetched, and every address that must not be called.

use lectern_testkit::{DnsServer, Script, Setup, TestReceiver, on_both};
use serde_json::json;

use super::{PATH, reservations, stored};
use crate::outbound::cases::list;

/// A page of a newspaper: an article, and what surrounds it.
fn page(head: &str) -> String {
    let paragraph =
        "The harbour was quiet that morning, and the boats, which had come in late, lay side by side. ";
    let article = format!("<p>{}</p>", paragraph.repeat(2)).repeat(6);
    format!(
        "<html lang=en><head>{head}<title>The Harbour</title></head><body><div class=menu>Subscribe now</div>\
         <div class=article>{article}</div><div class=related><p>You will not believe these boats.</p></div></body></html>"
    )
}

fn answer(media_type: &str, body: impl Into<Vec<u8>>) -> Script {
    Script::Answer { status: 200, headers: vec![("Content-Type", media_type.to_owned())], body: body.into() }
}

fn away(to: &str) -> Script {
    Script::Answer { status: 302, headers: vec![("Location", to.to_owned())], body: Vec::new() }
}

on_both! {
    async fn an_article_of_the_web_becomes_a_material(setup: Setup) {
        let receiver = TestReceiver::start().await;
        let app = setup.with_receiver(&receiver).start().await;
        let account = app.account(0).await;
        receiver.script_path("/moved/301", vec![Script::Redirect]);
        receiver.script_path("/articles/harbour.html", vec![answer("text/html; charset=utf-8", page(""))]);
        let url = receiver.url("/moved/301?to=/articles/harbour.html");
        let made = app.post(PATH, &account.live, &json!({ "url": format!("{url}#comments") })).await;
        assert_eq!(made.status, 202, "{}", made.json());
        let made = made.json();
        assert_eq!(made["source"], json!({
            "filename": "harbour.html",
            "media_type": "text/html",
            "bytes": page("").len(),
            "url": receiver.url("/articles/harbour.html"),
        }));
        let id = made["id"].as_str().unwrap();
        app.until("it is read", async || app.material(&account.live, id).await["status"] == "ready").await;
        let read = app.material(&account.live, id).await;
        assert_eq!((&read["title"], &read["language"]), (&json!("The Harbour"), &json!("en")));
        let text = app.get(&format!("{PATH}/{id}/chunks/0/text"), &account.live).await.json();
        let text = text["text"].as_str().unwrap();
        assert!(text.contains("quiet that morning") && !text.contains("Subscribe") && !text.contains("believe"), "{text}");
        app.finish().await;
    }

    async fn what_cannot_be_fetched_says_why_and_leaves_nothing(setup: Setup) {
        let receiver = TestReceiver::start().await;
        let dns = DnsServer::start().await;
        let app = setup
            .with_receiver(&receiver)
            .resolving_with(&dns)
            .set("LECTERN_LIMITS__FILE_BYTES", "100000")
            .start()
            .await;
        let account = app.account(0).await;
        receiver.script_path("/missing", vec![Script::status(404)]);
        receiver.script_path("/loop", vec![away("/loop"); 7]);
        receiver.script_path("/away/302", vec![Script::Redirect; 3]);
        receiver.script_path("/nowhere", vec![Script::status(302)]);
        receiver.script_path("/closed", vec![Script::Close]);
        receiver.script_path("/half", vec![Script::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".to_vec())]);
        receiver.script_path("/large", vec![Script::EndlessBody(200)]);
        receiver.script_path("/picture", vec![answer("image/png", b"\x89PNG\r\n\x1a\n----".to_vec())]);
        receiver.script_path("/empty", vec![answer("text/plain", "")]);
        receiver.script_path(
            "/packed",
            vec![Script::Answer { status: 200, headers: vec![("Content-Encoding", "gzip".to_owned())], body: vec![1] }],
        );
        for (path, status, code, said) in [
            ("/missing", 422, "validation_failed", "the server answered 404"),
            ("/loop", 422, "validation_failed", "redirects more than 5 times"),
            ("/away/302?to=http://127.0.0.1/", 400, "url_must_be_https", ""),
            ("/away/302?to=https://10.0.0.1/", 400, "url_host_not_allowed", ""),
            ("/away/302?to=https://169.254.169.254/latest/meta-data", 400, "url_host_not_allowed", ""),
            ("/nowhere", 422, "validation_failed", "without saying where"),
            ("/closed", 422, "validation_failed", "the connection was closed"),
            ("/half", 422, "validation_failed", "the connection was closed"),
            ("/large", 413, "file_too_large", ""),
            ("/picture", 422, "material_unreadable", ""),
            ("/empty", 422, "material_unreadable", ""),
            ("/packed", 422, "validation_failed", "compressed its answer"),
        ] {
            let reply = app.post(PATH, &account.live, &json!({ "url": receiver.url(path) })).await;
            assert_eq!((reply.status.as_u16(), reply.refusal()), (status, code.to_owned()), "{path}: {}", reply.json());
            let field = reply.json()["error"]["details"]["fields"]["url"].as_str().unwrap_or_default().to_owned();
            assert!(field.contains(said), "{path}: {field}");
        }
        for (body, field) in [
            (json!({}), "text"),
            (json!({ "text": "Words.", "url": "https://example.com/" }), "url"),
            (json!({ "url": 5 }), "url"),
        ] {
            let reply = app.post(PATH, &account.live, &body).await;
            assert_eq!(reply.refusal(), "validation_failed", "{body}");
            assert!(reply.json()["error"]["details"]["fields"][field].is_string(), "{body}");
        }
        assert_eq!((stored(&app).len(), reservations(&app).await), (0, Some(0)));
        app.finish().await;
    }
}

#[tokio::test]
async fn a_server_says_which_encoding_its_text_has() {
    let receiver = TestReceiver::start().await;
    let app = Setup::default().with_receiver(&receiver).start().await;
    let account = app.account(0).await;
    // The page claims another encoding; what the server says goes before it.
    let page = "<html><meta charset=koi8-r><body><p>Добрый день, гавань!</p></body></html>";
    // In windows-1251 the Russian letters are in the order of Unicode.
    let byte =
        |c: char| if c.is_ascii() { c as u8 } else { u8::try_from(u32::from(c) - 0x410 + 0xC0).unwrap() };
    let body: Vec<u8> = page.chars().map(byte).collect();
    receiver.script_path("/russian", vec![answer("text/html; charset=\"windows-1251\"", body)]);
    let made = app.post(PATH, &account.live, &json!({ "url": receiver.url("/russian") })).await.json();
    let id = made["id"].as_str().unwrap();
    app.until("it is read", async || app.material(&account.live, id).await["status"] == "ready").await;
    let text = app.get(&format!("{PATH}/{id}/chunks/0/text"), &account.live).await.json();
    assert_eq!(text["text"], "Добрый день, гавань!");
    app.finish().await;
}

/// The list of URLs that is registered as webhooks, given as documents: no address is called that a webhook may not call.
#[tokio::test]
async fn no_listed_url_is_fetched_that_must_not_be_called() {
    let dns = DnsServer::start().await;
    let app = Setup::default().resolving_with(&dns).start().await;
    let account = app.account(0).await;
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for case in list().iter().filter(|case| case.stage != "deliver" && case.stage != "forced_retry") {
        // Nothing listens at public addresses here, and a try waits for its time to end.
        let Some(url) = case.url.as_str().filter(|_| !case.accept.iter().any(|verdict| verdict == "allowed"))
        else {
            continue;
        };
        // A fragment is left out before a page is fetched.
        if url.contains('#') || url.is_empty() {
            continue;
        }
        case.prepare(&dns);
        judged += 1;
        let reply = app.post(PATH, &account.live, &json!({ "url": url })).await;
        let code = reply.refusal();
        if !case.accept.contains(&code) {
            wrong.push(format!("{}: {url} is {code}, not one of {:?}", case.id, case.accept));
        }
    }
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(judged > 250, "the list has changed: {judged}");
    app.finish().await;
}

// Negative control: with the networks of webhooks, the page is fetched.
#[tokio::test]
async fn a_network_of_webhooks_is_not_one_of_documents() {
    let receiver = TestReceiver::start().await;
    let app =
        Setup::default().with_receiver(&receiver).set("LECTERN_OUTBOUND__IMPORT_NETWORKS", "").start().await;
    let account = app.account(0).await;
    let reply = app.post(PATH, &account.live, &json!({ "url": receiver.url("/internal") })).await;
    assert_eq!((reply.status.as_u16(), reply.refusal()), (400, "url_host_not_allowed".to_owned()));
    assert_eq!(receiver.count(), 0);
    app.finish().await;
}
