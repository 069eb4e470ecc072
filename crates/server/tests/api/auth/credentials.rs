//! Tokens that are not active keys.

use lectern_service::services::keys;
use lectern_store::Scopes;
use lectern_testkit::on_both;
use secrecy::ExposeSecret as _;

use super::{key_with, revoked_key, routes};
use crate::accounts;

on_both! {
    // Negative control: with every key evaluated as of 1970, the expired keys are accepted, and
    // this fails.
    async fn every_route_refuses_every_bad_credential_before_it_reads_the_body(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        accounts::confirmed(&app, "signed-in@example.com").await;
        let session = accounts::session(&app, "signed-in@example.com", accounts::PASSWORD).await;
        let revoked = revoked_key(&app, &account, None).await;
        let (_, expired) = key_with(&app, &account, Scopes::ALL, Some(60)).await;
        let both = revoked_key(&app, &account, Some(60)).await;
        app.clock.advance_seconds(60);
        let live = account.live.as_str();
        let unknown = keys::generate(true);
        let bearer = |key: &str| format!("Bearer {key}");
        let credentials = [
            (vec![], "missing_api_key"),
            (vec![String::new()], "invalid_api_key"),
            (vec!["Bearer".to_owned()], "invalid_api_key"),
            (vec!["Bearer ".to_owned()], "invalid_api_key"),
            (vec![format!("Basic {live}")], "invalid_api_key"),
            (vec![live.to_owned()], "invalid_api_key"),
            (vec![bearer(live), bearer(live)], "invalid_api_key"),
            // Truncated, and altered in several ways.
            (vec![bearer(&live[..live.len() - 1])], "invalid_api_key"),
            (vec![bearer(&live[..12])], "invalid_api_key"),
            (vec![bearer(&live.replace("live", "test"))], "invalid_api_key"),
            (vec![bearer(&format!("{live}x"))], "invalid_api_key"),
            (vec![bearer(&live.to_lowercase())], "invalid_api_key"),
            (vec![bearer(unknown.expose_secret())], "invalid_api_key"),
            (vec![bearer("sk-proj-0123456789")], "invalid_api_key"),
            // Session tokens, real and forged.
            (vec![bearer(&session)], "bearer_not_allowed_on_saas"),
            (vec![bearer("eyJhbGciOiJFZERTQSJ9.e30.c2ln")], "bearer_not_allowed_on_saas"),
            (vec![bearer(&revoked)], "api_key_revoked"),
            (vec![bearer(&expired)], "api_key_expired"),
            (vec![bearer(&both)], "api_key_revoked"),
        ];
        for (route, _) in routes::keyed() {
            for (values, code) in &credentials {
                let mut request = route.request(&app).body("not JSON");
                for value in values {
                    request = request.header("authorization", value);
                }
                assert_eq!(app.send(request).await.refusal(), *code, "{route:?} with {values:?}");
            }
        }
        app.finish().await;
    }
}
