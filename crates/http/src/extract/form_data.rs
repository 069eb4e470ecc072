//! Bodies of `multipart/form-data` (RFC 7578), read part by part as they arrive: size limits, the
//! patience with a slow client, and the errors for a malformed body. Only the bytes that arrived
//! last are held in memory.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, header},
};
use futures_util::{Stream, StreamExt as _};
use lectern_types::ErrorCode;
use multer::Multipart;
use tokio::time::Instant;

use super::json::{BODY, broken_off};
use lectern_service::error::{Error, Result};

/// The bytes that a body may have besides the contents of its parts: boundaries, the parts'
/// headers.
const FRAME_BYTES: u64 = 64 * 1024;

/// The longest boundary (RFC 2046 section 5.1.1).
const BOUNDARY: usize = 70;

/// The step of the time limit: for every further step of this many bytes, a client has as much time
/// again as for the first.
const STEP_BYTES: u64 = 1024 * 1024;

/// How large a body may be, and how long to wait for it.
#[derive(Debug, Clone, Copy)]
pub struct Caps {
    /// The limit on the file's bytes, as refusals name it.
    pub file_bytes: u64,
    /// The limit on the bytes of the whole body.
    pub body_bytes: u64,
    /// How long the first mebibyte may take, and each following one.
    pub patience: Duration,
}

/// Whether the headers announce a multipart form.
pub fn is_form(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = value.and_then(|text| text.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("multipart/form-data")
}

/// A form that is still arriving.
pub struct FormData {
    parts: Multipart<'static>,
    tally: Arc<Tally>,
}

/// The state that the two ends of the parser share.
#[derive(Debug, Default)]
struct Tally {
    /// Bytes that the parser was given.
    fed: AtomicU64,
    /// Bytes that the parser returned as the contents of parts.
    taken: AtomicU64,
    /// Why no more is accepted. Kept here, because the parser would reword it.
    fault: Mutex<Option<Error>>,
}

impl FormData {
    /// Starts to read this body as a form.
    ///
    /// # Errors
    /// `validation_failed` for a missing or malformed boundary.
    pub fn new(headers: &HeaderMap, body: Body, caps: Caps) -> Result<Self> {
        let mut types = headers.get_all(header::CONTENT_TYPE).iter();
        let (value, None) = (types.next(), types.next()) else {
            return Err(Error::invalid(BODY, "has two media types"));
        };
        let boundary = value.and_then(|value| multer::parse_boundary(value.to_str().ok()?).ok());
        let boundary = boundary.filter(|boundary| (1..=BOUNDARY).contains(&boundary.len()));
        let boundary = boundary.ok_or_else(|| Error::invalid(BODY, "has no boundary in its Content-Type"))?;
        let tally = Arc::<Tally>::default();
        let parts = Multipart::new(feed(body, caps, Arc::clone(&tally)), boundary);
        Ok(Self { parts, tally })
    }

    /// The next part. The previous part must have been read to its end.
    ///
    /// # Errors
    /// An error that says what is wrong with the body.
    pub async fn next(&mut self) -> Result<Option<Part>> {
        let field = self.parts.next_field().await.map_err(|error| self.tally.because(&error))?;
        Ok(field.map(|field| Part { field, tally: Arc::clone(&self.tally) }))
    }
}

/// One part of a form.
pub struct Part {
    field: multer::Field<'static>,
    tally: Arc<Tally>,
}

impl Part {
    /// The field's name.
    pub fn name(&self) -> Option<&str> {
        self.field.name()
    }

    /// The name of the file, as the client gave it.
    pub fn file_name(&self) -> Option<&str> {
        self.field.file_name()
    }

    /// The next bytes of its content.
    ///
    /// # Errors
    /// An error that says what is wrong with the body.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>> {
        let bytes = self.field.chunk().await.map_err(|error| self.tally.because(&error))?;
        let taken = bytes.as_ref().map_or(0, Bytes::len) as u64;
        self.tally.taken.fetch_add(taken, Relaxed);
        Ok(bytes)
    }
}

