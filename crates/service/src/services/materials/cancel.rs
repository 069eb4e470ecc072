//! The end of a conversion by its owner.

use lectern_store::{
    idempotency::Response,
    keys::Authenticated,
    materials::{self, CancelOutcome, Cancelled},
};
use lectern_types::{ErrorCode, MaterialId};

use crate::{
    base::Base,
    error::{Error, Result},
    services::idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse},
};

/// Cancels what is queued of a material of the caller, once for each `Idempotency-Key`. `show` writes the response.
///
/// # Errors
/// `material_not_found`.
pub async fn cancel(
    base: &Base,
    caller: &Authenticated,
    material: MaterialId,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Cancelled) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let (account, environment) = (caller.account, caller.key.environment);
    let request = idempotent.as_ref().map(IdempotentRequest::request);
    let attempt = || async {
        let (store, request) = (&base.store, request.as_ref());
        let cancelled =
            materials::cancel::<Error>(store, account, environment, material, request, &show, base.writing());
        match cancelled.await? {
            CancelOutcome::Cancelled(response) => Ok(Attempt::Done(response)),
            CancelOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
            CancelOutcome::NotFound => Err(ErrorCode::MaterialNotFound.into()),
        }
    };
    Ok(idempotency::once(base, idempotent.as_ref(), attempt).await?.into())
}
