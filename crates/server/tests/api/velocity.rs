//! Velocity limits: the attempts that count, for whom, and until when; in this process and in a
//! Redis that processes share.

use std::net::IpAddr;

use lectern_service::{error::Error, services::accounts::velocity::Action};
use lectern_testkit::{Redis, Setup, TestApp};
use lectern_types::ShareId;
use reqwest::Method;
use serde_json::json;

/// The outcome of an attempt: allowed, refused with the seconds to wait, or not counted.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Allowed,
    Refused(u64),
    NotCounted,
}
use Outcome::{Allowed, NotCounted, Refused};

/// An action, and the address that it is about.
type Attempt<'a> = (Action, Option<&'a str>);

async fn attempt(app: &TestApp, (action, address): Attempt<'_>, ip: &str) -> Outcome {
    let ip: IpAddr = ip.parse().unwrap();
    let (velocity, now) = (&app.app.velocity, app.clock.now());
    let counted = async {
        velocity.check_client(action, ip, now).await?;
        match address {
            Some(address) => velocity.check_address(action, address, ip, now).await,
            None => Ok(()),
        }
    };
    match counted.await {
        Ok(()) => Allowed,
        Err(Error::RateLimited { retry_after_seconds, .. }) => Refused(retry_after_seconds),
        Err(Error::Unavailable { .. }) => NotCounted,
        Err(other) => panic!("{other}"),
    }
}

const ANN: Attempt<'_> = (Action::Login, Some("ann@example.com"));

/// Tests all rules, which are the same wherever the counters are.
async fn the_rules(app: &TestApp) {
    // 10 attempts a minute for an address from one client; they become available again one by one.
    for _ in 0..10 {
        assert_eq!(attempt(app, ANN, "192.0.2.1").await, Allowed);
    }
    assert_eq!(attempt(app, ANN, "192.0.2.1").await, Refused(6));
    assert_eq!(attempt(app, (Action::Login, Some(" ANN@Example.COM ")), "192.0.2.1").await, Refused(6));
    assert_eq!(attempt(app, (Action::Login, Some("ben@example.com")), "192.0.2.1").await, Allowed);
    assert_eq!(attempt(app, (Action::Forgot, Some("ann@example.com")), "192.0.2.1").await, Allowed);
    app.clock.advance_seconds(5);
    assert_eq!(attempt(app, ANN, "192.0.2.1").await, Refused(1));
    app.clock.advance_seconds(1);
    assert_eq!(attempt(app, ANN, "192.0.2.1").await, Allowed);
    assert_eq!(attempt(app, ANN, "192.0.2.1").await, Refused(6));

    // 30 attempts an hour for an address from all clients; the refusals above did not count.
    for n in 0..19 {
        assert_eq!(attempt(app, ANN, &format!("198.51.100.{n}")).await, Allowed, "{n}");
    }
    let Refused(wait) = attempt(app, ANN, "203.0.113.1").await else { panic!("the 31st was allowed") };
    assert!((114..=120).contains(&wait), "{wait}");

    // 60 attempts a minute from a client for all addresses.
    for n in 0..60 {
        let address = format!("reader{n}@example.com");
        assert_eq!(attempt(app, (Action::Login, Some(&address)), "192.0.2.9").await, Allowed);
    }
    assert_eq!(attempt(app, (Action::Login, Some("new@example.com")), "192.0.2.9").await, Refused(1));
    assert_eq!(attempt(app, (Action::Register, None), "192.0.2.9").await, Allowed);

    // An attempt that is refused because of the address does not count against the client.
    for n in 0..80 {
        let outcome = attempt(app, ANN, "192.0.2.8").await;
        assert!(matches!(outcome, Refused(_)), "{n}: {outcome:?}");
    }
    for n in 0..60 {
        let address = format!("reader{n}@example.org");
        assert_eq!(attempt(app, (Action::Login, Some(&address)), "192.0.2.8").await, Allowed, "{n}");
    }
    assert_eq!(attempt(app, (Action::Login, Some("z@example.org")), "192.0.2.8").await, Refused(1));

    // 10 registrations; tokens count against the client only, each kind separately.
    for _ in 0..10 {
        assert_eq!(attempt(app, (Action::Register, None), "192.0.2.2").await, Allowed);
    }
    assert_eq!(attempt(app, (Action::Register, None), "192.0.2.2").await, Refused(6));
    for action in [Action::Reset, Action::Confirm] {
        for _ in 0..60 {
            assert_eq!(attempt(app, (action, None), "192.0.2.2").await, Allowed);
        }
        assert_eq!(attempt(app, (action, None), "192.0.2.2").await, Refused(1));
    }

    // An address is the same in every spelling of its host.
    let spellings = ["ann@bücher.example", "Ann@xn--bcher-kva.example"];
    for spelling in spellings.iter().cycle().take(10) {
        assert_eq!(attempt(app, (Action::Login, Some(spelling)), "192.0.2.3").await, Allowed);
    }
    for spelling in spellings {
        assert_eq!(attempt(app, (Action::Login, Some(spelling)), "192.0.2.3").await, Refused(6));
    }

    // An IPv6 client is its /64; an IPv4 client is the same in every notation.
    for n in 0..10 {
        assert_eq!(attempt(app, (Action::Register, None), &format!("2001:db8::{n:x}")).await, Allowed);
    }
    assert_eq!(attempt(app, (Action::Register, None), "2001:db8::ffff:1").await, Refused(6));

    // 300 passwords an hour for a share link, from anywhere; other links are not concerned.
    let links: [ShareId; 2] = [app.base.ids.make(), app.base.ids.make()];
    let guess = async |link| app.app.velocity.check_share(link, app.clock.now()).await;
    for n in 0..300 {
        assert!(guess(links[0]).await.is_ok(), "{n}");
    }
    assert!(matches!(guess(links[0]).await, Err(Error::RateLimited { retry_after_seconds: 12, .. })));
    assert!(guess(links[1]).await.is_ok());
    assert_eq!(attempt(app, (Action::Register, None), "2001:db8:0:1::1").await, Allowed);
    assert_eq!(attempt(app, (Action::Register, None), "::ffff:192.0.2.2").await, Refused(6));

    // After an hour, all counters are back to zero.
    app.clock.advance_seconds(3600);
    for _ in 0..10 {
        assert_eq!(attempt(app, ANN, "192.0.2.1").await, Allowed);
    }
}

