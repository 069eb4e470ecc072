//! URLs straight from S3 that carry their own permission: AWS Signature Version 4 in the query, as S3's documentation of
//! "Authenticating Requests: Using Query Parameters" has it. Made here, not by `object_store`: its signer reads the system's
//! clock, and a URL's end must be that which the answer names, to the second.

use hmac::{Hmac, KeyInit as _, Mac as _};
use lectern_types::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use super::naming;

/// All but what RFC 3986 calls unreserved.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The same in a path, whose slashes stand.
const ESCAPED_IN_PATHS: &AsciiSet = &ESCAPED.remove(b'/');

/// Where the objects of a storage are on the web, and the key that opens them.
#[derive(Debug, Clone)]
pub(super) struct Presigner {
    /// `https` or `http`.
    pub(super) scheme: String,
    /// The host, with its port where that is not the scheme's own.
    pub(super) host: String,
    /// What stands before a key in the path: with slashes at both ends, nothing escaped.
    pub(super) folder: String,
    /// The region.
    pub(super) region: String,
    /// The access key's id.
    pub(super) access_key_id: String,
    /// The access key.
    pub(super) secret_access_key: SecretString,
}

impl Presigner {
    /// The URL under which `object` can be had for `seconds` from the second of `issued_at`.
    pub(super) fn sign(&self, object: &str, issued_at: Timestamp, seconds: u64) -> String {
        let answer = [
            ("response-content-disposition", naming::disposition(object)),
            ("response-content-type", naming::media_type(object).to_owned()),
        ];
        self.sign_with(object, issued_at, seconds, &answer)
    }

    /// `answer` are parameters whose names sort behind `X`, in their order.
    fn sign_with(
        &self,
        object: &str,
        issued_at: Timestamp,
        seconds: u64,
        answer: &[(&str, String)],
    ) -> String {
        let (day, moment) = stamps(issued_at);
        let scope = format!("{day}/{}/s3/aws4_request", self.region);
        let path = utf8_percent_encode(&format!("{}{object}", self.folder), ESCAPED_IN_PATHS).to_string();
        let own = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256".to_owned()),
            ("X-Amz-Credential", format!("{}/{scope}", self.access_key_id)),
            ("X-Amz-Date", moment.clone()),
            ("X-Amz-Expires", seconds.to_string()),
            ("X-Amz-SignedHeaders", "host".to_owned()),
        ];
        let pairs = own.iter().chain(answer);
        let pairs = pairs.map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, ESCAPED)));
        let query = pairs.collect::<Vec<_>>().join("&");
        let request = format!("GET\n{path}\n{query}\nhost:{}\n\nhost\nUNSIGNED-PAYLOAD", self.host);
        let request = hex::encode(Sha256::digest(request));
        let signed = format!("AWS4-HMAC-SHA256\n{moment}\n{scope}\n{request}");
        let secret = format!("AWS4{}", self.secret_access_key.expose_secret());
        let key = [&day, self.region.as_str(), "s3", "aws4_request"]
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

/// The day and the second of an instant, as the protocol writes them.
fn stamps(at: Timestamp) -> (String, String) {
    let at = jiff::Timestamp::from_second(at.unix_seconds()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    (at.strftime("%Y%m%d").to_string(), at.strftime("%Y%m%dT%H%M%SZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of the protocol's documentation.
    #[test]
    fn the_documented_example_comes_out() {
        let presigner = Presigner {
            scheme: "https".to_owned(),
            host: "examplebucket.s3.amazonaws.com".to_owned(),
            folder: "/".to_owned(),
            region: "us-east-1".to_owned(),
            access_key_id: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret_access_key: SecretString::from("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        };
        // 2013-05-24T00:00:00.9Z: fractions of a second are left out.
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
