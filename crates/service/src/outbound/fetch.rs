//! Downloads a document from a URL that a customer provided.

use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::{
    HeaderMap, Method, Request, Response,
    body::{Bytes, Incoming},
    header::{
        ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION,
        USER_AGENT,
    },
};
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::{Outbound, PostFailure, Target, UrlRefusal};

/// How many redirects are followed.
const MAX_REDIRECTS: usize = 5;

/// How long a download may take in all.
const PATIENCE: Duration = Duration::from_mins(1);

/// Every format that can be read, and what else a server may have.
const ACCEPTED: &str =
    "text/html,application/xhtml+xml,application/epub+zip,application/pdf,text/plain;q=0.9,*/*;q=0.8";

/// A document whose body has not been read yet.
pub struct Fetched {
    /// Where it was in the end.
    pub target: Target,
    headers: HeaderMap,
    body: Incoming,
    deadline: Instant,
}

/// Why a document could not be fetched. The messages are for the customer, after "could not be fetched: ".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfetched {
    /// The URL, or one that it redirects to, may not be called.
    #[error("{0}")]
    Refused(UrlRefusal),
    #[error(transparent)]
    Call(#[from] PostFailure),
    /// The server answered with something else than a document.
    #[error("the server answered {0}")]
    Status(u16),
    #[error("it redirects more than {MAX_REDIRECTS} times")]
    TooManyRedirects,
    #[error("it redirects without saying where")]
    NoLocation,
    #[error("the server compressed its answer, though it was asked not to")]
    Compressed,
}

impl Outbound {
    /// Fetches a document within a minute, through at most five redirects.
    ///
    /// # Errors
    /// [`Unfetched`].
    pub async fn fetch(&self, target: Target) -> Result<Fetched, Unfetched> {
        let deadline = Instant::now() + PATIENCE;
        let mut target = target;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.get(&target, deadline).await?;
            let status = response.status();
            match status.as_u16() {
                200 => {}
                301 | 302 | 303 | 307 | 308 => {
                    target = self.redirected(&target, response.headers())?;
                    continue;
                }
                other => return Err(Unfetched::Status(other)),
            }
            let (parts, body) = response.into_parts();
            let encoding = parts.headers.get(CONTENT_ENCODING).map(HeaderValue::as_bytes);
            if encoding.is_some_and(|encoding| !encoding.eq_ignore_ascii_case(b"identity")) {
                return Err(Unfetched::Compressed);
            }
            return Ok(Fetched { target, headers: parts.headers, body, deadline });
        }
        Err(Unfetched::TooManyRedirects)
    }

    async fn get(&self, target: &Target, deadline: Instant) -> Result<Response<Incoming>, PostFailure> {
        let mut request = Request::new(Full::new(Bytes::new()));
        *request.method_mut() = Method::GET;
        *request.uri_mut() = target.uri().clone();
        *request.headers_mut() = HeaderMap::from_iter([
            (ACCEPT, HeaderValue::from_static(ACCEPTED)),
            (ACCEPT_ENCODING, HeaderValue::from_static("identity")),
            (USER_AGENT, HeaderValue::from_static("Lectern/1 (document import)")),
        ]);
        let until = deadline.min(Instant::now() + self.timeouts.total);
        let response =
            timeout_at(until, self.client.request(request)).await.map_err(|_| PostFailure::TimedOut)?;
        response.map_err(|error| PostFailure::of_client(&error))
    }

    /// The URL that a redirect names, checked like the first.
    fn redirected(&self, from: &Target, headers: &HeaderMap) -> Result<Target, Unfetched> {
        let location =
            headers.get(LOCATION).and_then(|value| value.to_str().ok()).ok_or(Unfetched::NoLocation)?;
        let base = Url::parse(&from.to_string()).map_err(|_| Unfetched::NoLocation)?;
        let mut url = base.join(location).map_err(|_| Unfetched::NoLocation)?;
        url.set_fragment(None);
        self.target(url.as_str()).map_err(Unfetched::Refused)
    }
}

impl Fetched {
    /// The media type in lower case, without parameters.
    pub fn media_type(&self) -> Option<String> {
        let value = self.header(&CONTENT_TYPE)?;
        Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
    }

    /// The character encoding that the server names.
    pub fn charset(&self) -> Option<&str> {
        let parameters = self.header(&CONTENT_TYPE)?.split(';').skip(1);
        let mut named = parameters.filter_map(|parameter| parameter.split_once('='));
        let (_, charset) = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
        Some(charset.trim().trim_matches('"'))
    }

    fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The next bytes of the body.
    ///
    /// # Errors
    /// [`PostFailure`] when the body breaks off or takes too long.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, PostFailure> {
        loop {
            let frame =
                timeout_at(self.deadline, self.body.frame()).await.map_err(|_| PostFailure::TimedOut)?;
            match frame {
                None => return Ok(None),
                Some(Err(_)) => return Err(PostFailure::Closed),
                // Trailers are no part of the document.
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Ok(Some(data));
                    }
                }
            }
        }
    }
}
