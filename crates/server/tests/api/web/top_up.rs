//! Credits that are bought automatically, with a card that a fake Stripe keeps.

use std::sync::{Arc, Mutex};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use lectern_service::services::billing::payments::top_up;
use lectern_store::top_ups::{self, Rule};
use lectern_testkit::{Setup, TestApp, on_both};
use lectern_types::Credits;
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    billing::{letters, put},
    stripe::{send_event, with_stripe},
};
use crate::accounts::{self, Browser, browser};

/// What the fake does with a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Payments {
    Succeed,
    Decline,
    Break,
    /// Made, but nobody gets to know.
    SucceedUnheard,
    /// As for a card that was let go.
    Refuse,
}

/// A fake Stripe.
#[derive(Clone)]
struct Fake(Arc<Mutex<Seen>>);

/// The payments that it was asked for, with their keys, those that it made, and what it does with the
/// next.
struct Seen {
    payments: Vec<(String, String)>,
    made: Vec<Value>,
    next: Payments,
    /// The keys of the customers that it made: the first is `cus_1`.
    customers: Vec<String>,
    /// A customer that was deleted.
    gone: Option<&'static str>,
}

async fn make_customer(State(fake): State<Fake>, headers: HeaderMap) -> Json<Value> {
    let key = headers["idempotency-key"].to_str().unwrap().to_owned();
    let customers = &mut fake.0.lock().unwrap().customers;
    let at = customers.iter().position(|other| *other == key).unwrap_or_else(|| {
        customers.push(key);
        customers.len() - 1
    });
    Json(json!({ "id": format!("cus_{}", at + 1) }))
}

