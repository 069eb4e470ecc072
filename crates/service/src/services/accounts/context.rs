//! The context that registration, sign-in and recovery share.

use std::sync::Arc;

use tokio_util::task::TaskTracker;

use super::passwords::Passwords;
use crate::base::Base;

/// The context of the operations on accounts. Clones share it.
#[derive(Clone)]
pub struct AccountContext {
    pub base: Base,
    /// Hashes passwords, a limited number at a time.
    pub passwords: Passwords,
    /// The base URL of links in mails, without a trailing slash.
    pub public_url: Arc<str>,
    /// Tracks deliveries of mails that outlive their request.
    pub tasks: TaskTracker,
}
