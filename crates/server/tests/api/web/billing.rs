//! What purchases leave: receipts and invoices; amounts besides packs; and mails that tell something.

use lectern_service::services::{billing::payments, mailing, notices};
use lectern_store::Edge;
use lectern_testkit::{Setup, TestApp, on_both};
use lectern_types::PaymentProvider;
use reqwest::Method;
use serde_json::{Value, json};

use crate::accounts::{self, Browser, browser, mails, unlimited};

/// A mail's subject and its parts, decoded.
struct Letter {
    subject: String,
    text: String,
    html: String,
}

/// Writes and sends what is due, and returns the letters to people, oldest first.
pub(super) async fn letters(app: &TestApp) -> Vec<(String, String)> {
    notices::write_due(&app.base, &app.url).await.unwrap();
    mailing::deliver_due(&app.base).await.unwrap();
    let all = mails(app).into_iter().filter(|mail| mail.contains("multipart/alternative"));
    all.map(|mail| letter(&mail)).map(|letter| (letter.subject, letter.text + &letter.html)).collect()
}

fn letter(mail: &str) -> Letter {
    let parsed = mail_parser::MessageParser::default().parse(mail.as_bytes()).unwrap();
    Letter {
        subject: parsed.subject().unwrap().to_owned(),
        text: parsed.body_text(0).unwrap().into_owned(),
        html: parsed.body_html(0).unwrap().into_owned(),
    }
}

fn with_invoices(setup: Setup) -> Setup {
    unlimited(setup)
        .set("LECTERN_INVOICES__SELLER", "Lesepult GmbH,Musterweg 1,10115 Berlin")
        .set("LECTERN_INVOICES__TAX_PERCENT", "19")
        .set("LECTERN_INVOICES__PREFIX", "LP-")
}

pub(super) async fn put(app: &TestApp, who: &Browser, path: &str, body: &Value) -> lectern_testkit::Reply {
    app.send(who.request(app, Method::PUT, path).json(body)).await
}

async fn buy(app: &TestApp, who: &Browser, credits: i64) -> String {
    let bought = who.post(app, "/v1/bff/purchases", &json!({ "credits": credits })).await;
    assert_eq!(bought.status, 201, "{}", bought.json());
    bought.json()["id"].as_str().unwrap().to_owned()
}

async fn pay(app: &TestApp, purchase: &str) {
    payments::pay(&app.base, purchase.parse().unwrap(), PaymentProvider::Manual).await.unwrap();
}

