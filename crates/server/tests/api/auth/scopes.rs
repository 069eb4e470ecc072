//! The scopes of keys.

use lectern_store::{Scope, Scopes};
use lectern_testkit::on_both;

use super::{key_with, routes};

on_both! {
    // Negative control: without the comparison of scopes in the extractor, every key is accepted.
    async fn each_route_needs_its_scope_and_no_other(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        for (route, needed) in routes::keyed() {
            for scope in Scope::ALL {
                let (_, key) = key_with(&app, &account, [*scope].into_iter().collect(), None).await;
                let request = route.request(&app).bearer_auth(&key);
                let reply = app.send(request.header("content-type", "application/json")).await;
                let refused = !reply.status.is_success() && reply.refusal() == "insufficient_scope";
                assert_eq!(refused, needed.is_some_and(|needed| needed != *scope), "{route:?} with {scope}");
                if refused {
                    let required = needed.map(Scope::as_str);
                    assert_eq!(reply.json()["error"]["details"]["required"].as_str(), required);
                }
            }
            // All other scopes together do not suffice either.
            if let Some(needed) = needed {
                let others: Scopes = Scope::ALL.iter().copied().filter(|scope| *scope != needed).collect();
                let (_, key) = key_with(&app, &account, others, None).await;
                let reply = app.send(route.request(&app).bearer_auth(&key)).await;
                assert_eq!(reply.refusal(), "insufficient_scope", "{route:?} without {needed}");
            }
        }
        app.finish().await;
    }
}
