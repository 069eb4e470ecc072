//! `lectern openapi`.

use super::output;
use crate::http::router;

/// Prints the document.
pub(super) fn run() {
    output::line(router::document().trim_end());
}
