//! The one route table of the public surface, from which the document of the API is made as well.

mod both;

use std::sync::{Arc, LazyLock};

use axum::{Extension, Router, middleware, routing::any};
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt as _},
    routes,
};

use super::{
    bff, elevenlabs, feeds, guide, media, openai,
    openapi::{self, Document},
    pages, payments, reference, saas,
};
use lectern_service::app::App;

/// The document of the public surface, made on first use.
static DOCUMENT: LazyLock<Document> = LazyLock::new(|| Document::new(document()));

/// The routes, with the document they describe.
fn table() -> OpenApiRouter<Arc<App>> {
    let router = OpenApiRouter::with_openapi(openapi::base());
    let router = api().into_iter().fold(router, OpenApiRouter::routes);
    let router = elevenlabs().fold(router, OpenApiRouter::routes);
    let router = api_and_web().into_iter().fold(router, both::add);
    let router = web().into_iter().fold(router, OpenApiRouter::routes);
    billing().into_iter().fold(router, OpenApiRouter::routes)
}

/// The routes that take an API key, or nothing.
fn api() -> impl IntoIterator<Item = UtoipaMethodRouter<Arc<App>>> {
    [
        routes!(saas::me::get_me),
        routes!(saas::keys::list::list_keys),
        routes!(saas::ereaders::list::list_ereaders),
        routes!(saas::ereaders::get::get_ereader),
        routes!(saas::tts::stream::stream),
        routes!(saas::tts::socket::open_socket),
        routes!(saas::events::list_events),
        routes!(saas::auth::login::login),
        routes!(payments::stripe::take_stripe_event),
        routes!(openai::speech::create_speech),
        routes!(openai::models::list_models).layer(middleware::from_fn(elevenlabs::mark_its_clients)),
        routes!(openai::models::get_model),
        routes!(openai::voices::list_voices),
        routes!(media::get_media),
        routes!(feeds::get_feed_file),
        routes!(openapi::get_document).layer(Extension(&DOCUMENT)),
    ]
}

/// The routes of ElevenLabs' interface.
fn elevenlabs() -> impl Iterator<Item = UtoipaMethodRouter<Arc<App>>> {
    let routes = [
        routes!(elevenlabs::speech::convert_text),
        routes!(elevenlabs::speech::stream_text),
        routes!(elevenlabs::timestamps::convert_text_with_timestamps),
        routes!(elevenlabs::timestamps::stream_text_with_timestamps),
        routes!(elevenlabs::stream_input::open_text_socket),
        routes!(elevenlabs::voices::list_labelled_voices),
        routes!(elevenlabs::voices::get_labelled_voice),
        routes!(elevenlabs::voices::search_labelled_voices),
        routes!(elevenlabs::user::get_subscriber),
        routes!(elevenlabs::user::get_subscription),
    ];
    routes.into_iter().map(|route| route.layer(middleware::from_fn(elevenlabs::mark)))
}

/// The routes that take an API key under `/v1/saas` and a session under `/v1/bff`.
fn api_and_web() -> impl IntoIterator<Item = UtoipaMethodRouter<Arc<App>>> {
    [
        routes!(saas::keys::create::create_key),
        routes!(saas::keys::update::update_key, saas::keys::revoke::revoke_key),
        routes!(saas::keys::roll::roll_key),
        routes!(saas::ereaders::sample::get_ereader_sample),
        routes!(saas::tts::synthesize::synthesize),
        routes!(saas::materials::create::create_material, saas::materials::list::list_materials),
        routes!(
            saas::materials::get::get_material,
            saas::materials::update::update_material,
            saas::materials::delete::delete_material
        ),
        routes!(saas::materials::convert::convert_material),
        routes!(saas::materials::cancel::cancel_material),
        routes!(
            saas::materials::feed::make::make_feed,
            saas::materials::feed::get::get_feed,
            saas::materials::feed::delete::delete_feed
        ),
        routes!(saas::materials::chapters::list::list_chapters),
        routes!(saas::materials::chapters::update::update_chapter),
        routes!(
            saas::materials::cover::get::get_cover,
            saas::materials::cover::put::set_cover,
            saas::materials::cover::delete::delete_cover
        ),
        routes!(saas::materials::cast::get::get_cast, saas::materials::cast::put::set_cast),
        routes!(saas::materials::quotes::list::list_quotes, saas::materials::quotes::set::set_quotes),
        routes!(saas::materials::chunks::list::list_chunks),
        routes!(
            saas::materials::chunks::text::get_chunk_text,
            saas::materials::chunks::set_text::set_chunk_text
        ),
        routes!(saas::materials::chunks::audio::get_chunk_audio),
        routes!(saas::materials::chunks::timestamps::get_chunk_timestamps),
        routes!(saas::materials::audio::get_material_audio),
        routes!(saas::materials::captions::get_material_captions),
        routes!(saas::materials::events::follow_material),
        routes!(saas::lexicons::create::create_lexicon, saas::lexicons::list::list_lexicons),
        routes!(
            saas::lexicons::get::get_lexicon,
            saas::lexicons::replace::replace_lexicon,
            saas::lexicons::delete::delete_lexicon
        ),
        routes!(saas::credits::balance::get_balance),
        routes!(saas::credits::transactions::list_transactions),
        routes!(saas::usage::get_usage),
        routes!(saas::webhooks::create::create_webhook, saas::webhooks::list::list_webhooks),
        routes!(
            saas::webhooks::get::get_webhook,
            saas::webhooks::update::update_webhook,
            saas::webhooks::delete::delete_webhook
        ),
        routes!(saas::webhooks::rotate_secret::rotate_webhook_secret),
        routes!(saas::webhooks::test::test_webhook),
        routes!(saas::webhooks::deliveries::list::list_deliveries),
        routes!(saas::webhooks::deliveries::get::get_delivery),
        routes!(saas::webhooks::deliveries::retry::retry_delivery),
        routes!(saas::auth::register::register),
    ]
}