#[tokio::test]
async fn the_limits_hold_in_one_process() {
    let app = TestApp::start().await;
    the_rules(&app).await;
    app.finish().await;
}

#[tokio::test]
async fn the_limits_hold_in_redis() {
    let redis = Redis::start();
    let app = Setup::default().set("LECTERN_RATE_LIMIT__REDIS_URL", &redis.url()).start().await;
    the_rules(&app).await;
    app.finish().await;
}

#[tokio::test]
async fn raising_one_limit_raises_the_others_unless_they_are_set() {
    let app = Setup::default().set("LECTERN_RATE_LIMIT__LOGIN_PER_MINUTE", "100").start().await;
    for _ in 0..100 {
        assert_eq!(attempt(&app, ANN, "192.0.2.1").await, Allowed);
    }
    assert_eq!(attempt(&app, ANN, "192.0.2.1").await, Refused(1));
    app.finish().await;

    let setup = Setup::default().set("LECTERN_RATE_LIMIT__LOGIN_PER_HOUR_PER_ADDRESS", "2");
    let app = setup.set("LECTERN_RATE_LIMIT__LOGIN_PER_MINUTE_PER_IP", "3").start().await;
    for _ in 0..2 {
        assert_eq!(attempt(&app, ANN, "192.0.2.1").await, Allowed);
    }
    assert_eq!(attempt(&app, ANN, "192.0.2.1").await, Refused(1800));
    assert_eq!(attempt(&app, (Action::Login, Some("b@example.com")), "192.0.2.1").await, Allowed);
    assert_eq!(attempt(&app, (Action::Login, Some("c@example.com")), "192.0.2.1").await, Refused(20));
    app.finish().await;
}

