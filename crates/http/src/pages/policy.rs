//! The pages' Content-Security-Policy: what a page may load, and from where.

use crate::extract::session;
use lectern_service::config::{Storage, StorageUrl, WebUrl};

/// The policy. Only files of this service run, and no other page may frame them. Pictures and audio may come from one more
/// place: signed URLs begin with the public address, which may differ from the one in the address bar. Those of audio lead to
/// the object storage if that is a bucket, and a speech that still arrives is played from memory (`blob:`).
pub(super) fn policy(public_url: &str, storage: &Storage) -> String {
    let own = session::origin(public_url);
    let mut audio = own.to_owned();
    if let Some(bucket) = bucket(storage) {
        audio.push(' ');
        audio.push_str(&bucket);
    }
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' {own}; font-src 'self'; \
         media-src 'self' blob: {audio}; connect-src 'self' {audio}; manifest-src 'self'; worker-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

/// The origin of the storage's presigned URLs; `None` when the storage is a directory.
fn bucket(storage: &Storage) -> Option<String> {
    let StorageUrl::S3 { bucket, .. } = &storage.url else { return None };
    let endpoint = match &storage.endpoint {
        Some(endpoint) => endpoint.as_str().parse::<WebUrl>().ok()?.origin(),
        None => format!("https://s3.{}.amazonaws.com", storage.region.as_deref().unwrap_or("us-east-1")),
    };
    let (scheme, host) = endpoint.split_once("://")?;
    Some(if storage.path_style { endpoint } else { format!("{scheme}://{bucket}.{host}") })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use lectern_service::config::{Config, Sources};

    fn of(settings: &[(&str, &str)]) -> String {
        let always = [
            ("LECTERN_STORAGE__ACCESS_KEY_ID", "id"),
            ("LECTERN_STORAGE__SECRET_ACCESS_KEY", "secret"),
            (
                "LECTERN_SECRETS__MASTER_KEY",
                "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            ),
        ];
        let environment =
            always.iter().chain(settings).map(|(k, v)| (OsString::from(k), OsString::from(v))).collect();
        let config = Config::load(&Sources { environment, ..Sources::default() }).unwrap();
        policy("https://speech.example.com", &config.storage)
    }

    #[test]
    fn audio_may_come_from_the_bucket_and_from_nowhere_else() {
        let lists = |policy: &str| {
            let list = policy.split("; ").find_map(|part| part.strip_prefix("media-src ")).map(str::to_owned);
            // Audio in memory is played, not fetched.
            let fetched = list.as_deref().unwrap().replacen(" blob:", "", 1);
            assert!(policy.contains(&format!("; connect-src {fetched};")), "{policy}");
            assert!(
                policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
                "{policy}"
            );
            list.unwrap()
        };
        let ours = "'self' blob: https://speech.example.com";
        let bucket = ("LECTERN_STORAGE__URL", "s3://lectern/eu");
        let endpoint = ("LECTERN_STORAGE__ENDPOINT", "http://storage.example.net:9000");
        assert_eq!(lists(&of(&[])), ours);
        assert_eq!(
            lists(&of(&[bucket, endpoint, ("LECTERN_STORAGE__PATH_STYLE", "true")])),
            format!("{ours} http://storage.example.net:9000")
        );
        assert_eq!(
            lists(&of(&[bucket, endpoint, ("LECTERN_STORAGE__PATH_STYLE", "false")])),
            format!("{ours} http://lectern.storage.example.net:9000")
        );
        let region = ("LECTERN_STORAGE__REGION", "eu-central-1");
        assert_eq!(
            lists(&of(&[bucket, region, ("LECTERN_STORAGE__PATH_STYLE", "false")])),
            format!("{ours} https://lectern.s3.eu-central-1.amazonaws.com")
        );
    }
}
