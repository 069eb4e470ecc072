//! Name servers with malformed, forged or missing answers.

use lectern_service::outbound::{Outbound, PostFailure, Target, Timeouts, Unreachable};
use lectern_testkit::{Canary, DnsReply, DnsServer};

use super::{Fixture, SHORT, client};

const PUBLIC: &str = "93.184.215.14";

async fn check(outbound: &Outbound, name: &str) -> Result<(), Unreachable> {
    outbound.check(&Target::parse(&format!("https://{name}/")).unwrap()).await
}

#[tokio::test]
async fn a_name_is_as_good_as_the_worst_of_its_addresses() {
    let dns = DnsServer::start().await;
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", &dns.address())], SHORT);
    for (name, addresses, wanted) in [
        ("one.example.com", vec![PUBLIC], Ok(())),
        ("both.example.com", vec![PUBLIC, "2606:2800:220:1::1"], Ok(())),
        ("last.example.com", vec![PUBLIC, "1.1.1.1", "10.0.0.1"], Err(Unreachable::HostNotAllowed)),
        ("six.example.com", vec![PUBLIC, "::1"], Err(Unreachable::HostNotAllowed)),
        ("none.example.com", vec![], Err(Unreachable::NoAddress)),
    ] {
        dns.answer(name, DnsReply::addresses(&addresses));
        assert_eq!(check(&outbound, name).await, wanted, "{name}");
    }
}

#[tokio::test]
async fn an_unknown_name_differs_from_a_missing_answer() {
    let dns = DnsServer::start().await;
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", &dns.address())], SHORT);
    for (name, reply, wanted) in [
        ("nx.example.com", DnsReply::NXDOMAIN, Unreachable::NoAddress),
        ("servfail.example.com", DnsReply::SERVFAIL, Unreachable::ResolverSilent),
        ("refused.example.com", DnsReply::REFUSED, Unreachable::ResolverSilent),
        ("silent.example.com", DnsReply::Silence, Unreachable::ResolverSilent),
    ] {
        dns.answer(name, reply);
        assert_eq!(check(&outbound, name).await, Err(wanted), "{name}");
    }
    // Nothing listens at this address.
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", "127.0.0.1:9")], SHORT);
    assert_eq!(check(&outbound, "any.example.com").await, Err(Unreachable::ResolverSilent));
}

/// A lost packet must not fail a lookup.
#[tokio::test]
async fn a_lost_query_is_repeated() {
    let dns = DnsServer::start().await;
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", &dns.address())], SHORT);
    dns.sequence("lost.example.com", vec![DnsReply::Silence, DnsReply::addresses(&[PUBLIC])]);
    assert_eq!(check(&outbound, "lost.example.com").await, Ok(()));
    assert_eq!(dns.queries("lost.example.com"), 4);
}

// Negative control: without the check of the aliases' names, hidden.example.com is accepted, and
// this fails.
#[tokio::test]
async fn aliases_are_followed_to_their_end() {
    let dns = DnsServer::start().await;
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", &dns.address())], SHORT);
    let alias = |name: &str| DnsReply::Alias(name.to_owned());
    dns.answer(
        "whole.example.com",
        DnsReply::AliasOf("b.example.com".to_owned(), vec![PUBLIC.parse().unwrap()]),
    );
    dns.answer("step.example.com", alias("b.example.com"));
    dns.answer("b.example.com", DnsReply::addresses(&[PUBLIC]));
    dns.answer("inward.example.com", alias("c.example.com"));
    dns.answer("c.example.com", DnsReply::addresses(&["127.0.0.1"]));
    dns.answer("internal.example.com", alias("metadata.google.internal"));
    dns.answer(
        "hidden.example.com",
        DnsReply::AliasOf("db.prod.svc.cluster.local".to_owned(), vec![PUBLIC.parse().unwrap()]),
    );
    dns.answer("loop1.example.com", alias("loop2.example.com"));
    dns.answer("loop2.example.com", alias("loop1.example.com"));
    dns.answer("itself.example.com", alias("itself.example.com"));
    for step in 0..30 {
        dns.answer(&format!("long{step}.example.com"), alias(&format!("long{}.example.com", step + 1)));
    }
    for (name, wanted) in [
        ("whole.example.com", Ok(())),
        ("step.example.com", Ok(())),
        ("inward.example.com", Err(Unreachable::HostNotAllowed)),
        ("internal.example.com", Err(Unreachable::HostNotAllowed)),
        ("hidden.example.com", Err(Unreachable::HostNotAllowed)),
        ("loop1.example.com", Err(Unreachable::NoAddress)),
        ("itself.example.com", Err(Unreachable::NoAddress)),
        ("long0.example.com", Err(Unreachable::NoAddress)),
    ] {
        assert_eq!(check(&outbound, name).await, wanted, "{name}");
    }
    assert!(dns.queries("long20.example.com") == 0, "a chain without an end was followed");
}

