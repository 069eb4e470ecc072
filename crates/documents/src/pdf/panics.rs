//! Contains the library's panics over hostile files.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; `None` if it panics.
pub(super) fn catch_panics<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}
