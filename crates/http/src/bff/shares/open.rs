//! `POST /v1/bff/shares/open`.

use std::{collections::HashMap, sync::Arc};

use axum::{Json, extract::State};
use lectern_service::{app::App, objects::naming, services::materials::share::Opened};
use lectern_types::{
    ErrorCode, ErrorCode as Code, OpenShareRequest, SharedChapter, SharedMaterial, SharedPart, Timestamp,
};

use super::shares;
use crate::{envelope::Failure, extract::form::Form};

/// How long the URLs are valid.
const URL_SECONDS: i64 = 60 * 60;

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::ValidationFailed,
    Code::RateLimited,
    Code::ApiKeyNotAllowedOnBff,
    Code::NotFound,
    Code::InvalidCredentials,
];

/// Open a share link
///
/// What a listener with a share link needs, without an account: the book, and URLs of its audio. A link that is unknown, was
/// revoked or has ended is `not_found` in every case; `invalid_credentials` asks for its password.
#[utoipa::path(
    post,
    path = "/v1/bff/shares/open",
    tag = "Web application",
    operation_id = "web_open_share",
    security(()),
    request_body = OpenShareRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The shared material", body = SharedMaterial))
)]
pub async fn web_open_share(
    State(app): State<Arc<App>>,
    form: Form<OpenShareRequest>,
) -> Result<Json<SharedMaterial>, Failure> {
    let OpenShareRequest { token, password } = form.parse()?;
    let now = app.base.clock.now();
    let opened = shares(&app).open(&app.velocity, &token, password.map(|password| password.0)).await?;
    Ok(Json(shown(&app, opened, now)))
}

fn shown(app: &App, opened: Opened, now: Timestamp) -> SharedMaterial {
    let Opened { material, share, chapters, chunks } = opened;
    // Short, so that a revoked link is soon silent; a listener's page opens the link again when they end.
    let most = now.plus_seconds(URL_SECONDS);
    let urls_expire_at = share.expires_at.map_or(most, |end| end.min(most));
    let mut chapter_of = HashMap::new();
    let mut shown = Vec::new();
    for chapter in chapters.into_iter().filter(|chapter| chapter.about.included) {
        for chunk in &chapter.chunks {
            chapter_of.insert(chunk.index, shown.len());
        }
        shown.push(SharedChapter { title: chapter.about.title, duration_ms: 0, parts: Vec::new() });
    }
    for chunk in chunks {
        let Some(audio) = chunk.audio else { continue };
        let Some(chapter) = chapter_of.get(&chunk.index).and_then(|at| shown.get_mut(*at)) else { continue };
        chapter.duration_ms += audio.duration_ms;
        let audio_url = app.media.url_until(&audio.audio_object, now, urls_expire_at);
        chapter.parts.push(SharedPart {
            chunk_index: chunk.index,
            duration_ms: audio.duration_ms,
            audio_url,
        });
    }
    // Covers of before have no ending, from which the media type would be known.
    let cover = material.cover.filter(|cover| naming::is_picture(&cover.object));
    let cover_url = cover.map(|cover| app.media.own_url(&cover.object, urls_expire_at));
    SharedMaterial {
        cover_url,
        duration_ms: shown.iter().map(|chapter| chapter.duration_ms).sum(),
        chapters: shown,
        expires_at: share.expires_at,
        urls_expire_at,
        title: material.title,
        author: material.author,
        narrator: material.about.narrator,
        description: material.about.description,
        language: material.language.map(|language| language.tag),
    }
}
