//! Fetches a document from an address that a client gave, through the guard against internal addresses, into object
//! storage.

use std::time::Duration;

use bytes::Bytes;
use encoding_rs::{Decoder, Encoding, UTF_8};
use lectern_documents::{Kind, detect};
use lectern_types::{AccountId, ErrorCode};
use percent_encoding::percent_decode_str;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::intake::Intake;
use crate::{
    base::Base,
    error::{Error, Result},
    outbound::{Fetched, PostFailure, Unfetched, UrlRefusal},
    services::limits::concurrency::{ConcurrencyLimit, Permit},
};

/// Seconds after which a failed look-up may be repeated.
const LOOKUP_RETRY_SECONDS: u64 = 5;

/// The most characters of a file's name.
const MAX_FILENAME: usize = 255;

/// A byte order mark: readers prefer it to what a page says of its own encoding.
const MARK: &str = "\u{FEFF}";

/// The most documents fetched at once, in all and for one account. A slow server holds its place for a minute.
const AT_ONCE: usize = 12;
const AT_ONCE_EACH: usize = 2;

/// How long a fetch waits for a place.
const PATIENCE: Duration = Duration::from_secs(20);

/// The limit on concurrent fetches.
pub fn gate() -> ConcurrencyLimit {
    ConcurrencyLimit::new(AT_ONCE, AT_ONCE_EACH)
}

/// Waits for a place to fetch.
///
/// # Errors
/// `service_unavailable`.
pub async fn turn(imports: &ConcurrencyLimit, account: AccountId) -> Result<Permit> {
    let busy = Error::Unavailable { what: "too many documents are being fetched", retry_after_seconds: 5 };
    imports.acquire(account, PATIENCE).await.map_err(|_| busy)
}

/// A document that was fetched.
pub struct Import {
    pub intake: Intake,
    /// The last part of the address's path, if it has one.
    pub filename: Option<String>,
    /// The address after redirects.
    pub url: String,
}

/// Fetches a document, unless the process is asked to stop.
///
/// # Errors
/// `url_must_be_https` and `url_host_not_allowed`, also for a redirect; `validation_failed` for an address that does
/// not answer with a document; `file_too_large`; `service_unavailable` when no name server responds; the storage's.
pub async fn fetch(base: &Base, url: &str, stop: &CancellationToken) -> Result<Import> {
    // A browser's address bar shows the place on the page, which is never sent.
    let url = url.split('#').next().unwrap_or_default();
    let target = base.imports.target(url).map_err(refused)?;
    let stopping = || Error::Unavailable { what: "the service is shutting down", retry_after_seconds: 1 };
    let fetched = stop.run_until_cancelled(base.imports.fetch(target)).await;
    let mut document = fetched.ok_or_else(stopping)?.map_err(unfetched)?;
    let url = document.target.to_string();
    let mut intake = Intake::begin(base).await?;
    let stored = store(&mut document, &mut intake, base.config.limits.file_bytes);
    match stop.run_until_cancelled(stored).await.unwrap_or_else(|| Err(stopping())) {
        Ok(()) => Ok(Import { intake, filename: filename(&url), url }),
        Err(error) => {
            intake.abort().await;
            Err(error)
        }
    }
}

async fn store(document: &mut Fetched, intake: &mut Intake, max_bytes: u64) -> Result<()> {
    let mut piece = next(document).await?;
    let mut decoder = decoder(document.media_type().as_deref(), document.charset(), piece.as_deref());
    if decoder.is_some() {
        intake.write(Bytes::from_static(MARK.as_bytes())).await?;
    }
    loop {
        let ended = piece.is_none();
        let bytes = piece.unwrap_or_default();
        let bytes = match &mut decoder {
            Some(decoder) => decoded(decoder, &bytes, ended),
            None => bytes,
        };
        if intake.bytes() + bytes.len() as u64 > max_bytes {
            return Err(Error::FileTooLarge { max_bytes });
        }
        if !bytes.is_empty() {
            intake.write(bytes).await?;
        }
        if ended {
            return Ok(());
        }
        piece = next(document).await?;
    }
}

async fn next(document: &mut Fetched) -> Result<Option<Bytes>> {
    document.chunk().await.map_err(|failure| unfetched(failure.into()))
}

/// What turns a text into UTF-8 when the server names another encoding, which only its headers may say. A server may call
/// any file a text, so its first bytes must be those of one.
fn decoder(media_type: Option<&str>, charset: Option<&str>, first: Option<&[u8]>) -> Option<Decoder> {
    let is_named_text = matches!(media_type?, "text/html" | "text/plain" | "application/xhtml+xml");
    let is_text = matches!(detect(first?, first?), Ok(Kind::PlainText | Kind::Markdown | Kind::Html));
    let encoding = Encoding::for_label(charset?.as_bytes()).filter(|encoding| *encoding != UTF_8)?;
    (is_named_text && is_text).then(|| encoding.new_decoder())
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

    // Negative control: without the look at the first bytes, the EPUB is decoded, which destroys it.
    #[test]
    fn only_texts_in_another_encoding_are_decoded() {
        let is_decoded = |kind, charset, first: &[u8]| decoder(Some(kind), charset, Some(first)).is_some();
        let page = b"<html><body><p>Words.</p></body></html>";
        assert!(is_decoded("text/html", Some("windows-1251"), page));
        assert!(!is_decoded("text/html", Some("UTF-8"), page) && !is_decoded("text/html", None, page));
        assert!(!is_decoded("text/html", Some("no-such"), page));
        assert!(!is_decoded("application/pdf", Some("latin1"), page));
        assert!(!is_decoded("text/plain", Some("latin1"), b"PK\x03\x04\x14\0\0\0\0\0"));
        assert!(!is_decoded("text/plain", Some("latin1"), b"{\\rtf1 Words.}"));
        let mut russian =
            decoder(Some("text/plain"), Some("windows-1251"), Some(b"\xCC\xE8\xF0, \xEC\xE8\xF0")).unwrap();
        assert_eq!(&decoded(&mut russian, b"\xCC\xE8\xF0", true)[..], "Мир".as_bytes());
    }
}