on_both! {
    async fn an_amount_besides_the_packs_is_bought_at_the_price_that_is_shown(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let packs = ada.get(&app, "/v1/bff/credits/packs").await.json();
        assert_eq!(packs["custom"], json!({ "least": 100_000, "most": 25_000_000, "step": 1_000 }));
        let price = ada.get(&app, "/v1/bff/credits/price?credits=750000").await.json();
        assert_eq!(price, json!({ "credits": 750_000, "price_minor": 3_000, "currency": "eur" }));
        let bought = ada.post(&app, "/v1/bff/purchases", &json!({ "credits": 750_000 })).await.json();
        assert_eq!((&bought["credits"], &bought["price_minor"]), (&json!(750_000), &json!(3_000)));
        for (body, field) in [
            (json!({ "credits": 750_500 }), "credits"),
            (json!({ "credits": 0 }), "credits"),
            (json!({ "credits": 26_000_000 }), "credits"),
            (json!({ "credits": 100_000, "pack_id": "100000" }), "credits"),
            (json!({}), "pack_id"),
        ] {
            assert_eq!(ada.post(&app, "/v1/bff/purchases", &body).await.fields(), [field], "{body}");
        }
        for query in ["", "?credits=", "?credits=x", "?credits=1", "?credits=99999999999999999999"] {
            let refused = ada.get(&app, &format!("/v1/bff/credits/price{query}")).await;
            assert_eq!(refused.fields(), ["credits"], "{query}");
        }
        app.finish().await;
    }

    async fn a_paid_purchase_has_an_invoice_under_the_next_number(setup: Setup) {
        let app = with_invoices(setup).start().await;
        for email in ["ada@example.com", "eve@example.com"] {
            accounts::confirmed(&app, email).await;
        }
        let (ada, eve) = (browser(&app, "ada@example.com").await, browser(&app, "eve@example.com").await);
        let details = json!({ "name": "Ada Ltd", "address": "1 Example Street\nLondon", "tax_id": "GB1" });
        let set = put(&app, &ada, "/v1/bff/billing/details", &details).await.json();
        assert_eq!((&set["name"], &set["has_invoices"]), (&json!("Ada Ltd"), &json!(true)));
        let (one, two, three) = (buy(&app, &ada, 100_000).await, buy(&app, &eve, 200_000).await, buy(&app, &ada, 300_000).await);
        let invoice = async |who: &Browser, id: &str| who.get(&app, &format!("/v1/bff/purchases/{id}/invoice")).await;
        assert_eq!(invoice(&ada, &one).await.refusal(), "not_found", "it is not paid");
        pay(&app, &one).await;
        pay(&app, &one).await;
        let refused = payments::pay(&app.base, two.parse().unwrap(), PaymentProvider::Stripe).await;
        assert!(refused.is_err(), "another provider's");
        let together = tokio::join!(pay(&app, &two), pay(&app, &three));
        assert_eq!(together, ((), ()));
        let number = async |who: &Browser, id: &str| who.get(&app, &format!("/v1/bff/purchases/{id}")).await.json()["invoice"].clone();
        assert_eq!(number(&ada, &one).await, "LP-000001");
        let mut rest = [number(&eve, &two).await, number(&ada, &three).await].map(|name| name.as_str().unwrap().to_owned());
        rest.sort();
        assert_eq!(rest, ["LP-000002", "LP-000003"]);
        let pdf = invoice(&ada, &one).await;
        assert_eq!((pdf.status.as_u16(), pdf.header("content-type")), (200, "application/pdf"));
        assert_eq!(pdf.header("content-disposition"), "attachment; filename=\"LP-000001.pdf\"");
        assert!(pdf.bytes.starts_with(b"%PDF-"));
        assert_eq!(invoice(&eve, &one).await.refusal(), "not_found", "it is another account's");
        let removed = app.send(ada.request(&app, Method::DELETE, "/v1/bff/billing/details")).await.json();
        assert_eq!(removed["name"], json!(null));
        let account = ada.get(&app, "/v1/bff/me").await.json()["account"]["id"].as_str().unwrap().parse().unwrap();
        let stored = lectern_store::invoices::find(&app.base.store, account, one.parse().unwrap());
        let stored = stored.await.unwrap().unwrap();
        assert_eq!(stored.buyer.as_ref().unwrap().name, "Ada Ltd", "an invoice never changes");
        assert_eq!((stored.gross_minor, stored.tax_minor), (500, 80));
        for (field, value) in [
            ("name", json!("")), ("address", json!("1\n2\n3\n4\n5\n6\n7")), ("address", json!("a\u{7}b")), ("tax_id", json!("x".repeat(41))),
        ] {
            let mut wrong = details.clone();
            wrong[field] = value;
            assert_eq!(put(&app, &ada, "/v1/bff/billing/details", &wrong).await.fields(), [field]);
        }
        app.finish().await;
    }

    async fn a_payment_that_is_not_committed_gives_its_number_back(setup: Setup) {
        let app = with_invoices(setup).with_faults().start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let (one, two) = (buy(&app, &ada, 100_000).await, buy(&app, &ada, 200_000).await);
        app.faults.cut_next(Edge::Commit);
        let cut_off = payments::pay(&app.base, one.parse().unwrap(), PaymentProvider::Manual).await;
        assert!(cut_off.is_err() && app.faults.has_fired(), "{cut_off:?}");
        app.faults.disarm();
        for (purchase, name) in [(&two, "LP-000001"), (&one, "LP-000002")] {
            pay(&app, purchase).await;
            assert_eq!(ada.get(&app, &format!("/v1/bff/purchases/{purchase}")).await.json()["invoice"], name);
        }
        app.finish().await;
    }

    async fn a_receipt_is_sent_in_the_language_of_the_account_as_text_and_html(setup: Setup) {
        let app = with_invoices(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let body = json!({ "email": "ada@example.com", "password": accounts::PASSWORD });
        let signing_in = app.request(Method::POST, "/v1/bff/auth/login").header("accept-language", "de-CH,en;q=0.5");
        assert_eq!(app.send(signing_in.json(&body)).await.status, 200);
        let ada = browser(&app, "ada@example.com").await;
        assert_eq!(ada.get(&app, "/v1/bff/preferences").await.json()["language"], "de");
        let id = buy(&app, &ada, 100_000).await;
        pay(&app, &id).await;
        let sent = letters(&app).await;
        let [(subject, said)] = &sent[..] else { panic!("{sent:?}") };
        assert_eq!(subject, "Ihr Beleg: 100.000 Credits");
        for part in ["5,00\u{a0}EUR", "LP-000001", &id, "<html lang=\"de\">"] {
            assert!(said.contains(part), "{part} is not in {said}");
        }
        assert_eq!(letters(&app).await.len(), 1, "it is sent once");
        app.finish().await;
    }

    // Negative control: without `REQUESTS_APART_SECONDS` the third purchase is told at once.
    async fn purchases_that_wait_for_approval_are_told_to_the_operator(setup: Setup) {
        let app = unlimited(setup).set("LECTERN_BRAND__SUPPORT", "desk@example.com").start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let withdrawn = buy(&app, &ada, 200_000).await;
        let path = format!("/v1/bff/purchases/{withdrawn}");
        assert_eq!(app.send(ada.request(&app, Method::DELETE, &path)).await.status, 200);
        assert_eq!(letters(&app).await.len(), 0, "nothing waits any more");
        let id = buy(&app, &ada, 100_000).await;
        let sent = letters(&app).await;
        let [(subject, said)] = &sent[..] else { panic!("{sent:?}") };
        assert_eq!(subject, "A purchase waits for your approval: ada@example.com");
        for part in ["ada@example.com has requested credits", &format!("Purchase: {id}: 100,000 credits, "), "5.00"] {
            assert!(said.contains(part), "{part} is not in {said}");
        }
        let mail = mails(&app).into_iter().find(|mail| mail.contains("multipart/alternative")).unwrap();
        assert!(mail.contains("To: desk@example.com"), "{mail}");
        buy(&app, &ada, 300_000).await;
        assert_eq!(letters(&app).await.len(), 1, "the next mail comes later");
        app.clock.advance_seconds(601);
        assert_eq!(letters(&app).await.len(), 2);
        app.finish().await;
    }

    // Negative control: without the question for preferences in `notices::low_credits` the second fall is told, too.
    async fn low_credits_are_told_once_for_each_fall_unless_the_account_does_not_want_it(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let id = buy(&app, &ada, 100_000).await;
        pay(&app, &id).await;
        assert_eq!(put(&app, &ada, "/v1/bff/credits/threshold", &json!({ "threshold": 99_990 })).await.status, 200);
        let heart = app.ereader("heart").await;
        let speak = async || {
            let body = json!({ "text": "Hello there, you.", "ereader_id": heart });
            assert_eq!(ada.post(&app, "/v1/bff/tts:synthesize", &body).await.status, 200);
        };
        speak().await;
        speak().await;
        let low = |sent: Vec<(String, String)>| sent.iter().filter(|(subject, _)| subject == "Few credits are left").count();
        let sent = letters(&app).await;
        assert!(sent.iter().any(|(_, said)| said.contains("Your threshold: 99,990")), "{sent:?}");
        assert_eq!(low(sent), 1);
        let off = app.send(ada.request(&app, Method::PATCH, "/v1/bff/preferences").json(&json!({ "mail_low_credits": false }))).await;
        assert_eq!(off.json(), json!({ "language": "en", "mail_book_ready": true, "mail_low_credits": false }));
        let id = buy(&app, &ada, 100_000).await;
        pay(&app, &id).await;
        assert_eq!(put(&app, &ada, "/v1/bff/credits/threshold", &json!({ "threshold": 199_960 })).await.status, 200);
        speak().await;
        assert_eq!(low(letters(&app).await), 1);
        let wrong = app.send(ada.request(&app, Method::PATCH, "/v1/bff/preferences").json(&json!({ "language": "it", "x": 1 }))).await;
        assert_eq!(wrong.fields(), ["language", "x"]);
        app.finish().await;
    }

    async fn the_end_of_a_conversion_that_took_a_while_is_told_to_whoever_began_it_on_the_pages(setup: Setup) {
        let app = unlimited(setup).without_workers().start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let id = buy(&app, &ada, 100_000).await;
        pay(&app, &id).await;
        let wanted = json!({ "name": "books", "scopes": ["read", "write"], "environment": "live" });
        let key = ada.post(&app, "/v1/bff/keys", &wanted).await.json()["key"].as_str().unwrap().to_owned();
        let body = json!({ "ereader_id": app.ereader("heart").await });
        let convert = async |as_key: bool, seconds: i64| {
            let book = app.ready_material(&key, &["One.", "Two, two."]).await;
            let path = format!("materials/{book}/convert");
            let begun = if as_key {
                app.post(&format!("/v1/saas/{path}"), &key, &body).await
            } else {
                ada.post(&app, &format!("/v1/bff/{path}"), &body).await
            };
            assert_eq!(begun.status, 202, "{}", begun.json());
            app.clock.advance_seconds(seconds);
            app.convert_all_chunks().await;
            book
        };
        let told = async || letters(&app).await.into_iter().filter(|(subject, _)| subject.starts_with("Your book is ready")).collect::<Vec<_>>();
        convert(true, 61).await;
        convert(false, 10).await;
        assert_eq!(told().await, []);
        let book = convert(false, 61).await;
        let sent = told().await;
        let [(_, said)] = &sent[..] else { panic!("{sent:?}") };
        assert!(said.contains(&format!("/books/{book}")), "{said}");
        assert!(said.contains("It is 1\u{a0}min long."), "{said}");
        app.finish().await;
    }
}
