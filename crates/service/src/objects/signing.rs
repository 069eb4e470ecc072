//! URLs under `/media` that carry their own permission: an HMAC over the path and the second they
//! expire.

use lectern_types::{ErrorCode, Timestamp};
use subtle::ConstantTimeEq as _;

use crate::secrets::Key;

/// How long a URL of audio is valid.
pub const URL_SECONDS: u32 = 24 * 60 * 60;

/// The prefix of signed URLs' paths.
pub const PREFIX: &str = "/media/";

/// Signs and checks `/media` URLs.
#[derive(Debug, Clone)]
pub struct Signer(Key);

impl Signer {
    /// A signer with this key.
    pub fn new(key: Key) -> Self {
        Self(key)
    }

    /// The path and query of `object`, valid until `expires_at` truncated to a second. Object keys
    /// have only letters, digits, `_`, `-`, `.` and `/`.
    pub fn sign(&self, object: &str, expires_at: Timestamp) -> String {
        let path = format!("{PREFIX}{object}");
        let expires = expires_at.unix_seconds();
        let signature = self.signature(&path, &expires.to_string());
        format!("{path}?expires={expires}&signature={signature}")
    }

    /// Checks that this path and query were signed and have not expired.
    ///
    /// # Errors
    /// `audio_url_invalid`, or `audio_url_expired` when the signature is right but the URL has
    /// expired.
    pub fn check(&self, path: &str, query: Option<&str>, now: Timestamp) -> Result<(), ErrorCode> {
        // Only one spelling is valid: a query with anything else, or in another order, was
        // not signed here.
        let (expires, signature) = query
            .and_then(|query| query.strip_prefix("expires="))
            .and_then(|rest| rest.split_once("&signature="))
            .ok_or(ErrorCode::AudioUrlInvalid)?;
        let right = self.signature(path, expires);
        if !bool::from(right.as_bytes().ct_eq(signature.as_bytes())) {
            return Err(ErrorCode::AudioUrlInvalid);
        }
        match expires.parse::<i64>() {
            Ok(expires) if now.unix_seconds() < expires => Ok(()),
            Ok(_) => Err(ErrorCode::AudioUrlExpired),
            Err(_) => Err(ErrorCode::AudioUrlInvalid),
        }
    }

    /// The HMAC-SHA-256 in lower-case hexadecimal.
    fn signature(&self, path: &str, expires: &str) -> String {
        hex::encode(self.0.mac(&[path.as_bytes(), b"\n", expires.as_bytes()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::Secrets;

    const NOW: Timestamp = Timestamp(1_795_244_891_524_999);

    fn check(url: &str, now: Timestamp) -> Result<(), ErrorCode> {
        let (path, query) = url.split_once('?').map_or((url, None), |(p, q)| (p, Some(q)));
        Signer::new(Secrets::derive(b"k").media).check(path, query, now)
    }

    // Negative control: without the comparison of signatures, every changed URL is accepted.
    #[test]
    fn a_url_with_one_byte_changed_is_invalid() {
        let url = Signer::new(Secrets::derive(b"k").media).sign("syntheses/a.mp3", NOW.plus_seconds(60));
        assert_eq!(check(&url, NOW), Ok(()));
        for at in 0..url.len() {
            for new in [b'0', b'1', b'A', b'&', b'%'] {
                let mut changed = url.clone().into_bytes();
                if changed[at] == new {
                    continue;
                }
                changed[at] = new;
                let changed = String::from_utf8(changed).unwrap();
                assert_eq!(check(&changed, NOW), Err(ErrorCode::AudioUrlInvalid), "{changed}");
            }
        }
        for changed in
            [format!("{url}0"), format!("{url}&x=1"), url[..url.len() - 1].to_owned(), url.to_uppercase()]
        {
            assert_eq!(check(&changed, NOW), Err(ErrorCode::AudioUrlInvalid), "{changed}");
        }
        assert_eq!(check("/media/syntheses/a.mp3", NOW), Err(ErrorCode::AudioUrlInvalid));
    }

    #[test]
    fn a_url_expires_at_its_second() {
        let url = Signer::new(Secrets::derive(b"k").media).sign("a", NOW.plus_seconds(60));
        assert_eq!(check(&url, NOW.plus_seconds(59)), Ok(()));
        assert_eq!(check(&url, NOW.plus_seconds(60)), Err(ErrorCode::AudioUrlExpired));
        let mut other = url.clone();
        other.replace_range(other.len() - 1.., if url.ends_with('0') { "1" } else { "0" });
        assert_eq!(check(&other, NOW.plus_seconds(60)), Err(ErrorCode::AudioUrlInvalid));
    }
}
