//! Which installation owns a storage. A bucket is identified only by its URL, so an installation
//! that is given another's by mistake would treat everything in it as orphaned. The first
//! installation that sweeps a bucket writes its name there, and no other sweeps it.

use futures_util::TryStreamExt as _;
use object_store::Error;

use super::Objects;

/// The key of the object that holds the name.
pub const KEY: &str = "installation";

/// Longer than any name.
const MAX_NAME_BYTES: u64 = 64;

impl Objects {
    /// Whether the storage belongs to the installation of this name. A bucket without an owner
    /// becomes this installation's. Directories are not checked.
    ///
    /// # Errors
    /// The storage's.
    pub async fn belongs_to(&self, name: &str) -> Result<bool, Error> {
        if !self.is_remote() {
            return Ok(true);
        }
        let Some(about) = self.head(KEY).await? else {
            self.put(KEY, name.as_bytes().to_vec()).await?;
            return Ok(true);
        };
        let Some(pieces) = self.read(KEY, 0..about.bytes.min(MAX_NAME_BYTES)).await? else {
            return Ok(false);
        };
        let stored: Vec<_> = pieces
            .try_collect()
            .await
            .map_err(|source| Error::Generic { store: "S3", source: Box::new(source) })?;
        Ok(stored.concat() == name.as_bytes())
    }
}
