//! Facts about this store that are fixed once, such as the fingerprint of the master key it was made with.

use crate::{Result, Store};

/// Fixes a setting unless it is fixed already; the value that stands.
pub async fn fix(store: &Store, name: &str, value: &str) -> Result<String> {
    todo!()
}

/// The value of a setting.
pub async fn find(store: &Store, name: &str) -> Result<Option<String>> {
    todo!()
}
