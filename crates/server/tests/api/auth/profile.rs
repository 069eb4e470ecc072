//! A key's profile and its account's limits.

use lectern_testkit::on_both;
use serde_json::json;

on_both! {
    async fn the_profile_is_the_accounts_and_the_keys(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        let me = app.get("/v1/saas/me", &account.test).await.json();
        assert_eq!(me["id"], account.id.to_string());
        assert_eq!(me["email"], account.email);
        assert_eq!((&me["environment"], &me["tier"]), (&json!("test"), &json!("free")));
        assert_eq!(me["key"]["scopes"], json!(["read", "write", "admin"]));
        let consent = json!({ "terms_accepted_version": null, "privacy_accepted_version": null });
        assert_eq!(me["consent"], consent);
        assert_eq!((&me["email_confirmed"], &me["has_purchased_credits"]), (&json!(true), &json!(true)));
        assert_eq!(me["created_at"], "2026-11-21T07:08:11.524Z");
        app.finish().await;
    }

    async fn the_request_limit_is_announced_and_enforced(setup: Setup) {
        let app = setup.set("LECTERN_RATE_LIMIT__REQUESTS_PER_MINUTE", "3").start().await;
        let (one, other) = (app.account(0).await, app.account(0).await);
        for left in [2, 1, 0] {
            let reply = app.get("/v1/saas/me", &one.live).await;
            assert_eq!(reply.status, 200);
            assert_eq!(reply.header("ratelimit-policy"), "\"account\";q=3;w=60");
            assert!(reply.header("ratelimit").starts_with(&format!("\"account\";r={left};t=")));
        }
        let over = app.get("/v1/saas/me", &one.test).await;
        assert_eq!((over.refusal().as_str(), over.header("retry-after")), ("rate_limited", "20"));
        assert_eq!(app.get("/v1/saas/me", &other.live).await.status, 200);
        app.clock.advance_seconds(20);
        assert_eq!(app.get("/v1/saas/me", &one.live).await.status, 200);
        app.finish().await;
    }
}
