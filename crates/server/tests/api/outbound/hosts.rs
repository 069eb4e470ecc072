//! Addresses that need no lookup, and the networks that the operator allows.

use lectern_service::{
    config::{Config, Sources},
    outbound::{Outbound, Target, Timeouts, Unreachable, UrlRefusal},
};
use lectern_testkit::{DnsReply, TestReceiver};

use super::{Fixture, client, post};

/// Whether a URL can be registered, including its lookup.
async fn is_taken(outbound: &Outbound, url: &str) -> bool {
    match outbound.target(url) {
        Ok(target) => outbound.check(&target).await.is_ok(),
        Err(refusal) => {
            assert_eq!(refusal, UrlRefusal::HostNotAllowed, "{url}");
            false
        }
    }
}

// Negative controls: without `addresses::is_forbidden` in the guard, the addresses below are
// accepted; without `is_own`, the service's own addresses are. Both fail this.
#[tokio::test]
async fn the_operators_networks_open_receivers_but_never_metadata_or_the_service_itself() {
    let open = [
        ("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "0.0.0.0/0,::/0"),
        ("LECTERN_HTTP__LISTEN", "127.0.0.1:8081"),
    ];
    let (closed, open) = (client(&[], Timeouts::default()), client(&open, Timeouts::default()));
    for receiver in ["127.0.0.1", "10.1.2.3", "192.168.0.7", "100.64.0.1", "[::1]", "[fd12::1]", "localhost"]
    {
        let url = format!("https://{receiver}:8443/");
        assert!(is_taken(&open, &url).await, "{url} is refused");
        assert!(!is_taken(&closed, &url).await, "{url} is accepted");
    }
    for never in [
        "169.254.169.254",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "[::]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[fd20:ce::254]",
        "[::ffff:10.0.0.1]",
        "[::10.0.0.1]",
        "[2002:a00:1::]",
        "[ff02::1]",
        "[64:ff9b::a9fe:a9fe]",
        "127.0.0.1:8081",
        "localhost:9090",
    ] {
        let url = format!("https://{never}/");
        // The service listens on this port of only one of the two addresses of `localhost`; the
        // other address is allowed.
        if never.ends_with(":9090") {
            let target = Target::parse(&url).unwrap();
            assert_eq!(open.check(&target).await, Ok(()), "nothing listens on [::1]:9090");
            continue;
        }
        assert!(!is_taken(&open, &url).await, "{url} is accepted");
    }
    assert!(is_taken(&open, "https://127.0.0.1:8082/").await);
}

#[tokio::test]
async fn an_allowed_nat64_address_is_judged_by_its_embedded_address() {
    let open = client(&[("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "64:ff9b::/96")], Timeouts::default());
    assert!(is_taken(&open, "https://[64:ff9b::808:808]/").await);
    assert!(!is_taken(&open, "https://[64:ff9b::a00:1]/").await);
    assert!(!is_taken(&client(&[], Timeouts::default()), "https://[64:ff9b::808:808]/").await);
    // A network-specific prefix, as long as the allowed network.
    let open = client(&[("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "64:ff9b:1:abcd::/64")], Timeouts::default());
    assert!(is_taken(&open, "https://[64:ff9b:1:abcd:8:808:800:0]/").await);
    assert!(!is_taken(&open, "https://[64:ff9b:1:abcd:a9:fea9:fe00:0]/").await);
    let open = client(&[("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "64:ff9b:1::/47")], Timeouts::default());
    assert!(
        !is_taken(&open, "https://[64:ff9b:1:abcd:8:808:800:0]/").await,
        "the position of the embedded address is unknown"
    );
    // The service itself, reached through NAT64.
    let settings = [
        ("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "64:ff9b::/96,127.0.0.0/8"),
        ("LECTERN_HTTP__LISTEN", "127.0.0.1:8081"),
    ];
    let open = client(&settings, Timeouts::default());
    assert!(is_taken(&open, "https://[64:ff9b::7f00:1]:8082/").await);
    assert!(!is_taken(&open, "https://[64:ff9b::7f00:1]:8081/").await);
}

/// A service that listens on all addresses can be reached at every address of its machine.
#[tokio::test]
async fn a_listener_on_all_addresses_is_protected_at_each() {
    let networks = ("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.0/8,::1,10.0.0.0/8");
    let outbound = client(&[networks, ("LECTERN_HTTP__LISTEN", "0.0.0.0:8443")], Timeouts::default());
    assert!(!is_taken(&outbound, "https://127.3.2.1:8443/").await);
    assert!(is_taken(&outbound, "https://127.3.2.1:8444/").await);
    assert!(is_taken(&outbound, "https://10.255.255.254:8443/").await, "another machine is not this one");
    let receiver = TestReceiver::start().await;
    outbound.block(receiver.address());
    assert!(!is_taken(&outbound, &receiver.url("/")).await);
}

// Negative control: without `is_own_name`, the name is accepted, and this fails.
#[tokio::test]
async fn the_services_own_name_is_not_a_receiver() {
    let fixture = Fixture::new().await;
    let port = fixture.receiver.address().port().to_string();
    let public = format!("https://hooks.example.com:{port}");
    let dns = fixture.dns.address();
    let outbound = client(
        &[("LECTERN_HTTP__PUBLIC_URL", &public), ("LECTERN_OUTBOUND__RESOLVER", &dns)],
        Timeouts::default(),
    );
    fixture.dns.answer("hooks.example.com", DnsReply::addresses(&["93.184.215.14"]));
    let check = async |url: String| outbound.check(&Target::parse(&url).unwrap()).await;
    assert_eq!(check(public.clone()).await, Err(Unreachable::HostNotAllowed));
    assert_eq!(check("https://hooks.example.com/".to_owned()).await, Ok(()));
}

#[tokio::test]
async fn a_private_receiver_is_reached_by_its_address_once_its_network_is_open() {
    let fixture = Fixture::new().await;
    let answer = post(&fixture.outbound, &fixture.receiver.url("/hook?a=1")).await.unwrap();
    assert_eq!(answer.status, 200);
    let received = fixture.receiver.received();
    assert_eq!(
        (received.len(), received[0].path.as_str(), &received[0].body[..]),
        (1, "/hook?a=1", &b"{}"[..])
    );
    assert_eq!(received[0].header("host"), fixture.receiver.address().to_string());
}

/// The error is reported at startup, not when the first webhook fails.
#[test]
fn a_ca_file_without_certificates_is_reported_by_its_setting() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let files = [
        folder.path().join("none.pem").display().to_string(),
        written("empty.pem", ""),
        written("text.pem", "no certificate"),
        written("broken.pem", broken),
    ];
    for file in files {
        let environment = vec![("LECTERN_WEBHOOKS__EXTRA_CA_FILE".into(), file.clone().into())];
        let config = Config::load(&Sources { environment, ..Sources::default() }).unwrap();
        let error = Outbound::new(&config).unwrap_err();
        assert_eq!(error.key, "webhooks.extra_ca_file", "{file}");
    }
}
