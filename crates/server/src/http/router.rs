//! The one route table of the public surface, from which the document of the API is made as well.

use axum::{Router, routing::any};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{bff, media, openai, openapi, pages, payments, reference, saas};
use crate::app::App;

/// The routes, with the document they describe.
fn table() -> OpenApiRouter<App> {
    let api = OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(saas::me::get_me))
        .routes(routes!(saas::keys::create::create_key, saas::keys::list::list_keys))
        .routes(routes!(saas::keys::revoke::revoke_key))
        .routes(routes!(saas::ereaders::list::list_ereaders))
        .routes(routes!(saas::ereaders::sample::get_ereader_sample))
        .routes(routes!(saas::tts::synthesize::synthesize))
        .routes(routes!(saas::tts::stream::stream))
        .routes(routes!(saas::materials::create::create_material, saas::materials::list::list_materials))
        .routes(routes!(
            saas::materials::get::get_material,
            saas::materials::update::update_material,
            saas::materials::delete::delete_material
        ))
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
        .routes(routes!(saas::auth::login::login));
    web(api)
        .routes(routes!(payments::stripe::take_stripe_event))
        .routes(routes!(openai::speech::create_speech))
        .routes(routes!(openai::models::list_models))
        .routes(routes!(openai::models::get_model))
        .routes(routes!(openai::voices::list_voices))
        .routes(routes!(media::get_media))
        .routes(routes!(openapi::get_document))
}

/// The same, and the web application's own routes.
fn web(router: OpenApiRouter<App>) -> OpenApiRouter<App> {
    router
        .routes(routes!(bff::auth::login::web_login))
        .routes(routes!(bff::auth::register::web_register))
        .routes(routes!(bff::auth::registration::web_get_registration))
        .routes(routes!(bff::auth::invitation::web_look_up_invitation))
        .routes(routes!(bff::auth::judge::web_check_password))
        .routes(routes!(bff::auth::password::web_change_password))
        .routes(routes!(bff::auth::confirm::confirm))
        .routes(routes!(bff::auth::forgot::forgot))
        .routes(routes!(bff::auth::reset::reset))
        .routes(routes!(bff::auth::logout::logout))
        .routes(routes!(bff::me::web_get_me))
        .routes(routes!(bff::sessions::list::web_list_sessions))
        .routes(routes!(bff::sessions::revoke::web_revoke_session))
        .routes(routes!(bff::consent::get::web_get_consent, bff::consent::accept::web_accept_consent))
        .routes(routes!(bff::overview::web_get_overview))
        .routes(routes!(bff::usage::get::web_get_usage))
        .routes(routes!(bff::credits::balance::web_get_balance))
        .routes(routes!(bff::credits::transactions::web_list_transactions))
        .routes(routes!(bff::credits::export::web_export_transactions))
        .routes(routes!(bff::credits::statement::list::web_get_statement))
        .routes(routes!(bff::credits::statement::parts::web_get_statement_parts))
        .routes(routes!(bff::credits::packs::web_list_packs))
        .routes(routes!(
            bff::purchases::create::web_create_purchase,
            bff::purchases::list::web_list_purchases
        ))
        .routes(routes!(
            bff::purchases::get::web_get_purchase,
            bff::purchases::withdraw::web_withdraw_purchase
        ))
        .routes(routes!(bff::keys::create::web_create_key, bff::keys::list::web_list_keys))
        .routes(routes!(bff::keys::revoke::web_revoke_key))
        .routes(routes!(bff::ereaders::list::web_list_ereaders))
        .routes(routes!(bff::ereaders::sample::web_get_ereader_sample))
        .routes(routes!(bff::tts::synthesize::web_synthesize))
        .routes(routes!(
            bff::materials::create::web_create_material,
            bff::materials::list::web_list_materials
        ))
        .routes(routes!(
            bff::materials::get::web_get_material,
            bff::materials::update::web_update_material,
            bff::materials::delete::web_delete_material
        ))
        .routes(routes!(bff::materials::convert::web_convert_material))
        .routes(routes!(bff::materials::chunks::list::web_list_chunks))
        .routes(routes!(bff::materials::chunks::text::web_get_chunk_text))
        .routes(routes!(bff::materials::chunks::audio::web_get_chunk_audio))
        .routes(routes!(bff::materials::chunks::timestamps::web_get_chunk_timestamps))
        .routes(routes!(bff::materials::audio::web_get_material_audio))
        .routes(routes!(bff::materials::captions::web_get_material_captions))
        .routes(routes!(bff::materials::events::web_follow_material))
        .routes(routes!(
            bff::credits::threshold::get::web_get_threshold,
            bff::credits::threshold::put::web_set_threshold
        ))
        .routes(routes!(bff::webhooks::create::web_create_webhook, bff::webhooks::list::web_list_webhooks))
        .routes(routes!(
            bff::webhooks::get::web_get_webhook,
            bff::webhooks::update::web_update_webhook,
            bff::webhooks::delete::web_delete_webhook
        ))
        .routes(routes!(bff::webhooks::rotate_secret::web_rotate_webhook_secret))
        .routes(routes!(bff::webhooks::test::web_test_webhook))
        .routes(routes!(bff::webhooks::deliveries::list::web_list_deliveries))
        .routes(routes!(bff::webhooks::deliveries::get::web_get_delivery))
        .routes(routes!(bff::webhooks::deliveries::retry::web_retry_delivery))
}

/// The public surface of `app`.
pub fn public(app: App) -> Router {
    let unknown = Router::new()
        .route("/v1/bff", any(bff::unknown))
        .route("/v1/bff/", any(bff::unknown))
        .route("/v1/bff/{*rest}", any(bff::unknown));
    let rest = reference::routes().merge(pages::routes()).merge(unknown);
    table().split_for_parts().0.merge(rest).fallback(pages::unknown).with_state(app)
}

/// What the handlers' annotations say of the public surface.
pub(super) fn described() -> utoipa::openapi::OpenApi {
    table().split_for_parts().1
}

/// The document of the public surface, as JSON with a line break at its end.
pub fn document() -> String {
    openapi::finish(described())
}
