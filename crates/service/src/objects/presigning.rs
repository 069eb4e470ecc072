//! Presigned S3 URLs: AWS Signature Version 4 in the query, as described in S3's documentation,
//! "Authenticating Requests: Using Query Parameters". Implemented here because `object_store`'s
//! signer reads the system clock, and a URL must expire at exactly the second that the response
//! names.

use hmac::{Hmac, KeyInit as _, Mac as _};
use lectern_types::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use super::naming;

/// Everything except RFC 3986's unreserved characters.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The same, except for the slashes of a path.
const ESCAPED_IN_PATHS: &AsciiSet = &ESCAPED.remove(b'/');

/// The address of a bucket and the key that signs its URLs.
#[derive(Debug, Clone)]
pub(super) struct Presigner {
    /// `https` or `http`.
    pub(super) scheme: String,
    /// The host, with its port unless that is the scheme's default.
    pub(super) host: String,
    /// The path before a key, with slashes at both ends, unescaped.
    pub(super) folder: String,
    pub(super) region: String,
    /// The access key's id.
    pub(super) access_key_id: String,
    pub(super) secret_access_key: SecretString,
}

impl Presigner {
    /// The URL of `object`, valid for `seconds` from the second of `issued_at`.
    pub(super) fn sign(&self, object: &str, issued_at: Timestamp, seconds: u64) -> String {
        let response = [
            ("response-content-disposition", naming::disposition(object)),
            ("response-content-type", naming::media_type(object).into_owned()),
        ];
        self.sign_with(object, issued_at, seconds, &response)
    }

    /// `response` holds query parameters in sorted order, with names that sort after `X`.
    fn sign_with(
        &self,
        object: &str,
        issued_at: Timestamp,
        seconds: u64,
        response: &[(&str, String)],
    ) -> String {
        let (date, date_time) = stamps(issued_at);
        let scope = format!("{date}/{}/s3/aws4_request", self.region);
        let path = utf8_percent_encode(&format!("{}{object}", self.folder), ESCAPED_IN_PATHS).to_string();
        let signature_parameters = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256".to_owned()),
            ("X-Amz-Credential", format!("{}/{scope}", self.access_key_id)),
            ("X-Amz-Date", date_time.clone()),
            ("X-Amz-Expires", seconds.to_string()),
            ("X-Amz-SignedHeaders", "host".to_owned()),
        ];
        let pairs = signature_parameters.iter().chain(response);
        let pairs = pairs.map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, ESCAPED)));
        let query = pairs.collect::<Vec<_>>().join("&");
        let request = format!("GET\n{path}\n{query}\nhost:{}\n\nhost\nUNSIGNED-PAYLOAD", self.host);
        let request = hex::encode(Sha256::digest(request));
        let signed = format!("AWS4-HMAC-SHA256\n{date_time}\n{scope}\n{request}");
        let secret = format!("AWS4{}", self.secret_access_key.expose_secret());
        let key = [&date, self.region.as_str(), "s3", "aws4_request"]
            .into_iter()
            .fold(secret.into_bytes(), |key, part| mac(&key, part));
        let signature = hex::encode(mac(&key, &signed));
        format!("{}://{}{path}?{query}&X-Amz-Signature={signature}", self.scheme, self.host)
    }
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// The date and time of an instant, in the protocol's format.
fn stamps(at: Timestamp) -> (String, String) {
    let at = jiff::Timestamp::from_second(at.unix_seconds()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    (at.strftime("%Y%m%d").to_string(), at.strftime("%Y%m%dT%H%M%SZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example from the protocol's documentation.
    #[test]
    fn the_documented_example_is_reproduced() {
        let presigner = Presigner {
            scheme: "https".to_owned(),
            host: "examplebucket.s3.amazonaws.com".to_owned(),
            folder: "/".to_owned(),
            region: "us-east-1".to_owned(),
            access_key_id: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret_access_key: SecretString::from("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        };
        // 2013-05-24T00:00:00.9Z: the fraction of a second is dropped.
        let url = presigner.sign_with("test.txt", Timestamp(1_369_353_600_900_000), 86_400, &[]);
        assert_eq!(
            url,
            "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
             &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
             &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
             &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        );
    }
}