async fn make_session(State(fake): State<Fake>, form: String) -> Response {
    assert!(form.contains("mode=setup") && form.contains("customer=cus%5F"), "{form}");
    if fake.0.lock().unwrap().gone.is_some_and(|gone| form.contains(&format!("customer={gone}&"))) {
        let error = json!({ "error": { "code": "resource_missing", "param": "customer" } });
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    Json(json!({ "id": "cs_1", "url": "https://checkout.stripe.example/c/setup/cs_1" })).into_response()
}

impl Fake {
    async fn start() -> (String, Self) {
        let fake = Self(Arc::new(Mutex::new(Seen {
            payments: Vec::new(),
            made: Vec::new(),
            next: Payments::Succeed,
            customers: Vec::new(),
            gone: None,
        })));
        let pay = async |State(fake): State<Self>, headers: HeaderMap, form: String| {
            let mut held = fake.0.lock().unwrap();
            held.payments.push((headers["idempotency-key"].to_str().unwrap().to_owned(), form));
            match held.next {
                Payments::Succeed => Json(json!({ "id": "pi_1", "status": "succeeded" })).into_response(),
                Payments::Decline => {
                    let body = json!({ "error": { "type": "card_error", "code": "card_declined" } });
                    (StatusCode::PAYMENT_REQUIRED, Json(body)).into_response()
                }
                Payments::Break => StatusCode::BAD_GATEWAY.into_response(),
                Payments::SucceedUnheard => {
                    let (purchase, _) = held.payments.last().unwrap().clone();
                    held.made.push(json!({ "status": "succeeded", "metadata": { "purchase_id": purchase } }));
                    StatusCode::BAD_GATEWAY.into_response()
                }
                Payments::Refuse => {
                    let body = json!({ "error": { "code": "resource_missing", "param": "payment_method" } });
                    (StatusCode::BAD_REQUEST, Json(body)).into_response()
                }
            }
        };
        // A payment that broke off is not among them.
        let list = async |State(fake): State<Self>| Json(json!({ "data": fake.0.lock().unwrap().made }));
        let router = Router::new()
            .route("/v1/customers", post(make_customer))
            .route("/v1/checkout/sessions", post(make_session))
            .route("/v1/setup_intents/{id}", get(async |Path(id): Path<String>| {
                let number = id.strip_prefix("seti_").unwrap();
                Json(json!({ "payment_method": { "id": format!("pm_{number}"), "card": { "brand": "visa", "last4": "4242" } } }))
            }))
            .route("/v1/payment_methods/{id}/detach", post(async || Json(json!({}))))
            .route("/v1/payment_intents", get(list).post(pay))
            .with_state(fake.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (base, fake)
    }

    fn then(&self, payments: Payments) {
        self.0.lock().unwrap().next = payments;
    }

    fn payments(&self) -> Vec<(String, String)> {
        self.0.lock().unwrap().payments.clone()
    }
}

const PATH: &str = "/v1/bff/credits/top-up";

/// An account that has left its card.
async fn with_card(app: &TestApp) -> Browser {
    with_card_of(app, "ada@example.com", "cus_1").await
}

async fn with_card_of(app: &TestApp, email: &str, customer: &str) -> Browser {
    accounts::confirmed(app, email).await;
    let owner = browser(app, email).await;
    let page = owner.post(app, "/v1/bff/credits/card", &json!({})).await.json();
    assert_eq!(page["url"], "https://checkout.stripe.example/c/setup/cs_1");
    leave_at(app, customer, 1, app.clock.now().unix_seconds()).await;
    owner
}

/// A service with a fake Stripe, and an account that has left its card there.
async fn started(setup: Setup) -> (TestApp, Fake, Browser) {
    let (base, fake) = Fake::start().await;
    let app = with_stripe(setup, &base).start().await;
    let ada = with_card(&app).await;
    (app, fake, ada)
}

fn below_50_000() -> Value {
    json!({ "below": 50_000, "credits": 100_000, "monthly_limit_minor": 5_000 })
}

/// Stripe's report that a card was left now.
async fn leave(app: &TestApp, number: u32) {
    leave_at(app, "cus_1", number, app.clock.now().unix_seconds()).await;
}

async fn leave_at(app: &TestApp, customer: &str, number: u32, created: i64) {
    let left = json!({ "id": "evt_1", "created": created, "type": "checkout.session.completed", "data": { "object": {
        "id": "cs_1", "mode": "setup", "customer": customer, "setup_intent": format!("seti_{number}"),
    } } });
    assert_eq!(send_event(app, &left, 0).await.status, 200);
}

async fn round(app: &TestApp) {
    top_up::round(&app.base, &app.app.payments.provider).await.unwrap();
}

async fn balance(app: &TestApp, who: &Browser) -> Value {
    who.get(app, "/v1/bff/credits/balance").await.json()["balance"].clone()
}

on_both! {
    // Negative control: without the sum of the month the third round buys again.
    async fn credits_are_bought_when_few_are_left_until_the_months_limit(setup: Setup) {
        let (app, fake, ada) = started(setup).await;
        let rule = json!({ "below": 250_000, "credits": 100_000, "monthly_limit_minor": 1_400 });
        round(&app).await;
        assert_eq!(fake.payments().len(), 0, "there is no rule");
        let set = put(&app, &ada, PATH, &rule).await.json();
        assert_eq!((&set["card"], &set["available"], &set["spent_minor"]), (&json!("visa 4242"), &json!(true), &json!(0)));
        // The service has rounds of its own beside these.
        for _ in 0..4 {
            round(&app).await;
        }
        assert_eq!((balance(&app, &ada).await, fake.payments().len()), (json!(200_000), 2));
        let shown = ada.get(&app, PATH).await.json();
        assert_eq!((&shown["stopped"], &shown["spent_minor"]), (&json!("limit"), &json!(1_000)));
        let (key, form) = fake.payments().swap_remove(0);
        let bought = ada.get(&app, "/v1/bff/purchases").await.json();
        let oldest = bought["data"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&oldest["automatic"], oldest["id"].as_str().unwrap()), (&json!(true), key.as_str()));
        for part in ["amount=500", "currency=eur", "customer=cus%5F1", "payment%5Fmethod=pm%5F1", "off%5Fsession=true", "confirm=true"] {
            assert!(form.split('&').any(|pair| pair == part), "{part} is not in {form}");
        }
        let sent = letters(&app).await;
        assert!(sent.iter().any(|(subject, said)| subject == "This month’s limit is reached" && said.contains("next month")), "{sent:?}");
        // The next month begins anew. Negative control: with `updated_at` compared in `resume`, the visit
        // to the card's page puts that off by a month.
        app.clock.advance_seconds(32 * 24 * 60 * 60);
        let ada = browser(&app, "ada@example.com").await;
        assert_eq!(ada.post(&app, "/v1/bff/credits/card", &json!({})).await.status, 200);
        round(&app).await;
        assert_eq!(balance(&app, &ada).await, 300_000, "now there are enough");
        app.finish().await;
    }

    async fn a_declined_card_stops_automatic_purchases_until_the_owner_acts(setup: Setup) {
        let (app, fake, ada) = started(setup).await;
        let rule = below_50_000();
        fake.then(Payments::Decline);
        put(&app, &ada, PATH, &rule).await;
        round(&app).await;
        round(&app).await;
        assert_eq!(fake.payments().len(), 1);
        assert_eq!(ada.get(&app, PATH).await.json()["stopped"], "declined");
        let bought = ada.get(&app, "/v1/bff/purchases").await.json();
        assert_eq!(bought["data"][0]["status"], "declined");
        let sent = letters(&app).await;
        assert!(sent.iter().any(|(_, said)| said.contains("the card was declined")), "{sent:?}");
        fake.then(Payments::Succeed);
        put(&app, &ada, PATH, &rule).await;
        round(&app).await;
        assert_eq!(balance(&app, &ada).await, 100_000);
        let gone = app.send(ada.request(&app, Method::DELETE, "/v1/bff/credits/card")).await.json();
        assert_eq!((&gone["card"], &gone["below"]), (&json!(null), &json!(null)));
        app.finish().await;
    }

    // Negative control: with a new key for each attempt the card is charged twice.
    async fn a_payment_of_unknown_outcome_is_asked_for_again_under_the_same_key_and_booked_once(setup: Setup) {
        let (app, fake, ada) = started(setup).await;
        fake.then(Payments::Break);
        put(&app, &ada, PATH, &below_50_000()).await;
        round(&app).await;
        round(&app).await;
        assert_eq!(fake.payments().len(), 1, "it waits a minute");
        app.clock.advance_seconds(61);
        fake.then(Payments::Succeed);
        round(&app).await;
        let asked = fake.payments();
        assert_eq!((asked.len(), &asked[0].0), (2, &asked[1].0));
        let event = json!({ "id": "evt_2", "type": "payment_intent.succeeded", "data": { "object": {
            "id": "pi_1", "amount_received": 500, "currency": "eur", "metadata": { "purchase_id": asked[0].0 },
        } } });
        assert_eq!(send_event(&app, &event, 0).await.status, 200);
        assert_eq!(balance(&app, &ada).await, 100_000);
        app.finish().await;
    }

    // Negative control: with the account's card instead of the purchase's the second attempt names `pm_2`.
    async fn a_payment_that_waits_for_its_outcome_keeps_its_card_and_is_not_withdrawn(setup: Setup) {
        let (app, fake, ada) = started(setup).await;
        fake.then(Payments::Break);
        put(&app, &ada, PATH, &below_50_000()).await;
        round(&app).await;
        let waiting = ada.get(&app, "/v1/bff/purchases").await.json()["data"][0]["id"].as_str().unwrap().to_owned();
        let withdrawn = app.send(ada.request(&app, Method::DELETE, &format!("/v1/bff/purchases/{waiting}"))).await;
        assert_eq!(withdrawn.refusal(), "purchase_not_pending");
        app.clock.advance_seconds(61);
        leave(&app, 2).await;
        assert_eq!(app.send(ada.request(&app, Method::DELETE, PATH)).await.json()["below"], json!(null));
        fake.then(Payments::Succeed);
        round(&app).await;
        round(&app).await;
        let forms: Vec<_> = fake.payments().into_iter().map(|(_, form)| form).collect();
        assert!(forms.len() >= 2 && forms.iter().all(|form| form.contains("payment%5Fmethod=pm%5F1")), "{forms:?}");
        assert_eq!(balance(&app, &ada).await, 100_000);
        // An old report of the first card changes nothing.
        leave_at(&app, "cus_1", 1, app.clock.now().unix_seconds() - 3_600).await;
        put(&app, &ada, PATH, &json!({ "below": 150_000, "credits": 100_000, "monthly_limit_minor": 5_000 })).await;
        round(&app).await;
        assert!(fake.payments().pop().unwrap().1.contains("payment%5Fmethod=pm%5F2"));
        app.finish().await;
    }

    // Negative control: without the list of payments the card is asked a second time.
    async fn a_payment_whose_answer_was_lost_is_found_and_not_made_again(setup: Setup) {
        let (app, fake, ada) = started(setup).await;
        fake.then(Payments::SucceedUnheard);
        put(&app, &ada, PATH, &below_50_000()).await;
        round(&app).await;
        assert_eq!(balance(&app, &ada).await, 0);
        app.clock.advance_seconds(61);
        round(&app).await;
        assert_eq!((balance(&app, &ada).await, fake.payments().len()), (json!(100_000), 1));
        app.finish().await;
    }

    // Negative control: with the refusal taken for an outage, the round ends before the second account.
    async fn a_repeated_payment_that_is_refused_holds_up_nobody_else(setup: Setup) {
        let (app, fake, ada) = started(setup).await;
        let rule = below_50_000();
        fake.then(Payments::Break);
        put(&app, &ada, PATH, &rule).await;
        round(&app).await;
        let bob = with_card_of(&app, "bob@example.com", "cus_2").await;
        app.clock.advance_seconds(61);
        fake.then(Payments::Refuse);
        put(&app, &bob, PATH, &rule).await;
        round(&app).await;
        // The second account's own is the first attempt, of which the outcome is known.
        assert_eq!(bob.get(&app, PATH).await.json()["stopped"], "provider");
        assert_eq!(ada.get(&app, PATH).await.json()["stopped"], Value::Null);
        app.finish().await;
    }

    // Negative control: without the comparison of cards in `top_ups::stop`, the new card is not tried.
    async fn a_refusal_of_a_former_card_says_nothing_about_the_present_one(setup: Setup) {
        let (app, fake, ada) = started(setup).await;
        fake.then(Payments::Break);
        put(&app, &ada, PATH, &below_50_000()).await;
        round(&app).await;
        app.clock.advance_seconds(61);
        leave(&app, 2).await;
        let (purchase, _) = fake.payments().pop().unwrap();
        let event = json!({ "id": "evt_3", "type": "payment_intent.payment_failed", "data": { "object": {
            "id": "pi_1", "metadata": { "purchase_id": purchase }, "last_payment_error": { "code": "card_declined" },
        } } });
        assert_eq!(send_event(&app, &event, 0).await.status, 200);
        assert_eq!(ada.get(&app, "/v1/bff/purchases").await.json()["data"].as_array().unwrap().last().unwrap()["status"], "declined");
        assert_eq!(ada.get(&app, PATH).await.json()["stopped"], Value::Null);
        fake.then(Payments::Succeed);
        round(&app).await;
        assert!(fake.payments().pop().unwrap().1.contains("payment%5Fmethod=pm%5F2"));
        assert_eq!(balance(&app, &ada).await, 100_000);
        app.finish().await;
    }

    async fn a_customer_that_stripe_no_longer_knows_gets_a_new_name(setup: Setup) {
        let (app, fake, ada) = started(setup).await;
        fake.0.lock().unwrap().gone = Some("cus%5F1");
        assert_eq!(ada.post(&app, "/v1/bff/credits/card", &json!({})).await.status, 200);
        assert_eq!(ada.get(&app, PATH).await.json()["card"], Value::Null, "nobody can charge it");
        leave_at(&app, "cus_2", 2, app.clock.now().unix_seconds() + 1).await;
        put(&app, &ada, PATH, &below_50_000()).await;
        round(&app).await;
        assert!(fake.payments().pop().unwrap().1.contains("customer=cus%5F2"));
        app.finish().await;
    }

    // Negative control: without the comparison of currencies in `buy`, it buys.
    async fn a_limit_in_another_currency_buys_nothing(setup: Setup) {
        let (app, fake, ada) = started(setup).await;
        let account = ada.get(&app, "/v1/bff/me").await.json()["account"]["id"].as_str().unwrap().parse().unwrap();
        let rule = Rule { below: Credits(50_000), credits: Credits(100_000), monthly_limit_minor: 5_000 };
        top_ups::set_rule(&app.base.store, account, Some((rule, "jpy")), app.clock.now()).await.unwrap();
        round(&app).await;
        assert_eq!(fake.payments().len(), 0);
        assert_eq!(ada.get(&app, PATH).await.json()["stopped"], "unsold");
        app.finish().await;
    }

    async fn a_rule_names_what_is_sold_and_a_limit_that_pays_it(setup: Setup) {
        let (base, _) = Fake::start().await;
        let app = with_stripe(setup, &base).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        for (below, credits, limit, field) in [
            (0, 100_000, 500, "below"),
            (1, 1, 500, "credits"),
            (1, 100_000, 499, "monthly_limit_minor"),
        ] {
            let rule = json!({ "below": below, "credits": credits, "monthly_limit_minor": limit });
            assert_eq!(put(&app, &ada, PATH, &rule).await.fields(), [field], "{rule}");
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn where_the_operator_approves_purchases_nothing_is_bought_automatically() {
    let app = accounts::unlimited(Setup::default()).start().await;
    accounts::confirmed(&app, "ada@example.com").await;
    let ada = browser(&app, "ada@example.com").await;
    assert_eq!(ada.get(&app, PATH).await.json()["available"], false);
    assert_eq!(ada.post(&app, "/v1/bff/credits/card", &json!({})).await.refusal(), "not_found");
    round(&app).await;
    app.finish().await;
}
