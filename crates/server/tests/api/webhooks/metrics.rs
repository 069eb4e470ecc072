//! The webhook metrics in `/metrics`.

use lectern_testkit::{Script, Setup};
use reqwest::Method;

use super::{attempted, id, patch, register, set_up, try_out};

// Negative control: without `gauge_webhooks` in the route, the gauges are missing.
#[tokio::test]
async fn the_oldest_undelivered_event_and_the_backlog_are_shown_by_environment() {
    let (app, account, receiver) = set_up(Setup::default()).await;
    let shown = async |name: &str| {
        let url = format!("{}/metrics", app.management);
        let text = String::from_utf8(app.send(app.request(Method::GET, &url)).await.bytes).unwrap();
        let line =
            text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("no {name}"));
        line.trim().parse::<f64>().unwrap()
    };
    receiver.script(Script::status(500));
    let webhook = id(&register(&app, &account.test, &receiver.url("/"), &["chunk.failed"]).await);
    let sent = id(&try_out(&app, &account.test, &webhook).await);
    attempted(&app, &account.test, &webhook, &sent, 1).await;
    let refused = r#"lectern_webhook_attempts_total{environment="test",outcome="refused"}"#;
    assert!(shown(refused).await >= 1.0);
    assert!(shown(r#"lectern_webhook_attempt_seconds_count{environment="test"}"#).await >= 1.0);
    assert!(shown(r#"lectern_webhook_delay_seconds_count{environment="test"}"#).await >= 1.0);
    let (backlog, oldest) = ("lectern_webhook_backlog", "lectern_webhook_oldest_undelivered_seconds");
    let of = |name: &str, environment: &str| format!(r#"{name}{{environment="{environment}"}}"#);
    app.clock.advance_seconds(3);
    assert!((shown(&of(backlog, "test")).await - 1.0).abs() < 1e-9);
    assert!((shown(&of(oldest, "test")).await - 3.0).abs() < 1e-9);
    assert!(shown(&of(backlog, "live")).await < 1e-9 && shown(&of(oldest, "live")).await < 1e-9);
    patch(&app, &account.test, &webhook, &serde_json::json!({ "status": "disabled" })).await;
    assert!(shown(&of(backlog, "test")).await < 1e-9 && shown(&of(oldest, "test")).await < 1e-9);
    app.finish().await;
}
