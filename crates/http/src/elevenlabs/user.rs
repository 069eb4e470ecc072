//! `GET /v1/user` and `GET /v1/user/subscription`: the account and its credits.

use axum::{Json, http::Uri};
use lectern_store::keys::Authenticated;
use lectern_types::{
    ErrorCode,
    elevenlabs::{NoOverage, Subscriber, Subscription, SubscriptionStatus},
};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
};

/// The failures of these routes besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// Get the account in ElevenLabs' form
///
/// The account behind the key, and its credits.
#[utoipa::path(
    get,
    path = "/v1/user",
    tag = "ElevenLabs",
    operation_id = "get_subscriber",
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The account", body = Subscriber))
)]
pub async fn get_subscriber(caller: Caller<Read>, uri: Uri) -> Result<Json<Subscriber>, Failure> {
    Parameters::of(&uri).finish()?;
    let account = &caller.authenticated;
    Ok(Json(Subscriber {
        user_id: account.account,
        workspace_id: account.account,
        subscription: subscription(account),
        is_new_user: false,
        can_use_delayed_payment_methods: false,
        is_onboarding_completed: true,
        is_onboarding_checklist_completed: true,
        seat_type: "workspace_admin".to_owned(),
        created_at: account.account_created_at.unix_seconds(),
    }))
}

/// Get the credits in ElevenLabs' form
///
/// The account's credits: what can be spent is `character_limit` less `character_count`.
#[utoipa::path(
    get,
    path = "/v1/user/subscription",
    tag = "ElevenLabs",
    operation_id = "get_subscription",
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The credits", body = Subscription))
)]
pub async fn get_subscription(caller: Caller<Read>, uri: Uri) -> Result<Json<Subscription>, Failure> {
    Parameters::of(&uri).finish()?;
    Ok(Json(subscription(&caller.authenticated)))
}

fn subscription(account: &Authenticated) -> Subscription {
    Subscription {
        tier: account.tier.to_string(),
        character_count: account.balance.held.0,
        character_limit: account.balance.balance.0,
        max_credit_limit_extension: 0,
        can_extend_character_limit: false,
        allowed_to_extend_character_limit: false,
        next_character_count_reset_unix: None,
        voice_slots_used: 0,
        professional_voice_slots_used: 0,
        professional_voice_slots_used_in_workspace: 0,
        voice_limit: 0,
        voice_add_edit_counter: 0,
        professional_voice_limit: 0,
        can_extend_voice_limit: false,
        can_use_instant_voice_cloning: false,
        can_use_professional_voice_cloning: false,
        current_overage: NoOverage { amount: "0".to_owned(), currency: "usd".to_owned() },
        status: if account.has_purchased_credits {
            SubscriptionStatus::Active
        } else {
            SubscriptionStatus::Free
        },
        open_invoices: Vec::new(),
        has_open_invoices: false,
    }
}
