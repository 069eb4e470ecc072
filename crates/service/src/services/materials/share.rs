//! Links under which people without an account listen to a material. A link's last part is its token: its id, and a tag that only
//! this installation can make.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use lectern_store::{
    chunks::{self, Chunk},
    keys::Authenticated,
    materials::{self, Chapter, Material},
    shares::{self, Made, Share},
};
use lectern_types::{ErrorCode, MIN_SHARE_PASSWORD, MaterialId, ShareId, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use crate::{
    base::Base,
    error::{Error, FieldErrors, Result},
    services::accounts::{passwords::Passwords, velocity::Velocity},
};

/// The most links to a material.
const MOST: u32 = 50;

/// The path of the page on which people listen.
const PAGE: &str = "/listen/";

/// Bytes of a token's tag.
const TAG: usize = 18;

/// Links, as people follow them.
#[derive(Clone, Copy)]
pub struct Shares<'a> {
    base: &'a Base,
    passwords: &'a Passwords,
    /// Where people reach this service.
    public_url: &'a str,
}

impl fmt::Debug for Shares<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shares").field("public_url", &self.public_url).finish_non_exhaustive()
    }
}

/// What a listener gets.
#[derive(Debug)]
pub struct Opened {
    pub material: Material,
    pub share: Share,
    /// The chapters of the book.
    pub chapters: Vec<Chapter>,
    /// The book's chunks, in order.
    pub chunks: Vec<Chunk>,
}

impl<'a> Shares<'a> {
    /// The links of a service that people reach at `public_url`.
    pub const fn new(base: &'a Base, passwords: &'a Passwords, public_url: &'a str) -> Self {
        Self { base, passwords, public_url }
    }

    /// The links to a material of the caller, the newest first.
    ///
    /// # Errors
    /// `material_not_found`.
    pub async fn list(self, caller: &Authenticated, material: MaterialId) -> Result<Vec<Share>> {
        super::find(&self.base.store, caller, material).await?;
        Ok(shares::list(&self.base.store, material).await?)
    }

    /// Makes a link to a material of the caller.
    ///
    /// # Errors
    /// `material_not_found`; `validation_failed` for an end that is past, a short password, or a material with as many links as it
    /// may have.
    pub async fn make(
        self,
        caller: &Authenticated,
        material: MaterialId,
        expires_at: Option<Timestamp>,
        password: Option<SecretString>,
    ) -> Result<Share> {
        super::find(&self.base.store, caller, material).await?;
        let now = self.base.clock.now();
        check(expires_at, password.as_ref(), now)?;
        let password_hash = match password {
            Some(password) => Some(self.passwords.hash(password).await?),
            None => None,
        };
        let share = Share { id: self.base.ids.make(), material, password_hash, expires_at, created_at: now };
        let (account, environment) = (caller.account, caller.key.environment);
        match shares::make(&self.base.store, account, environment, &share, MOST).await? {
            Made::There => Ok(share),
            Made::NoMaterial => Err(ErrorCode::MaterialNotFound.into()),
            Made::Full => {
                let sentence = format!("the material has {MOST} links already; revoke one first");
                Err(Error::invalid("id", sentence))
            }
        }
    }

    /// Revokes a link; `None` for anything that is not a link's id. Returns it as it was.
    ///
    /// # Errors
    /// `material_not_found`, `not_found`.
    pub async fn revoke(
        self,
        caller: &Authenticated,
        material: MaterialId,
        share: Option<ShareId>,
    ) -> Result<Share> {
        super::find(&self.base.store, caller, material).await?;
        let share = share.ok_or(ErrorCode::NotFound)?;
        let (account, environment) = (caller.account, caller.key.environment);
        let revoked = shares::revoke(&self.base.store, account, environment, (material, share)).await?;
        revoked.ok_or_else(|| ErrorCode::NotFound.into())
    }

    /// Opens a link.
    ///
    /// # Errors
    /// `not_found` for a token that is no link's, or one's that was revoked or has ended; `invalid_credentials` without its
    /// password; `rate_limited` when too many were tried.
    pub async fn open(
        self,
        velocity: &Velocity,
        token: &str,
        password: Option<SecretString>,
    ) -> Result<Opened> {
        let share = self.read(token).ok_or(ErrorCode::NotFound)?;
        let store = &self.base.store;
        let opened = shares::opened(store, share, self.base.clock.now()).await?;
        let (material, share) = opened.ok_or(ErrorCode::NotFound)?;
        if let Some(hash) = share.password_hash.clone() {
            let password = password.ok_or(ErrorCode::InvalidCredentials)?;
            velocity.check_share(share.id, self.base.clock.now()).await?;
            if !self.passwords.verify(password, Some(hash)).await? {
                return Err(ErrorCode::InvalidCredentials.into());
            }
        }
        let (account, environment) = (material.account, material.environment);
        let chapters = materials::chapters(store, account, environment, material.id).await?;
        let chunks = chunks::list_of_book(store, account, environment, material.id, None, u32::MAX).await?;
        Ok(Opened { material, share, chapters, chunks })
    }

    /// The page of a link.
    pub fn url(self, share: &Share) -> String {
        let token = [share.id.uuid().as_bytes().as_slice(), &self.tag(share.id)].concat();
        format!("{}{PAGE}{}", self.public_url, URL_SAFE_NO_PAD.encode(token))
    }

    fn tag(self, share: ShareId) -> [u8; TAG] {
        let whole = self.base.secrets.shares.mac(&[share.uuid().as_bytes()]);
        let mut tag = [0; TAG];
        tag.copy_from_slice(&whole[..TAG]);
        tag
    }

    fn read(self, token: &str) -> Option<ShareId> {
        let bytes: [u8; 16 + TAG] = URL_SAFE_NO_PAD.decode(token).ok()?.try_into().ok()?;
        let share = ShareId::from_uuid(Uuid::from_slice(&bytes[..16]).ok()?);
        bool::from(self.tag(share).ct_eq(&bytes[16..])).then_some(share)
    }
}

fn check(expires_at: Option<Timestamp>, password: Option<&SecretString>, now: Timestamp) -> Result<()> {
    let mut errors = FieldErrors::default();
    if expires_at.is_some_and(|end| end <= now) {
        errors.add("expires_at", "must be in the future");
    }
    if password.is_some_and(|password| password.expose_secret().chars().count() < MIN_SHARE_PASSWORD) {
        errors.add("password", format!("must have at least {MIN_SHARE_PASSWORD} characters"));
    }
    Ok(errors.into_result()?)
}
