//! `lectern openapi`.

use super::{CommandError, output};
use crate::http::router;

/// Prints the document.
pub(super) fn run() -> Result<(), CommandError> {
    output::line(router::document().trim_end());
    Ok(())
}
