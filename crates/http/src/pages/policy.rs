//! The pages' Content-Security-Policy: what a page may load, and from where.

use std::sync::LazyLock;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

use super::{INDEX, files};
use crate::extract::session;
use lectern_service::config::{Storage, StorageUrl, WebUrl};

/// The sources of scripts: this service, and the script in the head of the page, by its hash.
static SCRIPTS: LazyLock<String> = LazyLock::new(|| sources("script"));

/// The same of styles.
static STYLES: LazyLock<String> = LazyLock::new(|| sources("style"));

fn sources(element: &str) -> String {
    let page = files::text(&format!("app/{INDEX}")).unwrap_or_default();
    inline(&page, element).map(hash).fold("'self'".to_owned(), |sources, hash| sources + " " + &hash)
}

/// The text of each `script` or `style` that is in the page itself. `web/vite/pages.ts` writes their tags, without attributes.
fn inline<'a>(page: &'a str, element: &str) -> impl Iterator<Item = &'a str> {
    let (start, end) = (format!("<{element}>"), format!("</{element}>"));
    let rests: Vec<&str> = page.split(start.as_str()).skip(1).collect();
    rests.into_iter().filter_map(move |rest| Some(rest.split_once(end.as_str())?.0))
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The policy. Only files of this service and what is in the page itself are run and applied, and no other page may frame them.
/// Pictures and audio may come from one more
/// place: signed URLs begin with the public address, which may differ from the one in the address bar. Those of audio lead to
/// the object storage if that is a bucket, and a speech that still arrives is played from memory (`blob:`).
pub(super) fn policy(public_url: &str, storage: &Storage) -> String {
    let own = session::origin(public_url);
    let mut audio = own.to_owned();
    if let Some(bucket) = bucket(storage) {
        audio.push(' ');
        audio.push_str(&bucket);
    }
    let (scripts, styles) = (&*SCRIPTS, &*STYLES);
    format!(
        "default-src 'none'; script-src {scripts}; style-src {styles}; img-src 'self' {own}; font-src 'self'; \
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
    fn what_is_in_the_page_itself_is_allowed_by_its_hash() {
        let page = "<head><script>alert(1)</script><script src=\"/a.js\"></script><style>p{}</style></head>";
        assert_eq!(inline(page, "style").collect::<Vec<_>>(), ["p{}"]);
        let found: Vec<String> = inline(page, "script").map(hash).collect();
        // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
        assert_eq!(found, ["'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"]);
    }

    #[test]
    fn the_name_of_an_operator_changes_no_hash() {
        // Without a build there is no page.
        let Some(page) = files::text(&format!("app/{INDEX}")) else { return };
        for element in ["script", "style"] {
            let texts: Vec<&str> = inline(&page, element).collect();
            assert_eq!(texts.len(), 1, "{element}");
            assert!(!texts[0].contains(lectern_service::branding::NAME), "{element}");
        }
    }

    #[test]
    fn audio_may_come_from_the_bucket_and_from_nowhere_else() {
        let lists = |policy: &str| {
            let list = policy.split("; ").find_map(|part| part.strip_prefix("media-src ")).map(str::to_owned);
            // Audio in memory is played, not fetched.
            let fetched = list.as_deref().unwrap().replacen(" blob:", "", 1);
            assert!(policy.contains(&format!("; connect-src {fetched};")), "{policy}");
            assert!(
                policy.starts_with(&format!(
                    "default-src 'none'; script-src {}; style-src {};",
                    *SCRIPTS, *STYLES
                )),
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
