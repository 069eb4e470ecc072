//! Buying credits from the operator, and the ledger as a file.

use lectern_service::services::billing::payments;
use lectern_testkit::on_both;
use lectern_types::{PaymentProvider, PurchaseStatus};
use reqwest::Method;
use serde_json::json;

use crate::accounts::{self, browser, unlimited};

on_both! {
    // Negative control: without the check of the status in `purchases::pay`, the second approval
    // grants 100,000 more.
    async fn a_purchase_that_is_approved_twice_is_booked_once(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let packs = ada.get(&app, "/v1/bff/credits/packs").await.json();
        assert_eq!(packs["provider"], "manual");
        assert_eq!(packs["data"][0], json!({ "id": "100000", "credits": 100_000, "price_minor": 500, "currency": "eur" }));
        let buy = async |pack: &str| ada.post(&app, "/v1/bff/purchases", &json!({ "pack_id": pack })).await;
        assert_eq!(buy("1").await.fields(), ["pack_id"]);
        let bought = buy("100000").await;
        assert_eq!((bought.status.as_u16(), &bought.json()["status"]), (201, &json!("pending")));
        assert_eq!(bought.json()["checkout_url"], json!(null));
        let id = bought.json()["id"].as_str().unwrap().parse().unwrap();
        let wrong = payments::pay(&app.base, id, PaymentProvider::Stripe).await;
        assert_eq!(wrong.unwrap_err().to_string(), "not_found");
        let (one, two) = tokio::join!(
            payments::pay(&app.base, id, PaymentProvider::Manual),
            payments::pay(&app.base, id, PaymentProvider::Manual)
        );
        assert_eq!(one.unwrap().transaction, two.unwrap().transaction);
        let late = payments::close_unpaid(&app.base, id, PaymentProvider::Manual, PurchaseStatus::Declined).await.unwrap();
        assert_eq!(late.status, PurchaseStatus::Paid, "a paid purchase stays paid");
        let balance = ada.get(&app, "/v1/bff/credits/balance").await.json();
        assert_eq!((&balance["balance"], &balance["has_purchased_credits"]), (&json!(100_000), &json!(true)));
        let shown = ada.get(&app, &format!("/v1/bff/purchases/{id}")).await.json();
        assert_eq!(shown["status"], "paid");

        let export = ada.get(&app, "/v1/bff/credits/transactions.csv").await;
        assert_eq!(export.header("content-type"), "text/csv; charset=utf-8");
        let text = String::from_utf8(export.bytes).unwrap();
        let lines: Vec<_> = text.split("\r\n").collect();
        assert_eq!(lines[0], "id,created_at,kind,credits,balance_after,reference");
        assert!(lines[1].ends_with(&format!(",purchase,100000,100000,\"{id}\"")), "{text}");
        assert_eq!(lines.len(), 3, "{text}");
        app.finish().await;
    }

    // Negative control: with one line for each row of the ledger, there are seven lines for the
    // book alone, none with its title.
    async fn the_statement_sums_up_books_and_days_and_says_what_each_part_cost(setup: Setup) {
        let app = unlimited(setup).without_workers().start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        accounts::confirmed(&app, "eve@example.com").await;
        let (ada, eve) = (browser(&app, "ada@example.com").await, browser(&app, "eve@example.com").await);
        let bought = ada.post(&app, "/v1/bff/purchases", &json!({ "pack_id": "100000" })).await.json();
        payments::pay(&app.base, bought["id"].as_str().unwrap().parse().unwrap(), PaymentProvider::Manual).await.unwrap();
        let heart = app.ereader("heart").await;
        for text in ["Hello.", "Hello again."] {
            let body = json!({ "text": text, "ereader_id": heart });
            assert_eq!(ada.post(&app, "/v1/bff/tts:synthesize", &body).await.status, 200);
        }
        let wanted = json!({ "name": "books", "scopes": ["read", "write"], "environment": "live" });
        let key = ada.post(&app, "/v1/bff/keys", &wanted).await.json()["key"].as_str().unwrap().to_owned();
        let book = app.completed_material(&key, &["One.", "Two, two."]).await;
        let statement = async |query: &str| {
            let page = ada.get(&app, &format!("/v1/bff/credits/statement{query}")).await.json();
            let lines = page["data"].as_array().unwrap().iter();
            let lines = lines.map(|line| json!([line["kind"], line["credits"], line["entries"], line["material_id"]]));
            (lines.collect::<Vec<_>>(), page["next_cursor"].clone())
        };
        let title = ada.get(&app, &format!("/v1/bff/materials/{book}")).await.json()["title"].clone();
        let (lines, end) = statement("").await;
        let expected = [
            json!(["book", -13, 2, book]),
            json!(["speech", -18, 2, null]),
            json!(["purchase", 100_000, 1, null]),
        ];
        assert_eq!((&lines[..], end), (&expected[..], json!(null)));
        let page = ada.get(&app, "/v1/bff/credits/statement?kind=book").await.json();
        assert_eq!((&page["data"][0]["title"], page["data"].as_array().unwrap().len()), (&title, 1), "{page}");
        // The pages of the list hold the same lines, and no other account's.
        let (first, cursor) = statement("?limit=2").await;
        let cursor = cursor.as_str().unwrap();
        assert_eq!(first, expected[..2]);
        assert_eq!(statement(&format!("?limit=2&cursor={cursor}")).await.0, expected[2..]);
        let foreign = eve.get(&app, &format!("/v1/bff/credits/statement?cursor={cursor}")).await;
        assert_eq!(foreign.fields(), ["cursor"]);
        assert_eq!(statement("?from=2999-01-01").await.0, Vec::<serde_json::Value>::new());
        assert_eq!(ada.get(&app, "/v1/bff/credits/statement?kind=hold&to=x").await.fields(), ["kind", "to"]);

        let parts = ada.get(&app, &format!("/v1/bff/credits/statement/{book}")).await.json();
        let parts: Vec<_> = parts["data"].as_array().unwrap().iter().map(|part| part["credits"].clone()).collect();
        assert_eq!(parts, [-4, -9].map(|credits: i64| json!(-credits)));
        assert_eq!(app.send(ada.request(&app, Method::DELETE, &format!("/v1/bff/materials/{book}"))).await.status, 200);
        let (lines, _) = statement("?kind=book").await;
        assert_eq!(lines, expected[..1], "a deleted book keeps its price");
        app.finish().await;
    }

    async fn an_account_may_have_ten_pending_purchases(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        accounts::confirmed(&app, "eve@example.com").await;
        let (ada, eve) = (browser(&app, "ada@example.com").await, browser(&app, "eve@example.com").await);
        let body = json!({ "pack_id": "100000" });
        for _ in 0..10 {
            assert_eq!(ada.post(&app, "/v1/bff/purchases", &body).await.status, 201);
        }
        assert_eq!(ada.post(&app, "/v1/bff/purchases", &body).await.refusal(), "rate_limited");
        // The owner can withdraw a purchase.
        let first = ada.get(&app, "/v1/bff/purchases?limit=1").await.json()["data"][0]["id"].clone();
        let withdraw = |who: &accounts::Browser| {
            who.request(&app, Method::DELETE, &format!("/v1/bff/purchases/{}", first.as_str().unwrap()))
        };
        assert_eq!(app.send(withdraw(&eve)).await.refusal(), "not_found");
        for _ in 0..2 {
            assert_eq!(app.send(withdraw(&ada)).await.json()["status"], "expired");
        }
        assert_eq!(ada.post(&app, "/v1/bff/purchases", &body).await.status, 201);
        assert_eq!(ada.post(&app, "/v1/bff/purchases", &body).await.refusal(), "rate_limited");
        let bought = eve.post(&app, "/v1/bff/purchases", &body).await.json();
        let id = bought["id"].as_str().unwrap();
        assert_eq!(ada.get(&app, &format!("/v1/bff/purchases/{id}")).await.refusal(), "not_found");
        let page = ada.get(&app, "/v1/bff/purchases?limit=4").await.json();
        let rest = format!("/v1/bff/purchases?limit=100&cursor={}", page["next_cursor"].as_str().unwrap());
        assert_eq!(ada.get(&app, &rest).await.json()["data"].as_array().unwrap().len(), 7);
        app.finish().await;
    }

    async fn paid_and_declined_purchases_cannot_be_withdrawn(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        for end in ["paid", "declined"] {
            let bought = ada.post(&app, "/v1/bff/purchases", &json!({ "pack_id": "100000" })).await.json();
            let id = bought["id"].as_str().unwrap();
            let parsed = id.parse().unwrap();
            if end == "paid" {
                payments::pay(&app.base, parsed, PaymentProvider::Manual).await.unwrap();
            } else {
                payments::close_unpaid(&app.base, parsed, PaymentProvider::Manual, PurchaseStatus::Declined).await.unwrap();
            }
            let path = format!("/v1/bff/purchases/{id}");
            let refused = app.send(ada.request(&app, Method::DELETE, &path)).await;
            assert_eq!((refused.status.as_u16(), refused.refusal()), (409, "purchase_not_pending".to_owned()));
            assert_eq!(ada.get(&app, &path).await.json()["status"], end);
        }
        app.finish().await;
    }

    async fn buying_again_under_the_same_key_buys_once(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let buy = async |key: &str, pack: &str| {
            let request = ada.request(&app, Method::POST, "/v1/bff/purchases").header("idempotency-key", key);
            app.send(request.json(&json!({ "pack_id": pack }))).await
        };
        let first = buy("one", "100000").await;
        let again = buy("one", "100000").await;
        assert_eq!((first.status.as_u16(), again.status.as_u16()), (201, 201));
        assert_eq!((&first.bytes, again.header("idempotent-replayed")), (&again.bytes, "true"));
        assert_eq!(buy("one", "500000").await.refusal(), "idempotency_key_reuse");
        assert_eq!(buy("two", "1").await.fields(), ["pack_id"]);
        assert_eq!(buy("two", "100000").await.status, 201, "a failed call leaves no trace");
        let (one, other) = tokio::join!(buy("three", "100000"), buy("three", "100000"));
        assert_eq!(one.bytes, other.bytes);
        let all = ada.get(&app, "/v1/bff/purchases").await.json();
        assert_eq!(all["data"].as_array().unwrap().len(), 3);
        app.finish().await;
    }

    async fn a_purchase_awaiting_the_operator_never_expires(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        assert_eq!(ada.post(&app, "/v1/bff/purchases", &json!({ "pack_id": "100000" })).await.status, 201);
        app.clock.advance_seconds(100 * 24 * 60 * 60);
        lectern_service::workers::sweep::round(&app.base).await.unwrap();
        let ada = browser(&app, "ada@example.com").await;
        assert_eq!(ada.get(&app, "/v1/bff/purchases").await.json()["data"][0]["status"], "pending");
        app.finish().await;
    }
}
