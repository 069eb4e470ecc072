//! The list of URLs through the API, for new and for changed webhooks.

use lectern_testkit::{DnsServer, Reply, Setup, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

use super::cases::list;

const PATH: &str = "/v1/saas/webhooks";

fn verdict(reply: &Reply) -> String {
    match reply.status.as_u16() {
        200 | 201 => "allowed".to_owned(),
        status => {
            let code = reply.refusal();
            let wanted = match code.as_str() {
                "validation_failed" => 422,
                "service_unavailable" => 503,
                "request_too_large" => 413,
                _ => 400,
            };
            assert_eq!(status, wanted, "{code}");
            code
        }
    }
}

async fn delete(app: &TestApp, key: &str, id: &Value) {
    let path = format!("{PATH}/{}", id.as_str().unwrap());
    let deleted = app.send(app.request(Method::DELETE, &path).bearer_auth(key)).await;
    assert_eq!(deleted.status, 200);
}

#[tokio::test]
async fn every_listed_url_gets_its_verdict_over_the_api_as_new_and_as_change() {
    let dns = DnsServer::start().await;
    let app = Setup::default().resolving_with(&dns).start().await;
    let account = app.account(1_000).await;
    let events = json!(["chunk.completed"]);
    let standing = json!({ "url": "https://8.8.8.8/hook", "events": events });
    let standing = app.post(PATH, &account.live, &standing).await.json()["id"].clone();
    let place = format!("{PATH}/{}", standing.as_str().unwrap());
    let (mut wrong, mut judged) = (Vec::new(), 0);
    // A stored address that must not be called is refused at connection time, which `pinning`
    // tests.
    for case in list().iter().filter(|case| case.stage != "deliver" && case.stage != "forced_retry") {
        case.prepare(&dns);
        judged += 1;
        let new = app.post(PATH, &account.live, &json!({ "url": case.url, "events": events })).await;
        if new.status == 201 {
            delete(&app, &account.live, &new.json()["id"]).await;
        }
        let change =
            app.request(Method::PATCH, &place).bearer_auth(&account.live).json(&json!({ "url": case.url }));
        let changed = app.send(change).await;
        // A change without a URL changes nothing.
        let verdicts = [verdict(&new), if case.url.is_null() { verdict(&new) } else { verdict(&changed) }];
        if verdicts.iter().any(|verdict| !case.accept.contains(verdict)) {
            wrong.push(format!("{}: {} is {verdicts:?}, not one of {:?}", case.id, case.url, case.accept));
        }
        if verdicts[0] == "validation_failed" {
            assert!(new.json()["error"]["details"]["fields"]["url"].is_string(), "{}", case.id);
        }
    }
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(judged, 395, "the list has changed");
    app.finish().await;
}

/// The order of checks across the body: form, scheme and host of the URL, then the subscription,
/// then the DNS.
#[tokio::test]
async fn the_url_is_checked_before_the_subscription_and_the_dns_after_it() {
    let dns = DnsServer::start().await;
    let app = Setup::default().resolving_with(&dns).start().await;
    let account = app.account(1_000).await;
    for (url, events, code) in [
        ("https://127.0.0.1:0/", json!([]), "validation_failed"),
        ("http://127.0.0.1/", json!([]), "url_must_be_https"),
        ("https://127.0.0.1/", json!([]), "url_host_not_allowed"),
        ("https://nowhere.example.com/", json!([]), "events_required"),
        ("https://nowhere.example.com/", json!(["chunk.done"]), "invalid_event_type"),
        ("https://nowhere.example.com/", json!(["chunk.failed"]), "validation_failed"),
    ] {
        let reply = app.post(PATH, &account.live, &json!({ "url": url, "events": events })).await;
        assert_eq!(verdict(&reply), code, "{url} {events}");
    }
    let kept = app
        .post(PATH, &account.live, &json!({ "url": "HTTPS://8.8.8.8:0443/A", "events": ["chunk.failed"] }))
        .await;
    assert_eq!(kept.json()["url"], "https://8.8.8.8/A");
    app.finish().await;
}
