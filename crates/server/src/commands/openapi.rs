//! `lectern openapi`.

use super::output;
use lectern_http::router;

pub(super) fn run() {
    output::line(router::document().trim_end());
}
