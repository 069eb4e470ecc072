//! Signatures, verified by the reference library of Standard Webhooks. `scripts/webhook_guide.py`
//! verifies them with the libraries for Python and Node.

use lectern_service::{
    clock::Clock,
    services::webhooks::signature::{WebhookSecret, sign},
};
use reqwest::header::HeaderMap;
use standardwebhooks::Webhook;

const ID: &str = "evt_019aa1b2c3d47e5f8a9b0c1d2e3f4a5b";
const BODY: &[u8] = br#"{"type":"webhook.test","timestamp":"2026-11-21T07:08:11.524Z","data":{"name":"B\u00fccher \ud83d\ude00"}}"#;

fn headers(secrets: &[&WebhookSecret], seconds: i64, body: &[u8]) -> HeaderMap {
    let signature = sign(secrets.iter().copied(), ID, seconds, body);
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", ID.parse().unwrap());
    headers.insert("webhook-timestamp", seconds.into());
    headers.insert("webhook-signature", signature.parse().unwrap());
    headers
}

// Negative control: with another separator between the parts in `mac`, or with only the newest
// secret signing, this fails.
#[test]
fn the_reference_library_takes_what_either_of_two_secrets_signed() {
    let (old, new, other) = (WebhookSecret::generate(), WebhookSecret::generate(), WebhookSecret::generate());
    let now = Clock::system().now().0 / 1_000_000;
    let takes = |secret: &WebhookSecret, headers: &HeaderMap, body: &[u8]| {
        Webhook::new(&secret.expose()).unwrap().verify(body, headers).is_ok()
    };
    let both = headers(&[&new, &old], now, BODY);
    assert!(takes(&new, &both, BODY) && takes(&old, &both, BODY));
    assert!(!takes(&other, &both, BODY));
    let alone = headers(&[&new], now, BODY);
    assert!(takes(&new, &alone, BODY) && !takes(&old, &alone, BODY));
    assert!(!takes(&new, &alone, &BODY[1..]), "another body was accepted");
    assert!(!takes(&new, &headers(&[&new], now - 3_600, BODY), BODY), "an hour-old signature was accepted");
    let mut moved = alone;
    moved.insert("webhook-timestamp", (now - 1).into());
    assert!(!takes(&new, &moved, BODY), "another time was accepted");
}

/// Secrets created by other implementations of the standard are valid here, too.
#[test]
fn secrets_of_every_standard_length_sign() {
    let now = Clock::system().now().0 / 1_000_000;
    for length in [24, 32, 33, 64] {
        let secret = WebhookSecret::from_bytes((0..length).collect()).unwrap();
        let webhook = Webhook::new(&secret.expose()).unwrap();
        assert!(webhook.verify(BODY, &headers(&[&secret], now, BODY)).is_ok(), "{length} bytes");
    }
}
