//! File descriptors, of which every connection takes one: how many there are, and how many connections may have.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors that the store, objects, logs and the rest of the process need beside connections.
const OWN: u64 = 64;

/// Connections at once when the operator names no number.
const USUAL: u64 = 20_000;

/// Raises the soft limit on open files to the hard one: the soft one is low for the sake of programs that use `select`,
/// which this is not.
pub fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return;
    }
    // A refusal leaves the old limit, which connections are then cut to.
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(error = %error, "the limit on open files could not be raised");
    }
}

/// How many connections there may be at once: `wanted`, 0 meaning the usual number, as far as descriptors go, of which
/// an eighth is left for other things.
pub fn room_for_connections(wanted: u64) -> usize {
    let available = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let most = (available - available / 8).saturating_sub(OWN).max(8);
    let wanted = if wanted == 0 { USUAL } else { wanted };
    usize::try_from(wanted.min(most)).unwrap_or(usize::MAX)
}