// Negative control: without the check of the truncation bit, the first name's truncated answer is
// accepted, and this fails.
/// A truncated answer is discarded, and the whole answer is fetched.
#[tokio::test]
async fn a_truncated_answer_is_fetched_over_tcp() {
    let dns = DnsServer::start().await;
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", &dns.address())], SHORT);
    let (public, loopback) = (PUBLIC.parse().unwrap(), "127.0.0.1".parse().unwrap());
    dns.answer("inward.example.com", DnsReply::Truncated(vec![public], vec![loopback]));
    dns.answer("outward.example.com", DnsReply::Truncated(vec![], vec![public]));
    assert_eq!(check(&outbound, "inward.example.com").await, Err(Unreachable::HostNotAllowed));
    assert_eq!(check(&outbound, "outward.example.com").await, Ok(()));
}

// Negative control: if `Query::completeness_of` does not compare the id, or the question, the first
// name is refused because of the forged address, and this fails.
#[tokio::test]
async fn an_answer_to_another_query_is_ignored() {
    let dns = DnsServer::start().await;
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", &dns.address())], SHORT);
    let (public, loopback) = (vec![PUBLIC.parse().unwrap()], vec!["127.0.0.1".parse().unwrap()]);
    dns.answer("good.example.com", DnsReply::AfterForgeries(loopback.clone(), public.clone()));
    dns.answer("bad.example.com", DnsReply::AfterForgeries(public, loopback));
    assert_eq!(check(&outbound, "good.example.com").await, Ok(()));
    assert_eq!(check(&outbound, "bad.example.com").await, Err(Unreachable::HostNotAllowed));
}

/// Many servers and firewalls do not answer queries for IPv6 addresses.
// Negative control: with only the time limit of the whole lookup for both families, the answer is
// lost, and this fails.
#[tokio::test]
async fn an_unanswered_address_family_does_not_hide_the_other() {
    let dns = DnsServer::start().await;
    let limits = Timeouts { dns_response: std::time::Duration::from_millis(250), ..SHORT };
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", &dns.address())], limits);
    dns.answer("four.example.com", DnsReply::Ipv4Only(vec![PUBLIC.parse().unwrap()]));
    dns.answer("inward.example.com", DnsReply::Ipv4Only(vec!["10.0.0.1".parse().unwrap()]));
    dns.answer("empty.example.com", DnsReply::Ipv4Only(vec![]));
    assert_eq!(check(&outbound, "four.example.com").await, Ok(()));
    assert_eq!(check(&outbound, "inward.example.com").await, Err(Unreachable::HostNotAllowed));
    assert_eq!(check(&outbound, "empty.example.com").await, Err(Unreachable::ResolverSilent));
}

#[tokio::test]
async fn a_delivery_without_an_address_says_why() {
    let fixture = Fixture::with(SHORT).await;
    fixture.dns.answer("silent.ssrf.example.net", DnsReply::Silence);
    let failures = [("silent", PostFailure::ResolverSilent), ("nx", PostFailure::NoAddress)];
    for (name, failure) in failures {
        assert_eq!(fixture.post(&format!("{name}.ssrf.example.net"), "/").await, Err(failure));
    }
    assert_eq!(fixture.receiver.connections(), 0);
}

/// A refused address is never connected to, whatever the DNS says.
#[tokio::test]
async fn checking_a_url_connects_to_nothing_internal() {
    let (canary, dns) = (Canary::on([127, 0, 0, 1]).await, DnsServer::start().await);
    let outbound = client(&[("LECTERN_OUTBOUND__RESOLVER", &dns.address())], Timeouts::default());
    dns.answer("inward.example.com", DnsReply::addresses(&["127.0.0.1"]));
    dns.answer("mixed.example.com", DnsReply::addresses(&[PUBLIC, "127.0.0.1"]));
    for host in ["inward.example.com", "mixed.example.com", "127.0.0.1", "localhost"] {
        let url = format!("https://{host}:{}/", canary.address.port());
        assert_eq!(super::post(&outbound, &url).await, Err(PostFailure::HostNotAllowed), "{host}");
    }
    assert_eq!(canary.connections(), 0);
}
