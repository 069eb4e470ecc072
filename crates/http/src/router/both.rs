//! Routes that both surfaces have. Each is written once, for API keys. The web application's route
//! is the same handler under `/v1/bff`, where [`Surface::Web`] makes
//! [`Caller`](crate::extract::auth::Caller) take a session instead of a key, and the operation's
//! description is rewritten to say so.

use std::sync::Arc;

use axum::Extension;
use lectern_service::app::App;
use lectern_types::ErrorCode;
use serde_json::{Value, json};
use utoipa::openapi::{
    HttpMethod, Paths, Ref,
    path::{Operation, ParameterBuilder, ParameterIn},
    security::SecurityRequirement,
};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::{
    extract::{surface::Surface, web},
    openapi::failures,
};

const API: &str = "/v1/saas/";
const WEB: &str = "/v1/bff/";

/// Adds `routes` and their twins for the web application.
pub(super) fn add(
    table: OpenApiRouter<Arc<App>>,
    routes: UtoipaMethodRouter<Arc<App>>,
) -> OpenApiRouter<Arc<App>> {
    let (_, paths, handlers) = &routes;
    // The schemas are added with the routes themselves.
    let twins = (Vec::new(), twins(paths), handlers.clone().layer(Extension(Surface::Web)));
    table.routes(routes).routes(twins)
}

fn twins(paths: &Paths) -> Paths {
    let mut twins = Paths::new();
    for (path, item) in &paths.paths {
        for (method, name, operation) in [
            (HttpMethod::Get, "GET", &item.get),
            (HttpMethod::Put, "PUT", &item.put),
            (HttpMethod::Post, "POST", &item.post),
            (HttpMethod::Patch, "PATCH", &item.patch),
            (HttpMethod::Delete, "DELETE", &item.delete),
        ] {
            if let Some(operation) = operation {
                let twin = twin(operation.clone(), &format!("{name} {path}"));
                twins.add_path_operation(path.replacen(API, WEB, 1), vec![method], twin);
            }
        }
    }
    twins
}

/// The description of the twin of `original`, made from the original's operation. A route that asks
/// for a key asks for a session instead, and for the environment that a key would imply; an open
/// route stays open.
fn twin(mut operation: Operation, original: &str) -> Operation {
    let mut description = format!("As `{original}`");
    if operation.security.is_none() {
        description.push_str(", for who is signed in");
        let scheme = |name| SecurityRequirement::new(name, [""; 0]);
        operation.security = Some(vec![scheme("session"), scheme("session_cookie")]);
        let environment = ParameterBuilder::new()
            .name(web::ENVIRONMENT)
            .parameter_in(ParameterIn::Query)
            .description(Some("Which environment; `live` when absent"))
            .schema(Some(Ref::from_schema_name("Environment")));
        operation.parameters.get_or_insert_default().push(environment.build().into());
        let listed = operation.extensions.get_or_insert_default().entry(failures::LIST.to_owned());
        if let Value::Array(listed) = listed.or_insert_with(|| json!([])) {
            listed.push(json!(ErrorCode::ConsentRequired));
        }
    }
    operation.description = Some(description + ".");
    operation.tags = Some(vec!["Web application".to_owned()]);
    operation.operation_id = operation.operation_id.map(|id| format!("web_{id}"));
    operation
}
