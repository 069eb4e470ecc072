//! `POST /v1/saas/webhooks`: the refusals, their order, and the limit on endpoints.

use lectern_testkit::{DnsReply, DnsServer, Setup, on_both};
use serde_json::{Value, json};

use super::{PATH, delete, id, patch, register, set_up};

const URL: &str = "https://127.0.0.1:18443/hook";

on_both! {
    async fn a_new_endpoint_is_returned_with_its_secret(setup: Setup) {
        let (app, account, _receiver) = set_up(setup).await;
        let body = json!({ "url": URL, "events": ["material.ready", "chunk.completed"], "description": "Büro" });
        let reply = app.post(PATH, &account.test, &body).await;
        assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (201, "no-store"));
        let made = reply.json();
        let secret = made["secret"].as_str().unwrap();
        assert!(secret.starts_with("whsec_") && secret.len() == 6 + 44, "{secret}");
        assert_eq!(
            made,
            json!({
                "id": made["id"], "url": URL, "events": ["material.ready", "chunk.completed"],
                "description": "Büro", "status": "active", "environment": "test",
                "created_at": "2026-11-21T07:08:11.524Z", "disabled_reason": null, "secret": secret,
            })
        );
        let mut shown = made.clone();
        shown.as_object_mut().unwrap().remove("secret");
        let got = app.get(&format!("{PATH}/{}", id(&made)), &account.test).await;
        assert_eq!((got.status.as_u16(), got.json()), (200, shown.clone()));
        assert_eq!(app.get(PATH, &account.test).await.json(), json!({ "data": [shown], "next_cursor": null }));
        assert_eq!(app.get(PATH, &account.live).await.json()["data"], json!([]), "another environment's endpoint is listed");
        app.finish().await;
    }

    // Negative control: with `has_room` always true, there are 100 endpoints.
    async fn of_a_hundred_simultaneous_registrations_twenty_succeed(setup: Setup) {
        let (app, account, _receiver) = set_up(setup).await;
        let body = json!({ "url": URL, "events": ["chunk.completed"] });
        let replies = (0..100).map(|at| {
            let key = if at % 2 == 0 { &account.live } else { &account.test };
            app.post(PATH, key, &body)
        });
        let mut outcomes = std::collections::BTreeMap::new();
        for reply in futures_util::future::join_all(replies).await {
            let outcome = if reply.status == 201 { "made".to_owned() } else { reply.refusal() };
            *outcomes.entry(outcome).or_insert(0) += 1;
        }
        let wanted = [("made".to_owned(), 20), ("too_many_webhook_endpoints".to_owned(), 80)];
        assert_eq!(outcomes, wanted.into());

        // A disabled endpoint makes room, and cannot be enabled again while there is no room.
        let listed = app.get(&format!("{PATH}?limit=1"), &account.live).await.json();
        let first = id(&listed["data"][0]);
        let disabled = patch(&app, &account.live, &first, &json!({ "status": "disabled" })).await.json();
        assert_eq!((&disabled["status"], &disabled["disabled_reason"]), (&json!("disabled"), &Value::Null));
        let second = id(&register(&app, &account.test, URL, &["chunk.completed"]).await);
        let enabled = patch(&app, &account.live, &first, &json!({ "status": "active" })).await;
        assert_eq!(enabled.refusal(), "too_many_webhook_endpoints");
        assert_eq!(delete(&app, &account.test, &second).await.status, 200);
        assert_eq!(patch(&app, &account.live, &first, &json!({ "status": "active" })).await.status, 200);
        // Enabling an active endpoint does not count it twice.
        assert_eq!(patch(&app, &account.live, &first, &json!({ "status": "active" })).await.status, 200);
        app.finish().await;
    }
}

#[tokio::test]
async fn registration_errors_come_in_the_contracts_order() {
    let dns = DnsServer::start().await;
    dns.answer("nowhere.example.com", DnsReply::addresses(&[]));
    dns.answer("inside.example.com", DnsReply::addresses(&["93.184.216.34", "10.0.0.1"]));
    let (app, account, _receiver) = set_up(Setup::default().resolving_with(&dns)).await;
    let refusal = async |body: Value| {
        let reply = app.post(PATH, &account.live, &body).await;
        match reply.refusal().as_str() {
            "validation_failed" => reply.fields().join(","),
            "invalid_event_type" => {
                let allowed = json!([
                    "chunk.completed",
                    "chunk.failed",
                    "credits.low",
                    "material.completed",
                    "material.failed",
                    "material.ready",
                    "webhook.test",
                ]);
                assert_eq!(reply.json()["error"]["details"], json!({ "allowed": allowed }));
                "invalid_event_type".to_owned()
            }
            code => code.to_owned(),
        }
    };
    let good = json!(["chunk.completed"]);
    for (url, events, expected) in [
        (json!(7), json!("x"), "events,url"),
        (json!("http://127.0.0.1/"), json!([7]), "events[0]"),
        (json!("https://a b.example/"), json!([]), "url"),
        (json!("http://10.0.0.1/"), json!([]), "url_must_be_https"),
        (json!("https://10.0.0.1/"), json!([]), "url_host_not_allowed"),
        (json!("https://169.254.169.254/"), json!([]), "url_host_not_allowed"),
        (json!("https://nowhere.example.com/"), json!([]), "events_required"),
        (json!("https://nowhere.example.com/"), Value::Null, "events_required"),
        (json!("https://nowhere.example.com/"), json!(["no.such"]), "invalid_event_type"),
        (json!("https://nowhere.example.com/"), json!(["chunk.failed", "chunk.failed"]), "events[1]"),
        (json!("https://nowhere.example.com/"), good.clone(), "url"),
        (json!("https://inside.example.com/"), good.clone(), "url_host_not_allowed"),
    ] {
        let mut body = json!({ "url": url });
        if !events.is_null() {
            body["events"] = events.clone();
        }
        assert_eq!(refusal(body).await, expected, "{url} {events}");
    }
    assert_eq!(refusal(json!({ "url": URL, "events": null })).await, "events");
    assert_eq!(
        refusal(json!({ "url": URL, "events": good, "secret": "x", "description": 7 })).await,
        "description,secret"
    );
    // The DNS is checked before the number of endpoints.
    for _ in 0..20 {
        register(&app, &account.live, URL, &["chunk.completed"]).await;
    }
    assert_eq!(refusal(json!({ "url": "https://nowhere.example.com/", "events": good })).await, "url");
    assert_eq!(refusal(json!({ "url": URL, "events": good })).await, "too_many_webhook_endpoints");
    app.finish().await;
}