/// The routes that only the web application has, but for credits and money.
fn web() -> impl IntoIterator<Item = UtoipaMethodRouter<Arc<App>>> {
    [
        routes!(bff::auth::login::web_login),
        routes!(bff::history::list::web_list_history),
        routes!(bff::history::forget::web_forget_text),
        routes!(bff::library::list::web_list_library),
        routes!(bff::library::tags::web_get_tags, bff::library::tags::web_set_tags),
        routes!(bff::shares::owned::web_list_shares, bff::shares::owned::web_make_share),
        routes!(bff::shares::owned::web_revoke_share),
        routes!(bff::shares::open::web_open_share),
        routes!(bff::listening::places::web_list_places),
        routes!(
            bff::listening::place::web_get_place,
            bff::listening::place::web_keep_place,
            bff::listening::place::web_forget_place
        ),
        routes!(bff::listening::bookmarks::web_list_bookmarks, bff::listening::bookmarks::web_add_bookmark),
        routes!(
            bff::listening::bookmarks::web_annotate_bookmark,
            bff::listening::bookmarks::web_remove_bookmark
        ),
        routes!(bff::auth::registration::web_get_registration),
        routes!(bff::auth::invitation::web_look_up_invitation),
        routes!(bff::auth::judge::web_check_password),
        routes!(bff::auth::password::web_change_password),
        routes!(bff::auth::confirm::confirm),
        routes!(bff::auth::forgot::forgot),
        routes!(bff::auth::reset::reset),
        routes!(bff::auth::logout::logout),
        routes!(bff::me::web_get_me),
        routes!(bff::sessions::list::web_list_sessions),
        routes!(bff::sessions::revoke::web_revoke_session),
        routes!(bff::consent::get::web_get_consent, bff::consent::accept::web_accept_consent),
        routes!(bff::overview::web_get_overview),
        routes!(bff::keys::web_list_keys),
        routes!(bff::tts::stream::web_stream),
        routes!(bff::ereaders::list::web_list_ereaders),
        routes!(bff::ereaders::get::web_get_ereader),
        routes!(bff::ereaders::favorite::web_mark_favorite, bff::ereaders::favorite::web_unmark_favorite),
    ]
}

/// The routes of the web application that concern credits and money.
fn billing() -> impl IntoIterator<Item = UtoipaMethodRouter<Arc<App>>> {
    [
        routes!(bff::credits::export::web_export_transactions),
        routes!(bff::credits::statement::list::web_get_statement),
        routes!(bff::credits::statement::parts::web_get_statement_parts),
        routes!(bff::credits::packs::web_list_packs),
        routes!(
            bff::credits::threshold::get::web_get_threshold,
            bff::credits::threshold::put::web_set_threshold
        ),
        routes!(bff::credits::price::web_get_price),
        routes!(
            bff::credits::top_up::web_get_top_up,
            bff::credits::top_up::web_set_top_up,
            bff::credits::top_up::web_stop_top_up
        ),
        routes!(bff::credits::top_up::web_leave_card, bff::credits::top_up::web_remove_card),
        routes!(
            bff::billing::web_get_billing_details,
            bff::billing::web_set_billing_details,
            bff::billing::web_remove_billing_details
        ),
        routes!(bff::preferences::web_get_preferences, bff::preferences::web_set_preferences),
        routes!(bff::purchases::invoice::web_get_invoice),
        routes!(bff::purchases::create::web_create_purchase, bff::purchases::list::web_list_purchases),
        routes!(bff::purchases::get::web_get_purchase, bff::purchases::withdraw::web_withdraw_purchase),
    ]
}

/// The public surface of `app`.
pub fn public(app: Arc<App>) -> Router {
    let unknown = Router::new()
        .route("/v1/bff", any(bff::unknown))
        .route("/v1/bff/", any(bff::unknown))
        .route("/v1/bff/{*rest}", any(bff::unknown));
    let rest = reference::routes().merge(guide::routes()).merge(pages::routes()).merge(unknown);
    let (mut routes, api) = table().split_for_parts();
    if cfg!(debug_assertions) {
        routes = routes.layer(middleware::from_fn_with_state(Arc::new(api), openapi::failures::check));
    }
    routes.merge(rest).fallback(pages::unknown).with_state(app)
}

/// The description of the public surface in the handlers' annotations.
pub(super) fn described() -> utoipa::openapi::OpenApi {
    table().split_for_parts().1
}

/// The document of the public surface, as JSON with a line break at its end.
pub fn document() -> String {
    openapi::finish(described())
}