#[tokio::test]
async fn a_clients_limit_comes_after_the_declared_length_and_before_header_and_body() {
    let redis = Redis::start();
    for setup in [Setup::default(), Setup::default().set("LECTERN_RATE_LIMIT__REDIS_URL", &redis.url())] {
        let setup = setup.set("LECTERN_RATE_LIMIT__REGISTER_PER_MINUTE", "3");
        let app = setup.set("LECTERN_RATE_LIMIT__LOGIN_PER_MINUTE_PER_IP", "3").start().await;
        for path in
            ["saas/auth/register", "saas/auth/login", "bff/auth/confirm", "bff/auth/forgot", "bff/auth/reset"]
        {
            let post = |body: &'static str| app.request(Method::POST, &format!("/v1/{path}")).body(body);
            let bad_key = || post("{}").header("idempotency-key", "a b");
            assert_eq!(app.send(bad_key()).await.refusal(), "invalid_idempotency_key", "{path}");
            assert_eq!(app.send(post("{")).await.refusal(), "validation_failed", "{path}");
            assert_eq!(app.send(post("{}")).await.refusal(), "validation_failed", "{path}");
            for request in [bad_key(), post("{"), post("{}")] {
                let reply = app.send(request).await;
                assert_eq!(
                    (reply.refusal().as_str(), reply.header("retry-after")),
                    ("rate_limited", "20"),
                    "{path}"
                );
            }
            let long = " ".repeat(1_048_577);
            let long = app.request(Method::POST, &format!("/v1/{path}")).body(long);
            assert_eq!(app.send(long).await.refusal(), "request_too_large", "{path}");
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn only_complete_attempts_count_for_an_address() {
    let app = Setup::default().start().await;
    let login = |body: serde_json::Value| app.request(Method::POST, "/v1/saas/auth/login").json(&body);
    for _ in 0..20 {
        let reply = app.send(login(json!({ "email": "ann@example.com", "password": 1 }))).await;
        assert_eq!(reply.fields(), ["password"]);
    }
    let whole = json!({ "email": "ann@example.com", "password": "x" });
    for _ in 0..10 {
        assert_eq!(app.send(login(whole.clone())).await.refusal(), "invalid_credentials");
    }
    for _ in 0..40 {
        assert_eq!(app.send(login(whole.clone())).await.refusal(), "rate_limited");
    }
    // 30 of the client's 60 attempts are left.
    for n in 0..30 {
        let body = json!({ "email": format!("reader{n}@example.com"), "password": 1 });
        assert_eq!(app.send(login(body)).await.fields(), ["password"], "{n}");
    }
    assert_eq!(app.send(login(json!({}))).await.refusal(), "rate_limited");
    app.finish().await;
}

const MASTER_KEY: &str = "the master key of this test, longer than thirty-two";

// Negative control: seen to fail with `Counters::Local` instead of the shared counters.
#[tokio::test]
async fn two_processes_share_one_limit_and_its_last_attempt() {
    let redis = Redis::start();
    let setup = || {
        let setup = Setup::default().set("LECTERN_RATE_LIMIT__REDIS_URL", &redis.url());
        setup.set("LECTERN_SECRETS__MASTER_KEY", MASTER_KEY).start()
    };
    let (one, other) = (setup().await, setup().await);
    let attempts = (0..60).map(|n| {
        let app = if n % 2 == 0 { &one } else { &other };
        attempt(app, (Action::Register, None), "192.0.2.1")
    });
    let outcomes = futures(attempts).await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Allowed).count(), 10);
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Allowed | Refused(6))), "{outcomes:?}");
    one.finish().await;
    other.finish().await;
}

/// Runs all futures at once.
async fn futures<T, F: Future<Output = T>>(all: impl Iterator<Item = F>) -> Vec<T> {
    let mut all: Vec<_> = all.map(Box::pin).map(|future| (future, None)).collect();
    std::future::poll_fn(|cx| {
        let mut pending = false;
        for (future, outcome) in &mut all {
            if outcome.is_none() {
                match future.as_mut().poll(cx) {
                    std::task::Poll::Ready(value) => *outcome = Some(value),
                    std::task::Poll::Pending => pending = true,
                }
            }
        }
        if pending { std::task::Poll::Pending } else { std::task::Poll::Ready(()) }
    })
    .await;
    all.into_iter().filter_map(|(_, outcome)| outcome).collect()
}

#[tokio::test]
async fn without_redis_nobody_can_sign_in_and_all_else_works() {
    let mut redis = Redis::start();
    let app = Setup::default().set("LECTERN_RATE_LIMIT__REDIS_URL", &redis.url()).start().await;
    let account = app.account(1_000).await;
    let register = async || {
        let body = json!({ "email": "ann@example.com", "password": "x", "invite_token": "x" });
        app.send(app.request(Method::POST, "/v1/saas/auth/register").json(&body)).await
    };
    let login = async || {
        let body = json!({ "email": "ann@example.com", "password": "x" });
        app.send(app.request(Method::POST, "/v1/saas/auth/login").json(&body)).await
    };
    assert_eq!(register().await.refusal(), "invite_invalid");
    assert_eq!(login().await.refusal(), "invalid_credentials");
    redis.kill();
    for _ in 0..3 {
        assert_eq!(register().await.refusal(), "service_unavailable");
        assert_eq!(login().await.refusal(), "service_unavailable");
    }
    assert_eq!(app.get("/v1/saas/me", &account.live).await.status, 200);
    assert_eq!(app.synthesize(&account.live, "Still here.").await.status, 200);
    redis.restart();
    assert_eq!(login().await.refusal(), "invalid_credentials");
    assert_eq!(register().await.refusal(), "invite_invalid");
    app.finish().await;
}

#[tokio::test]
async fn an_attempt_without_redis_is_not_counted_and_the_first_one_after_its_return_is() {
    let mut redis = Redis::start();
    let app = Setup::default().set("LECTERN_RATE_LIMIT__REDIS_URL", &redis.url()).start().await;
    assert_eq!(attempt(&app, ANN, "192.0.2.1").await, Allowed);
    redis.kill();
    for _ in 0..3 {
        assert_eq!(attempt(&app, ANN, "192.0.2.1").await, NotCounted);
    }
    redis.restart();
    assert_eq!(attempt(&app, ANN, "192.0.2.1").await, Allowed);
    app.finish().await;
}
