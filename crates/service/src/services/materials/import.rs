//! Fetches a document from an address that a client gave, through the guard against internal addresses, into object
//! storage.

use bytes::Bytes;
use encoding_rs::{Decoder, Encoding, UTF_8};
use lectern_types::ErrorCode;
use percent_encoding::percent_decode_str;
use url::Url;

use super::intake::Intake;
use crate::{
    base::Base,
    error::{Error, Result},
    outbound::{Fetched, PostFailure, Unfetched, UrlRefusal},
};

/// Seconds after which a failed look-up may be repeated.
const LOOKUP_RETRY_SECONDS: u64 = 5;

/// The most characters of a file's name.
const MAX_FILENAME: usize = 255;

/// A byte order mark: readers prefer it to what a page says of its own encoding.
const MARK: &str = "\u{FEFF}";

/// A document that was fetched.
pub struct Import {
    pub intake: Intake,
    /// The last part of the address's path, if it has one.
    pub filename: Option<String>,
    /// The address after redirects.
    pub url: String,
}

/// Fetches a document.
///
/// # Errors
/// `url_must_be_https` and `url_host_not_allowed`, also for a redirect; `validation_failed` for an address that does
/// not answer with a document; `file_too_large`; `service_unavailable` when no name server responds; the storage's.
pub async fn fetch(base: &Base, url: &str) -> Result<Import> {
    // A browser's address bar shows the place on the page, which is never sent.
    let url = url.split('#').next().unwrap_or_default();
    let target = base.outbound.target(url).map_err(refused)?;
    let mut document = base.outbound.fetch(target).await.map_err(unfetched)?;
    let url = document.target.to_string();
    let mut intake = Intake::begin(base).await?;
    match store(&mut document, &mut intake, base.config.limits.file_bytes).await {
        Ok(()) => Ok(Import { intake, filename: filename(&url), url }),
        Err(error) => {
            intake.abort().await;
            Err(error)
        }
    }
}

async fn store(document: &mut Fetched, intake: &mut Intake, max_bytes: u64) -> Result<()> {
    let mut decoder = decoder(document.media_type().as_deref(), document.charset());
    if decoder.is_some() {
        intake.write(Bytes::from_static(MARK.as_bytes())).await?;
    }
    loop {
        let piece = document.chunk().await.map_err(|failure| unfetched(failure.into()))?;
        let ended = piece.is_none();
        let piece = piece.unwrap_or_default();
        let piece = match &mut decoder {
            Some(decoder) => decoded(decoder, &piece, ended),
            None => piece,
        };
        if intake.bytes() + piece.len() as u64 > max_bytes {
            return Err(Error::FileTooLarge { max_bytes });
        }
        if !piece.is_empty() {
            intake.write(piece).await?;
        }
        if ended {
            return Ok(());
        }
    }
}

/// What turns a text into UTF-8 when the server names another encoding, which only its headers may say.
fn decoder(media_type: Option<&str>, charset: Option<&str>) -> Option<Decoder> {
    let is_text = media_type.is_some_and(|kind| kind.starts_with("text/") || kind == "application/xhtml+xml");
    let encoding =
        Encoding::for_label(charset?.as_bytes()).filter(|encoding| is_text && *encoding != UTF_8)?;
    Some(encoding.new_decoder())
}

fn decoded(decoder: &mut Decoder, piece: &[u8], ended: bool) -> Bytes {
    let most = decoder.max_utf8_buffer_length(piece.len()).unwrap_or(piece.len().saturating_mul(3));
    let mut text = String::with_capacity(most);
    // The buffer has room for all of it.
    let _ = decoder.decode_to_string(piece, &mut text, ended);
    text.into()
}

fn filename(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let last = url.path_segments()?.next_back()?;
    let name = percent_decode_str(last).decode_utf8_lossy();
    let plain = name.chars().filter(|c| !c.is_control() && !matches!(c, '/' | '\\')).take(MAX_FILENAME);
    let plain = plain.collect::<String>().trim().to_owned();
    (!plain.is_empty()).then_some(plain)
}

fn refused(refusal: UrlRefusal) -> Error {
    match refusal {
        UrlRefusal::Malformed(sentence) => Error::invalid("url", sentence),
        UrlRefusal::NotHttps => ErrorCode::UrlMustBeHttps.into(),
        UrlRefusal::HostNotAllowed => ErrorCode::UrlHostNotAllowed.into(),
    }
}

fn unfetched(why: Unfetched) -> Error {
    match why {
        Unfetched::Refused(refusal) => refused(refusal),
        Unfetched::Call(PostFailure::HostNotAllowed) => ErrorCode::UrlHostNotAllowed.into(),
        Unfetched::Call(PostFailure::ResolverSilent) => Error::Unavailable {
            what: "the URL's host could not be looked up",
            retry_after_seconds: LOOKUP_RETRY_SECONDS,
        },
        other => Error::invalid("url", format!("could not be fetched: {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documents_name_is_the_end_of_its_path() {
        for (url, name) in [
            ("https://example.com/books/The%20Harbour.epub?x=1", Some("The Harbour.epub")),
            ("https://example.com/a/", None),
            ("https://example.com", None),
            ("https://example.com/..%2F..%2Fetc%2Fpasswd", Some("....etcpasswd")),
        ] {
            assert_eq!(filename(url).as_deref(), name, "{url}");
        }
    }

    #[test]
    fn only_texts_in_another_encoding_are_decoded() {
        let is_decoded = |kind, charset| decoder(Some(kind), charset).is_some();
        assert!(is_decoded("text/html", Some("windows-1251")));
        assert!(!is_decoded("text/html", Some("UTF-8")) && !is_decoded("text/html", None));
        assert!(!is_decoded("text/html", Some("no-such")) && !is_decoded("application/pdf", Some("latin1")));
        let mut russian = decoder(Some("text/plain"), Some("windows-1251")).unwrap();
        assert_eq!(&decoded(&mut russian, b"\xCC\xE8\xF0", true)[..], "Мир".as_bytes());
    }
}