impl Tally {
    /// The client's error for a failure of the parser.
    fn because(&self, error: &multer::Error) -> Error {
        if let Some(fault) = self.fault.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return fault;
        }
        let sentence = match error {
            multer::Error::IncompleteStream
            | multer::Error::IncompleteFieldData { .. }
            | multer::Error::IncompleteHeaders
            | multer::Error::StreamReadFailed(_) => "is not a whole form: it ends before its last boundary",
            _ => "is not a form that can be read",
        };
        Error::invalid(BODY, sentence)
    }
}

/// The body's bytes for the parser, within the limits.
fn feed(body: Body, caps: Caps, tally: Arc<Tally>) -> impl Stream<Item = Result<Bytes, Stopped>> + Send {
    let feed = Feed { body: body.into_data_stream(), caps, waited: Duration::ZERO, tally };
    futures_util::stream::unfold(Some(feed), |feed| async {
        let mut feed = feed?;
        // The parser takes all available bytes before it returns any: without a yield between two
        // pieces it would hold everything that has arrived.
        tokio::task::yield_now().await;
        match feed.next().await {
            Ok(Some(bytes)) => Some((Ok(bytes), Some(feed))),
            Ok(None) => None,
            Err(error) => {
                *feed.tally.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Some((Err(Stopped), None))
            }
        }
    })
}

/// Reading stopped; the tally says why.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the body is given up")]
struct Stopped;

struct Feed {
    body: axum::body::BodyDataStream,
    caps: Caps,
    /// How long to wait for the client.
    waited: Duration,
    tally: Arc<Tally>,
}

