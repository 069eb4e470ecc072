//! Content encodings that a client accepts (RFC 9110, section 12.5.3).

use axum::http::{HeaderMap, header::ACCEPT_ENCODING};

/// An encoding that files are sent in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// The smallest first.
    const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// The encoding's name in headers.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }
}

/// The encodings that the client names and does not refuse.
pub(super) fn accepted(headers: &HeaderMap) -> impl Iterator<Item = Encoding> {
    let lines = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    let named: Vec<String> = lines
        .flat_map(|line| line.split(','))
        .filter_map(|part| {
            let (word, quality) = part.split_once(';').unwrap_or((part, "q=1"));
            let quality = quality.trim().strip_prefix("q=").and_then(|text| text.parse::<f32>().ok());
            quality.is_some_and(|quality| quality > 0.0).then(|| word.trim().to_ascii_lowercase())
        })
        .collect();
    Encoding::ALL.into_iter().filter(move |encoding| named.iter().any(|name| name == encoding.name()))
}

/// Whether the client accepts `gzip`.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    accepted(headers).any(|encoding| encoding == Encoding::Gzip)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn what_is_named_and_not_refused_is_taken() {
        for (header, words) in [
            ("gzip, deflate, br, zstd", &["br", "gzip"][..]),
            ("gzip;q=0.5, br;q=0", &["gzip"]),
            ("GZIP", &["gzip"]),
            ("identity", &[]),
            ("", &[]),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(header))]);
            assert_eq!(accepted(&headers).map(Encoding::name).collect::<Vec<_>>(), words, "{header}");
        }
    }
}
