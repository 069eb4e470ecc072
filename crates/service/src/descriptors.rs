//! File descriptors. Every connection takes one, so their limit also limits connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors reserved for the store, objects, logs and the rest of the process.
const RESERVED: u64 = 64;

/// The default limit on concurrent connections.
const DEFAULT: u64 = 20_000;

/// Raises the soft limit on open files to the hard one. The soft limit is low for the sake of
/// programs that use `select`, which this program does not.
pub fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return;
    }
    // If this is refused, the old limit stays and the number of connections is limited to match.
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(error = %error, "the limit on open files could not be raised");
    }
}

/// The limit on concurrent connections: `wanted` (0 for the default), or less when there are too
/// few descriptors. An eighth of the descriptors is left for other things.
pub fn connection_limit(wanted: u64) -> usize {
    let available = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let room = (available - available / 8).saturating_sub(RESERVED).max(8);
    let wanted = if wanted == 0 { DEFAULT } else { wanted };
    usize::try_from(wanted.min(room)).unwrap_or(usize::MAX)
}
