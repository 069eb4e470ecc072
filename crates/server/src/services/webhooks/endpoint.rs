//! What an endpoint may be: its address, and what it subscribes to. The checks come in the contract's order: what can be said
//! of the address's form, then the subscription, then what the DNS says of the host.

use lectern_types::{ErrorCode, EventType};

use crate::{
    app::App,
    error::{Error, FieldErrors, Result},
    outbound::{Target, Unreachable, UrlRefusal},
};

/// Repeated entries of `events` that are named.
const NAMED_REPEATS: usize = 10;

/// Seconds after which a host that could not be looked up may be tried again.
const LOOK_UP_AGAIN_SECONDS: u64 = 5;

/// Reads an address.
///
/// # Errors
/// `validation_failed` for its form, `url_must_be_https`, `url_host_not_allowed`.
pub(super) fn target(app: &App, url: &str) -> Result<Target> {
    app.outbound.target(url).map_err(|refusal| match refusal {
        UrlRefusal::Malformed(sentence) => Error::invalid("url", sentence),
        UrlRefusal::NotHttps => ErrorCode::UrlMustBeHttps.into(),
        UrlRefusal::HostNotAllowed => ErrorCode::UrlHostNotAllowed.into(),
    })
}

/// Reads a subscription; `None` is a missing one.
///
/// # Errors
/// `events_required`, `invalid_event_type`, `validation_failed` for one that is in it twice.
pub(super) fn subscription(words: Option<&[String]>) -> Result<Vec<EventType>> {
    let words = words.filter(|words| !words.is_empty()).ok_or(ErrorCode::EventsRequired)?;
    let known: Option<Vec<EventType>> = words.iter().map(|word| EventType::of_word(word)).collect();
    let known = known.ok_or(Error::InvalidEventType)?;
    let mut twice = FieldErrors::default();
    for (at, kind) in known.iter().enumerate() {
        if known[..at].contains(kind) && twice.0.len() < NAMED_REPEATS {
            twice.add(format!("events[{at}]"), "is in the list twice");
        }
    }
    twice.into_result()?;
    Ok(known)
}

/// Looks the host up.
///
/// # Errors
/// `url_host_not_allowed`, `validation_failed` for a host without an address, `service_unavailable` when nobody says.
pub(super) async fn reach(app: &App, target: &Target) -> Result<()> {
    app.outbound.check(target).await.map_err(|unreachable| match unreachable {
        Unreachable::HostNotAllowed => ErrorCode::UrlHostNotAllowed.into(),
        Unreachable::NoAddress => Error::invalid("url", "has a host without an address"),
        Unreachable::ResolverSilent => Error::Unavailable {
            what: "the URL's host could not be looked up",
            retry_after_seconds: LOOK_UP_AGAIN_SECONDS,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> String {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        match subscription(Some(&words)) {
            Ok(events) => events.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" "),
            Err(Error::Invalid(fields)) => fields.0.into_keys().collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_subscription_is_some_of_the_types_none_twice() {
        assert_eq!(of(&["webhook.test", "chunk.failed"]), "webhook.test chunk.failed");
        assert_eq!(of(&[]), "events_required");
        assert!(matches!(subscription(None), Err(Error::Refused(ErrorCode::EventsRequired))));
        for unknown in ["", "Chunk.failed", "*", "chunk.failed "] {
            assert_eq!(of(&["chunk.failed", "chunk.failed", unknown]), Error::InvalidEventType.to_string());
        }
        assert_eq!(
            of(&["chunk.failed", "chunk.failed", "credits.low", "credits.low"]),
            "events[1] events[3]"
        );
        assert_eq!(of(&["chunk.failed"; 100]).split(' ').count(), NAMED_REPEATS);
    }
}
