//! The operator's brand on the pages: a name, a style sheet and a logo, named in the head of the page.

use std::{
    fmt::Write as _,
    sync::{Arc, LazyLock},
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State, rejection::PathRejection},
    http::{
        HeaderMap, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE},
    },
    response::{IntoResponse as _, Response},
    routing::get,
};
use lectern_service::{
    app::App,
    branding::{self, Branding},
};
use lectern_types::ErrorCode;
use quick_xml::escape::escape;

use super::files::{self, Kept};
use crate::{envelope::Failure, extract::idempotency};

/// The route of the files of the brand.
pub(super) const ROUTE: &str = "/brand/{file}";

/// The files of the application as they are under a brand, by the brand's version. There are at most three of each brand,
/// and a process has one.
static BRANDED: LazyLock<Kept<(String, String)>> = LazyLock::new(Kept::default);

/// A built page under the operator's name, with the brand in its head.
pub(super) fn page(name: &str, brand: &Branding) -> Option<Bytes> {
    prepared(name, brand, branded)
}

/// The file that makes the pages installable, under the operator's name.
pub(super) fn manifest(path: &str, brand: &Branding) -> Option<Bytes> {
    prepared(path.trim_start_matches('/'), brand, named)
}

fn prepared(name: &str, brand: &Branding, make: fn(&str, &Branding) -> String) -> Option<Bytes> {
    BRANDED.get((brand.version.clone(), name.to_owned()), || {
        let text = files::text(&format!("app/{name}"))?;
        Some(Bytes::from(make(&text, brand)))
    })
}

/// A page under the operator's name, with the brand in its head.
fn branded(page: &str, brand: &Branding) -> String {
    let name = escape(brand.name.as_str());
    let version = &brand.version;
    let mut head = format!("<meta name=\"application-name\" content=\"{name}\"");
    if brand.logo.is_some() {
        let _ = write!(head, " data-logo=\"/brand/{version}.logo\"");
    }
    if let Some(support) = &brand.support {
        let _ = write!(head, " data-support=\"{}\"", escape(support.as_str()));
    }
    head.push_str(" />");
    if brand.style.is_some() {
        let _ = write!(head, "<link rel=\"stylesheet\" href=\"/brand/{version}.css\" />");
    }
    if brand.logo.is_some() {
        let _ = write!(head, "<link rel=\"icon\" href=\"/brand/{version}.logo\" />");
    }
    // The title, the description, what is said without scripts, and the links of the reference.
    let page = page.replace(branding::NAME, &name);
    let page = if brand.logo.is_some() {
        let logo = format!("<img src=\"/brand/{version}.logo\"");
        page.replacen("<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\" />", "", 1).replacen(
            "<img src=\"/icon.svg\" width=\"28\"",
            &logo,
            1,
        )
    } else {
        page
    };
    // After Lectern's own styles, which it changes.
    page.replacen("</head>", &format!("{head}</head>"), 1)
}

/// A manifest with the name of the service.
fn named(text: &str, brand: &Branding) -> String {
    let Ok(mut manifest) = serde_json::from_str::<serde_json::Value>(text) else { return text.to_owned() };
    for field in ["name", "short_name"] {
        manifest[field] = brand.name.clone().into();
    }
    manifest.to_string()
}

/// The routes of the brand's files.
pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route(ROUTE, get(file))
}

async fn file(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    file: Result<Path<String>, PathRejection>,
) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let (Ok(Path(name)), Some(brand)) = (file, &app.branding) else { return Err(ErrorCode::NotFound.into()) };
    let kind = name.strip_prefix(brand.version.as_str()).unwrap_or_default();
    let (bytes, media_type) = match (kind, &brand.style, &brand.logo) {
        (".css", Some(style), _) => (style.clone().into_bytes(), "text/css; charset=utf-8"),
        (".logo", _, Some(logo)) => (logo.bytes.clone(), logo.media_type),
        _ => return Err(ErrorCode::NotFound.into()),
    };
    let mut response = bytes.into_response();
    let answered = response.headers_mut();
    answered.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    answered.insert(CACHE_CONTROL, files::FOREVER);
    // A picture that is opened by itself runs nothing and loads nothing.
    let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    answered.insert(CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use lectern_service::branding::Logo;

    use super::*;

    #[test]
    fn the_head_names_the_brand_and_a_name_is_never_read_as_html() {
        let brand = Branding {
            name: "R&D <b>\"Voices\"</b>".to_owned(),
            logo: None,
            style: Some(String::new()),
            support: Some("mailto:help@example.com".to_owned()),
            version: "abc".to_owned(),
        };
        let page = "<head><title>Lectern</title><link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\" /></head>\
            <a><img src=\"/icon.svg\" width=\"28\" height=\"28\" alt=\"\" /></a><a>Back to Lectern</a>";
        let logo = Logo { bytes: Vec::new(), media_type: "image/png" };
        let with_logo = super::branded(page, &Branding { logo: Some(logo), ..brand.clone() });
        assert!(!with_logo.contains("/icon.svg"), "{with_logo}");
        assert!(with_logo.contains("<img src=\"/brand/abc.logo\" height=\"28\""), "{with_logo}");
        let branded = branded(page, &brand);
        assert!(!branded.contains("Lectern"), "{branded}");
        assert!(
            branded.contains("<title>R&amp;D &lt;b&gt;&quot;Voices&quot;&lt;/b&gt;</title>"),
            "{branded}"
        );
        assert!(branded.contains("/brand/abc.css") && branded.contains("/icon.svg"), "{branded}");
        assert!(branded.contains(" data-support=\"mailto:help@example.com\" />"), "{branded}");
        let named = named("{\"name\":\"Lectern\",\"id\":\"/\"}", &brand);
        assert!(named.contains("\"id\":\"/\"") && named.contains("R&D"), "{named}");
    }
}
