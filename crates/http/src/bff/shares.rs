//! Links under which people without an account listen to a material.

pub mod open;
pub mod owned;

use lectern_service::{app::App, services::materials::share::Shares};
use lectern_store::shares as stored;
use lectern_types::ShareLink;

/// The links of this service.
fn shares(app: &App) -> Shares<'_> {
    Shares::new(&app.base, &app.accounts.passwords, &app.public_url)
}

/// A link, as its owner sees it.
fn shown(app: &App, share: &stored::Share) -> ShareLink {
    ShareLink {
        id: share.id,
        material_id: share.material,
        url: shares(app).url(share),
        has_password: share.password_hash.is_some(),
        expires_at: share.expires_at,
        created_at: share.created_at,
    }
}
