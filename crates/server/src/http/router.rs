//! The one route table of the public surface, from which the document of the API is made as well.

use axum::Router;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{media, openapi, reference, saas};
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
        .routes(routes!(saas::credits::balance::get_balance))
        .routes(routes!(saas::credits::transactions::list_transactions))
        .routes(routes!(saas::usage::get_usage))
        .routes(routes!(media::get_media))
        .routes(routes!(openapi::get_document))
}

/// The public surface of `app`.
pub fn public(app: App) -> Router {
    table().split_for_parts().0.merge(reference::routes()).with_state(app)
}

/// The document of the public surface, as JSON with a line break at its end.
pub fn document() -> String {
    openapi::finish(table().split_for_parts().1)
}
