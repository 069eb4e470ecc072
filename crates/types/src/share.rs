//! Links under which people without an account listen to a material.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{MaterialId, Password, ShareId, Timestamp, request};

/// The fewest characters of a link's password.
pub const MIN_SHARE_PASSWORD: usize = 8;

/// The most characters of a link's password.
pub const MAX_SHARE_PASSWORD: usize = 256;

/// A password that a link gets.
pub type SharePassword = Password<MIN_SHARE_PASSWORD, MAX_SHARE_PASSWORD>;

request! {
    /// A new link.
    #[example({ "expires_at": "2030-12-24T18:00:00Z", "password": "seven lanterns" })]
    pub struct ShareRequest {
        /// When the link ends, in the future; never by default.
        pub expires_at: Option<Timestamp>,
        /// A password of 8 to 256 characters that listeners give; none by default.
        pub password: Option<SharePassword>,
    }
}

/// A link to a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShareLink {
    pub id: ShareId,
    pub material_id: MaterialId,
    /// The page on which people listen. Its secret part is the permission.
    pub url: String,
    /// Whether listeners need a password.
    pub has_password: bool,
    /// When it ends; null when it does not.
    pub expires_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// The links to a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShareLinks {
    /// The links, newest first. One that has ended stays until another is made.
    pub data: Vec<ShareLink>,
}

request! {
    /// A link that is opened.
    #[example({ "token": "AaIYrDEReHqUR4qHDFzVlRxC0wTMUNZEsS9bqVTyVvCM5A", "password": "seven lanterns" })]
    pub struct OpenShareRequest {
        /// The last part of the link.
        pub token: String,
        /// Its password, where it has one.
        pub password: Option<Password>,
    }
}

/// A part of a chapter that can be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SharedPart {
    pub chunk_index: u32,
    pub duration_ms: u64,
    pub audio_url: String,
}

/// A chapter of a shared material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SharedChapter {
    pub title: Option<String>,
    pub duration_ms: u64,
    /// The parts that have audio, in order.
    pub parts: Vec<SharedPart>,
}

/// A material that others may hear.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SharedMaterial {
    pub title: String,
    pub author: Option<String>,
    pub narrator: Option<String>,
    pub description: Option<String>,
    pub language: Option<String>,
    /// Its cover; null when it has none.
    pub cover_url: Option<String>,
    /// The length of all parts that have audio.
    pub duration_ms: u64,
    pub chapters: Vec<SharedChapter>,
    /// When the link ends; null when it does not.
    pub expires_at: Option<Timestamp>,
    /// Until when the URLs are valid. Open the link again for others.
    pub urls_expire_at: Timestamp,
}
