//! The shape of every list.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    /// The items.
    pub data: Vec<T>,
    /// What to send as `cursor` for the next page; null on the last.
    pub next_cursor: Option<String>,
}
