//! The one route table of the public surface, from which the document of the API is made as well.

use axum::{Router, routing::any};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{bff, media, openai, openapi, pages, reference, saas};
use crate::app::App;

/// The routes, with the document they describe.
fn table() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(saas::me::get_me))
        .routes(routes!(saas::keys::create::create_key, saas::keys::list::list_keys))
        .routes(routes!(saas::keys::revoke::revoke_key))
        .routes(routes!(saas::ereaders::list::list_ereaders))
        .routes(routes!(saas::ereaders::sample::get_ereader_sample))
        .routes(routes!(saas::tts::synthesize::synthesize))
        .routes(routes!(saas::tts::stream::stream))
        .routes(routes!(saas::materials::create::create_material, saas::materials::list::list_materials))
        .routes(routes!(saas::materials::get::get_material, saas::materials::delete::delete_material))
        .routes(routes!(saas::materials::convert::convert_material))
        .routes(routes!(saas::materials::chunks::list::list_chunks))
        .routes(routes!(saas::materials::chunks::text::get_chunk_text))
        .routes(routes!(saas::materials::chunks::audio::get_chunk_audio))
        .routes(routes!(saas::materials::chunks::timestamps::get_chunk_timestamps))
        .routes(routes!(saas::materials::audio::get_material_audio))
        .routes(routes!(saas::materials::captions::get_material_captions))
        .routes(routes!(saas::materials::events::follow_material))
        .routes(routes!(saas::credits::balance::get_balance))
        .routes(routes!(saas::credits::transactions::list_transactions))
        .routes(routes!(saas::usage::get_usage))
        .routes(routes!(saas::webhooks::create::create_webhook, saas::webhooks::list::list_webhooks))
        .routes(routes!(
            saas::webhooks::get::get_webhook,
            saas::webhooks::update::update_webhook,
            saas::webhooks::delete::delete_webhook
        ))
        .routes(routes!(saas::webhooks::rotate_secret::rotate_webhook_secret))
        .routes(routes!(saas::webhooks::test::test_webhook))
        .routes(routes!(saas::webhooks::deliveries::list::list_deliveries))
        .routes(routes!(saas::webhooks::deliveries::get::get_delivery))
        .routes(routes!(saas::webhooks::deliveries::retry::retry_delivery))
        .routes(routes!(saas::events::list_events))
        .routes(routes!(saas::auth::register::register))
        .routes(routes!(saas::auth::login::login))
        .routes(routes!(bff::auth::confirm::confirm))
        .routes(routes!(bff::auth::forgot::forgot))
        .routes(routes!(bff::auth::reset::reset))
        .routes(routes!(bff::auth::logout::logout))
        .routes(routes!(openai::speech::create_speech))
        .routes(routes!(openai::models::list_models))
        .routes(routes!(openai::models::get_model))
        .routes(routes!(openai::voices::list_voices))
        .routes(routes!(media::get_media))
        .routes(routes!(openapi::get_document))
}

/// The public surface of `app`.
pub fn public(app: App) -> Router {
    let unknown = Router::new()
        .route("/v1/bff", any(bff::unknown))
        .route("/v1/bff/", any(bff::unknown))
        .route("/v1/bff/{*rest}", any(bff::unknown));
    let rest = reference::routes().merge(pages::routes()).merge(unknown);
    table().split_for_parts().0.merge(rest).with_state(app)
}

/// The document of the public surface, as JSON with a line break at its end.
pub fn document() -> String {
    openapi::finish(table().split_for_parts().1)
}
