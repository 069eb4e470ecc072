//! Payments by Stripe Checkout, against a fake server that follows Stripe's published wire format.

use std::sync::{Arc, Mutex};

use axum::{Json, Router, extract::State, http::HeaderMap, routing::post};
use hmac::{Hmac, KeyInit as _, Mac as _};
use lectern_testkit::{Reply, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use crate::accounts::{self, Browser, browser, unlimited};

const SECRET: &str = "whsec_only_for_tests";

/// The requests to the fake server: the fields of their forms and the relevant headers.
type Requests = Arc<Mutex<Vec<(String, HeaderMap)>>>;

/// Starts a fake Stripe and returns its base URL and its requests.
async fn stand_in() -> (String, Requests) {
    let asked = Requests::default();
    let answer = async |State(asked): State<Requests>, headers: HeaderMap, form: String| {
        asked.lock().unwrap().push((form, headers));
        Json(json!({
            "id": "cs_test_1", "object": "checkout.session", "payment_status": "unpaid", "status": "open",
            "url": "https://checkout.stripe.example/c/pay/cs_test_1",
        }))
    };
    let router = Router::new().route("/v1/checkout/sessions", post(answer)).with_state(Arc::clone(&asked));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (base, asked)
}

pub(super) fn with_stripe(setup: Setup, base: &str) -> Setup {
    unlimited(setup)
        .set("LECTERN_STRIPE__SECRET_KEY", "sk_test_only")
        .set("LECTERN_STRIPE__WEBHOOK_SECRET", SECRET)
        .set("LECTERN_STRIPE__API_BASE", base)
}

/// Sends an event as Stripe does.
pub(super) async fn send_event(app: &TestApp, event: &Value, age_seconds: i64) -> Reply {
    let body = event.to_string();
    let time = app.clock.now().unix_seconds() - age_seconds;
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(format!("{time}.{body}").as_bytes());
    let signature = format!("t={time},v1={}", hex::encode(mac.finalize().into_bytes()));
    let request =
        app.request(Method::POST, "/v1/payments/stripe/events").header("stripe-signature", signature);
    app.send(request.header("content-type", "application/json").body(body)).await
}

/// An event about a purchase of 100,000 credits.
fn event(kind: &str, purchase: &str, payment_status: &str) -> Value {
    json!({
        "id": "evt_1", "object": "event", "api_version": "2024-06-20", "type": kind,
        "data": { "object": {
            "id": "cs_test_1", "object": "checkout.session", "client_reference_id": purchase,
            "payment_status": payment_status, "amount_total": 500, "currency": "eur",
        } },
    })
}

async fn buy(app: &TestApp, who: &Browser) -> Value {
    let bought = who.post(app, "/v1/bff/purchases", &json!({ "pack_id": "100000" })).await;
    assert_eq!(bought.status, 201, "{}", bought.json());
    bought.json()
}

async fn standing(app: &TestApp, who: &Browser, purchase: &Value) -> (String, i64) {
    let path = format!("/v1/bff/purchases/{}", purchase["id"].as_str().unwrap());
    let shown = who.get(app, &path).await.json();
    let balance = who.get(app, "/v1/bff/credits/balance").await.json();
    (shown["status"].as_str().unwrap().to_owned(), balance["balance"].as_i64().unwrap())
}

on_both! {
    // Negative control: without the check of the status in `purchases::pay`, the replayed events
    // are booked again.
    async fn a_payment_is_booked_once_whatever_the_number_and_order_of_stripes_events(setup: Setup) {
        let (base, asked) = stand_in().await;
        let app = with_stripe(setup, &base).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let bought = buy(&app, &ada).await;
        let id = bought["id"].as_str().unwrap();
        assert_eq!(bought["checkout_url"], "https://checkout.stripe.example/c/pay/cs_test_1");
        {
            let asked = asked.lock().unwrap();
            let (form, headers) = &asked[0];
            for field in [
                "mode=payment".to_owned(),
                format!("client%5Freference%5Fid={}", id.replace('_', "%5F")),
                "line%5Fitems%5B0%5D%5Bprice%5Fdata%5D%5Bunit%5Famount%5D=500".to_owned(),
                "line%5Fitems%5B0%5D%5Bprice%5Fdata%5D%5Bcurrency%5D=eur".to_owned(),
            ] {
                assert!(form.split('&').any(|pair| pair == field), "{field} is not in {form}");
            }
            assert_eq!(headers["authorization"], "Bearer sk_test_only");
            assert_eq!(headers["idempotency-key"], id);
        }
        // A payment method that takes days: completed, but not paid.
        assert_eq!(send_event(&app, &event("checkout.session.completed", id, "unpaid"), 0).await.status, 200);
        assert_eq!(standing(&app, &ada, &bought).await, ("pending".to_owned(), 0));
        for _ in 0..2 {
            let answer = send_event(&app, &event("checkout.session.async_payment_succeeded", id, "paid"), 0).await;
            assert_eq!(answer.json(), json!({ "received": true }));
            assert_eq!(standing(&app, &ada, &bought).await, ("paid".to_owned(), 100_000));
        }
        for late in ["checkout.session.completed", "checkout.session.expired", "checkout.session.async_payment_failed"] {
            assert_eq!(send_event(&app, &event(late, id, "paid"), 0).await.status, 200);
            assert_eq!(standing(&app, &ada, &bought).await, ("paid".to_owned(), 100_000), "{late}");
        }
        app.finish().await;
    }

    async fn a_declined_payment_costs_nothing_and_a_later_payment_counts(setup: Setup) {
        let (base, _) = stand_in().await;
        let app = with_stripe(setup, &base).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let bought = buy(&app, &ada).await;
        let id = bought["id"].as_str().unwrap();
        send_event(&app, &event("checkout.session.async_payment_failed", id, "unpaid"), 0).await;
        assert_eq!(standing(&app, &ada, &bought).await, ("declined".to_owned(), 0));
        send_event(&app, &event("checkout.session.completed", id, "paid"), 0).await;
        assert_eq!(standing(&app, &ada, &bought).await, ("paid".to_owned(), 100_000));
        app.finish().await;
    }

    async fn an_unpaid_purchase_expires_after_stripes_session_and_a_later_payment_counts(setup: Setup) {
        let (base, _) = stand_in().await;
        let app = with_stripe(setup, &base).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let left = buy(&app, &ada).await;
        app.clock.advance_seconds(24 * 60 * 60);
        lectern_service::workers::sweep::round(&app.base).await.unwrap();
        let ada = browser(&app, "ada@example.com").await;
        assert_eq!(standing(&app, &ada, &left).await.0, "pending");
        app.clock.advance_seconds(60 * 60 + 1);
        lectern_service::workers::sweep::round(&app.base).await.unwrap();
        assert_eq!(standing(&app, &ada, &left).await.0, "expired");
        let late = event("checkout.session.async_payment_succeeded", left["id"].as_str().unwrap(), "paid");
        send_event(&app, &late, 0).await;
        assert_eq!(standing(&app, &ada, &left).await, ("paid".to_owned(), 100_000));
        app.finish().await;
    }

    async fn repeating_a_purchase_under_the_same_key_returns_the_same_payment(setup: Setup) {
        let (base, asked) = stand_in().await;
        let app = with_stripe(setup, &base).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let mut seen = Vec::new();
        for _ in 0..2 {
            let request = ada.request(&app, Method::POST, "/v1/bff/purchases").header("idempotency-key", "once");
            seen.push(app.send(request.json(&json!({ "pack_id": "100000" }))).await.json());
        }
        assert_eq!(seen[0], seen[1]);
        assert_eq!(seen[0]["checkout_url"], "https://checkout.stripe.example/c/pay/cs_test_1");
        assert_eq!(asked.lock().unwrap().len(), 1, "Stripe is asked once");
        app.finish().await;
    }

    // Negative control: with a tolerance of days instead of minutes, the stale event is accepted,
    // and this fails.
    async fn unsigned_events_and_partial_payments_are_not_booked(setup: Setup) {
        let (base, _) = stand_in().await;
        let app = with_stripe(setup, &base).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let bought = buy(&app, &ada).await;
        let paid = event("checkout.session.completed", bought["id"].as_str().unwrap(), "paid");
        assert_eq!(send_event(&app, &paid, 301).await.refusal(), "payment_signature_invalid");
        assert_eq!(send_event(&app, &paid, -301).await.refusal(), "payment_signature_invalid");
        let bare = app.request(Method::POST, "/v1/payments/stripe/events").json(&paid);
        assert_eq!(app.send(bare).await.refusal(), "payment_signature_invalid");
        for (field, value) in [("amount_total", json!(1)), ("currency", json!("jpy")), ("amount_total", json!(null))] {
            let mut cheap = paid.clone();
            cheap["data"]["object"][field] = value;
            assert_eq!(send_event(&app, &cheap, 0).await.status, 200);
        }
        assert_eq!(standing(&app, &ada, &bought).await, ("pending".to_owned(), 0));
        let unknown = event("checkout.session.completed", &format!("pur_{}", "0".repeat(32)), "paid");
        assert_eq!(send_event(&app, &unknown, 0).await.status, 200, "another installation's");
        assert_eq!(send_event(&app, &json!({ "type": "x" }), 0).await.fields(), ["body"]);
        app.finish().await;
    }
}

#[tokio::test]
async fn without_stripe_there_are_no_payments_and_its_outage_costs_nothing() {
    let app = unlimited(Setup::default()).start().await;
    let event = event("checkout.session.completed", "pur_0", "paid");
    assert_eq!(send_event(&app, &event, 0).await.refusal(), "not_found");
    app.finish().await;
    let app = with_stripe(Setup::default(), "http://127.0.0.1:1").start().await;
    accounts::confirmed(&app, "ada@example.com").await;
    let ada = browser(&app, "ada@example.com").await;
    let refused = ada.post(&app, "/v1/bff/purchases", &json!({ "pack_id": "100000" })).await;
    assert_eq!(refused.refusal(), "service_unavailable");
    for _ in 0..2 {
        let keyed = ada.request(&app, Method::POST, "/v1/bff/purchases").header("idempotency-key", "again");
        let refused = app.send(keyed.json(&json!({ "pack_id": "100000" }))).await;
        assert_eq!(refused.refusal(), "service_unavailable", "the key is free again at once");
    }
    let listed = ada.get(&app, "/v1/bff/purchases").await.json();
    assert_eq!(listed["data"][0]["status"], "expired");
    app.finish().await;
}
