//! Validates endpoints: their URL and subscription. The checks are in the contract's order: the
//! URL's form, then the subscription, then the host's addresses.

use lectern_types::{ErrorCode, EventType};

use crate::{
    error::{Error, FieldErrors, Result},
    outbound::{Outbound, Target, Unreachable, UrlRefusal},
};

/// The most duplicates in `events` that are named.
const MAX_NAMED_DUPLICATES: usize = 10;

/// Seconds after which a failed DNS lookup may be retried.
const LOOKUP_RETRY_SECONDS: u64 = 5;

/// Parses the URL of an endpoint.
///
/// # Errors
/// `validation_failed` for its form, `url_must_be_https`, `url_host_not_allowed`.
pub(super) fn target(outbound: &Outbound, url: &str) -> Result<Target> {
    outbound.target(url).map_err(|refusal| match refusal {
        UrlRefusal::Malformed(sentence) => Error::invalid("url", sentence),
        UrlRefusal::NotHttps => ErrorCode::UrlMustBeHttps.into(),
        UrlRefusal::HostNotAllowed => ErrorCode::UrlHostNotAllowed.into(),
    })
}

/// Parses a subscription.
///
/// # Errors
/// `events_required`, `invalid_event_type`, `validation_failed` for a duplicate.
pub(super) fn subscription(names: &[String]) -> Result<Vec<EventType>> {
    if names.is_empty() {
        return Err(ErrorCode::EventsRequired.into());
    }
    let known: Option<Vec<EventType>> = names.iter().map(|name| EventType::parse(name)).collect();
    let known = known.ok_or(Error::InvalidEventType)?;
    let mut duplicates = FieldErrors::default();
    for (at, kind) in known.iter().enumerate() {
        if known[..at].contains(kind) && duplicates.0.len() < MAX_NAMED_DUPLICATES {
            duplicates.add(format!("events[{at}]"), "is in the list twice");
        }
    }
    duplicates.into_result()?;
    Ok(known)
}

/// Looks up the host and checks its addresses.
///
/// # Errors
/// `url_host_not_allowed`, `validation_failed` for a host without an address, `service_unavailable`
/// when no name server responds.
pub(super) async fn check_host(outbound: &Outbound, target: &Target) -> Result<()> {
    outbound.check(target).await.map_err(|unreachable| match unreachable {
        Unreachable::HostNotAllowed => ErrorCode::UrlHostNotAllowed.into(),
        Unreachable::NoAddress => Error::invalid("url", "has a host without an address"),
        Unreachable::ResolverSilent => Error::Unavailable {
            what: "the URL's host could not be looked up",
            retry_after_seconds: LOOKUP_RETRY_SECONDS,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        match subscription(&names) {
            Ok(events) => events.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" "),
            Err(Error::Invalid(fields)) => fields.0.into_keys().collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_subscription_has_known_types_without_duplicates() {
        assert_eq!(of(&["webhook.test", "chunk.failed"]), "webhook.test chunk.failed");
        assert_eq!(of(&[]), "events_required");
        for unknown in ["", "Chunk.failed", "*", "chunk.failed "] {
            assert_eq!(of(&["chunk.failed", "chunk.failed", unknown]), Error::InvalidEventType.to_string());
        }
        assert_eq!(
            of(&["chunk.failed", "chunk.failed", "credits.low", "credits.low"]),
            "events[1] events[3]"
        );
        assert_eq!(of(&["chunk.failed"; 100]).split(' ').count(), MAX_NAMED_DUPLICATES);
    }
}