impl Feed {
    async fn next(&mut self) -> Result<Option<Bytes>> {
        let fed = self.tally.fed.load(Relaxed);
        let steps = u32::try_from(fed / STEP_BYTES).unwrap_or(u32::MAX).saturating_add(1);
        let patience = self.caps.patience.saturating_mul(steps).saturating_sub(self.waited);
        let asked = Instant::now();
        let Ok(bytes) = tokio::time::timeout(patience, self.body.next()).await else {
            return Err(ErrorCode::RequestTimeout.into());
        };
        self.waited += asked.elapsed();
        let Some(bytes) = bytes.transpose().map_err(|error| broken_off(&error))? else { return Ok(None) };
        let fed = fed.saturating_add(bytes.len() as u64);
        self.tally.fed.store(fed, Relaxed);
        if fed > self.caps.body_bytes {
            return Err(Error::FileTooLarge { max_bytes: self.caps.file_bytes });
        }
        // Bytes that the parser has not returned before it asks for more are not content, apart
        // from a line ending or so.
        if fed - bytes.len() as u64 > self.tally.taken.load(Relaxed) + FRAME_BYTES {
            return Err(Error::invalid(BODY, "has too much between the contents of its parts"));
        }
        Ok(Some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const CAPS: Caps = Caps { file_bytes: 1 << 20, body_bytes: 2 << 20, patience: Duration::from_secs(5) };

    fn headers(content_type: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_str(content_type).unwrap())])
    }

    /// The parts of a body that arrives in pieces of this many bytes, or the error.
    async fn parts(body: &[u8], piece: usize) -> Result<Vec<(String, Vec<u8>)>, String> {
        let pieces: Vec<_> =
            body.chunks(piece).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect();
        let body = Body::from_stream(futures_util::stream::iter(pieces));
        let said = |error: Error| match error {
            Error::Invalid(fields) => format!("{:?}", fields.0),
            other => other.to_string(),
        };
        let mut form =
            FormData::new(&headers("multipart/form-data; boundary=xx"), body, CAPS).map_err(said)?;
        let mut found = Vec::new();
        while let Some(mut part) = form.next().await.map_err(said)? {
            let mut content = Vec::new();
            while let Some(bytes) = part.chunk().await.map_err(said)? {
                content.extend_from_slice(&bytes);
            }
            found.push((part.name().unwrap_or("?").to_owned(), content));
        }
        Ok(found)
    }

    fn part(name: &str, content: &[u8]) -> Vec<u8> {
        let head = format!("--xx\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        [head.as_bytes(), content, b"\r\n"].concat()
    }

    #[tokio::test]
    async fn parts_are_the_same_however_the_body_is_cut() {
        let content = b"\r\n--x\r\n-\r--xy\r\n\r\n--\r\nend\r";
        let body = [part("a", content), part("b", b""), b"--xx--\r\n".to_vec()].concat();
        for piece in [1, 2, 3, 7, 1000] {
            let found = parts(&body, piece).await;
            assert_eq!(found, Ok(vec![("a".to_owned(), content.to_vec()), ("b".to_owned(), Vec::new())]));
        }
    }

    #[tokio::test]
    async fn a_body_that_is_cut_anywhere_is_not_whole() {
        let body = [part("a", b"one"), part("b", b"two"), b"--xx--".to_vec()].concat();
        for end in 0..body.len() {
            let refusal = parts(&body[..end], 5).await.unwrap_err();
            assert!(refusal.contains("is not a whole form"), "{end}: {refusal}");
        }
        assert!(parts(&body, 5).await.is_ok());
    }

    // Negative control: without the check of the size read so far, the two bodies are read into
    // memory up to their cap.
    #[tokio::test]
    async fn what_is_not_content_is_not_kept() {
        let before = vec![b'x'; 1 << 20];
        let headers = [b"--xx\r\nX: ".as_slice(), &vec![b'x'; 1 << 20]].concat();
        for body in [before, headers] {
            let refusal = parts(&body, 1000).await.unwrap_err();
            assert!(refusal.contains("too much between"), "{refusal}");
        }
    }

    #[tokio::test]
    async fn the_cap_is_counted_over_the_whole_body() {
        let body = [part("a", &vec![1; 3 << 20]), b"--xx--".to_vec()].concat();
        assert_eq!(parts(&body, 10_000).await, Err("the file is over 1048576 bytes".to_owned()));
    }

    #[tokio::test]
    async fn a_client_has_as_long_again_for_each_mebibyte_and_no_longer() {
        let patience = Duration::from_millis(300);
        // Sends pieces of 64 KiB at an interval in milliseconds; returns how many arrive before the
        // client is dropped.
        let fed = async |pause: u64| {
            let pieces = futures_util::stream::unfold((), move |()| async move {
                tokio::time::sleep(Duration::from_millis(pause)).await;
                Some((Ok::<_, std::io::Error>(vec![b'-'; 64 * 1024]), ()))
            });
            let tally = Arc::<Tally>::default();
            tally.taken.store(u64::MAX / 2, Relaxed);
            let caps = Caps { body_bytes: u64::MAX, patience, ..CAPS };
            let mut fed = Box::pin(feed(Body::from_stream(pieces), caps, Arc::clone(&tally)));
            let mut pieces = 0;
            while pieces < 64 && fed.next().await.is_some_and(|piece| piece.is_ok()) {
                pieces += 1;
            }
            let fault = tally.fault.lock().unwrap().take();
            (pieces, fault.map(|error| error.to_string()))
        };
        // 16 pieces are a mebibyte. The fast client sends one in 32 to 160 ms, the slow client in
        // 800 ms or more.
        assert_eq!(fed(2).await, (64, None));
        let (pieces, fault) = fed(50).await;
        assert!(pieces < 8, "{pieces}");
        assert_eq!(fault.as_deref(), Some("request_timeout"));
    }

    #[test]
    fn a_form_names_its_boundary() {
        let body = || Body::from("--xx--");
        for bad in [
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"\"",
            &format!("multipart/form-data; boundary={}", "x".repeat(71)),
            "multipart/mixed; boundary=xx",
        ] {
            assert!(FormData::new(&headers(bad), body(), CAPS).is_err(), "{bad}");
        }
        assert!(FormData::new(&headers("Multipart/Form-Data; boundary=\"x x\""), body(), CAPS).is_ok());
        assert!(is_form(&headers("multipart/FORM-DATA")) && !is_form(&headers("application/json")));
    }
}
