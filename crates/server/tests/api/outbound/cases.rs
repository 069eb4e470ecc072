//! The list of URLs with verdicts.

use std::net::IpAddr;

use lectern_service::outbound::{Outbound, Timeouts, Unreachable, UrlRefusal};
use lectern_testkit::{DnsReply, DnsServer};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::client;

/// A case in the list.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) stage: String,
    pub(crate) url: Value,
    expect: String,
    pub(crate) accept: Vec<String>,
    policy: bool,
    #[serde(default)]
    dns: Map<String, Value>,
}

impl Case {
    /// Sets the name server up for the case.
    pub(crate) fn prepare(&self, dns: &DnsServer) {
        for (name, records) in self.dns.iter().filter(|(name, _)| *name != "*") {
            write(dns, name, records);
        }
    }
}

#[derive(Deserialize)]
struct List {
    count: usize,
    cases: Vec<Case>,
}

pub(crate) fn list() -> Vec<Case> {
    let list: List = serde_json::from_str(include_str!("webhook_urls.json")).unwrap();
    assert_eq!(list.cases.len(), list.count);
    list.cases
}

/// The result of registering the URL.
async fn verdict(outbound: &Outbound, url: &str) -> &'static str {
    let target = match outbound.target(url) {
        Err(UrlRefusal::Malformed(_)) => return "validation_failed",
        Err(UrlRefusal::NotHttps) => return "url_must_be_https",
        Err(UrlRefusal::HostNotAllowed) => return "url_host_not_allowed",
        Ok(target) => target,
    };
    match outbound.check(&target).await {
        Ok(()) => "allowed",
        Err(Unreachable::HostNotAllowed) => "url_host_not_allowed",
        Err(Unreachable::NoAddress) => "validation_failed",
        Err(Unreachable::ResolverSilent) => "service_unavailable",
    }
}

/// Sets up the name server's answers for a name.
fn write(dns: &DnsServer, name: &str, records: &Value) {
    let addresses = |key: &str| -> Vec<IpAddr> {
        let texts = records[key].as_array().into_iter().flatten();
        texts.map(|text| text.as_str().unwrap().parse().unwrap()).collect()
    };
    let reply = if let Some(alias) = records["CNAME"].as_str() {
        DnsReply::Alias(alias.to_owned())
    } else if records["TC"] == true {
        DnsReply::Truncated(addresses("A_UDP"), addresses("A_TCP"))
    } else {
        match records["RCODE"].as_str() {
            None => DnsReply::Addresses([addresses("A"), addresses("AAAA")].concat()),
            Some("NXDOMAIN") => DnsReply::NXDOMAIN,
            Some("REFUSED") => DnsReply::REFUSED,
            Some(other) => panic!("{other}: teach the test this code"),
        }
    };
    dns.answer(name, reply);
}

// Negative controls: without the check for invisible characters, without the check for backslashes,
// with truncated DNS answers accepted, or without the guard, cases get verdicts that the list does
// not accept, and this fails.
/// Every case that is decided at registration, for new and changed webhooks. Bodies whose `url` is
/// not a string are tested in `registered`, over the API; deliveries are tested in the other
/// modules.
#[tokio::test]
async fn every_listed_url_gets_its_verdict() {
    let dns = DnsServer::start().await;
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", &dns.address())], Timeouts::default());
    let (mut wrong, mut judged, mut unlike) = (Vec::new(), 0, Vec::new());
    for case in list().iter().filter(|case| case.stage != "deliver") {
        let Some(url) = case.url.as_str() else { continue };
        case.prepare(&dns);
        let got = verdict(&outbound, url).await;
        judged += 1;
        if !case.accept.iter().any(|accepted| accepted == got) {
            wrong.push(format!("{}: {url:?} is {got}, not one of {:?}", case.id, case.accept));
        }
        if got != case.expect {
            unlike.push(format!("{} {url:.60} {got} for {} (policy: {})", case.id, case.expect, case.policy));
        }
    }
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(judged, 390, "the list has changed");
    println!("{} decided otherwise than preferred:\n{}", unlike.len(), unlike.join("\n"));
}

// Negative controls: if `read_name` accepts deceptive names, ｅxample.com is accepted; if
// `Host::Ipv4` is accepted in any spelling, 0x08.8.8.8 is accepted; if user info is accepted,
// user@127.0.0.1 is refused only because of its host. In each case this fails.
/// Cases that are not in the list, in the same order of checks.
#[test]
fn the_first_error_in_order_decides() {
    let outbound = client(&[], Timeouts::default());
    for (url, wanted) in [
        // Characters are checked before the scheme; the scheme before user info, port and host;
        // these before the host's name.
        ("http://127.0.0.1/ x", "validation_failed"),
        ("http://user@127.0.0.1:0/#x", "url_must_be_https"),
        ("https://user@127.0.0.1/", "validation_failed"),
        ("https://127.0.0.1:0/", "validation_failed"),
        ("https://127.0.0.1:22/", "validation_failed"),
        ("https://localhost/#x", "validation_failed"),
        ("https://127.0.0.1/", "url_host_not_allowed"),
        // URLs that other parsers read differently.
        ("https://8.8.8.8:443:443/", "validation_failed"),
        ("https://hooks.example.com:+443/", "validation_failed"),
        ("https://hooks.example.com:٤٤٣/", "validation_failed"),
        ("https://hooks.example.com,127.0.0.1/", "validation_failed"),
        ("https://0x08.8.8.8/", "url_host_not_allowed"),
        ("https://8.8.8.08/", "validation_failed"),
        ("https://[::ffff:8.8.8.8]/", "url_host_not_allowed"),
        ("https://-a.example.com/", "validation_failed"),
        ("https://ｅxample.com/", "validation_failed"),
        ("https://EXAMPLE.INTERNAL./", "url_host_not_allowed"),
        ("https://x.home.arpa/", "url_host_not_allowed"),
        ("https://😀/", "url_host_not_allowed"),
        ("https://[::1]:99999/", "validation_failed"),
    ] {
        let refusal = outbound.target(url).unwrap_err();
        let word = match refusal {
            UrlRefusal::Malformed(_) => "validation_failed",
            UrlRefusal::NotHttps => "url_must_be_https",
            UrlRefusal::HostNotAllowed => "url_host_not_allowed",
        };
        assert_eq!(word, wanted, "{url}");
    }
}

/// A URL is stored, shown and requested in one spelling.
#[test]
fn a_url_is_kept_in_one_spelling() {
    let outbound = client(&[], Timeouts::default());
    for (url, kept) in [
        ("HtTpS://Hooks.Example.COM:443", "https://hooks.example.com"),
        ("https://hooks.example.com/", "https://hooks.example.com/"),
        ("https://hooks.example.com?", "https://hooks.example.com/?"),
        ("https://hooks.example.com.:08443/A%0d?b=C", "https://hooks.example.com:8443/A%0d?b=C"),
        ("https://bücher.example.com/ü?q=é", "https://xn--bcher-kva.example.com/%C3%BC?q=%C3%A9"),
        ("https://[2606:4700:0:0::1111]/", "https://[2606:4700::1111]/"),
    ] {
        let target = outbound.target(url).unwrap();
        assert_eq!(target.to_string(), kept, "{url}");
        assert_eq!(outbound.target(kept).unwrap().to_string(), kept, "{kept} is not stored unchanged");
    }
}
