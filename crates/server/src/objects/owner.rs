//! Whose a storage is. A bucket is named by its URL alone, so that an installation that was given another's by mistake would take
//! all that is in it for objects that nothing knows of. The first that looks through a bucket leaves its name there, and no other
//! clears it.

use futures_util::TryStreamExt as _;
use object_store::Error;

use super::Objects;

/// Where the name lies.
pub const KEY: &str = "installation";

/// More than a name has.
const LONGEST: u64 = 64;

impl Objects {
    /// Whether what lies here is that of the installation of this name; a bucket that is nobody's becomes its own. A folder of files
    /// is whoever's has it.
    ///
    /// # Errors
    /// The storage's.
    pub async fn belong_to(&self, name: &str) -> Result<bool, Error> {
        if !self.is_remote() {
            return Ok(true);
        }
        let Some(about) = self.about(KEY).await? else {
            self.put(KEY, name.as_bytes().to_vec()).await?;
            return Ok(true);
        };
        let Some(pieces) = self.read(KEY, 0..about.bytes.min(LONGEST)).await? else { return Ok(false) };
        let stands: Vec<_> = pieces
            .try_collect()
            .await
            .map_err(|source| Error::Generic { store: "S3", source: Box::new(source) })?;
        Ok(stands.concat() == name.as_bytes())
    }
}
