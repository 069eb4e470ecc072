//! `[history]`: what is kept of texts that were spoken.

use serde::Deserialize;

/// The texts of single syntheses, for the history of their owner. Books are materials and no part of it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Days that a text is kept; 0: never.
    pub text_days: u32,
}
