//! Whether a storage can be used: asked, written, read and cleared, once, before anybody relies on it.

use futures_util::TryStreamExt as _;
use object_store::Error;

use super::{Objects, trouble};
use crate::config::ConfigError;

/// What lies below this was made by a check; the sweep clears what a killed one left.
pub const PREFIX: &str = "checks";

/// What is written.
const BYTES: &[u8] = b"May be deleted at any time.\n";

/// Why a storage cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// A setting is at fault.
    #[error(transparent)]
    Setting(ConfigError),
    /// It may pass by itself.
    #[error("object storage: {0}")]
    Away(String),
}

impl Objects {
    /// Lists one name, puts an object named by `word`, reads it and deletes it.
    ///
    /// # Errors
    /// [`Unusable`], which names the setting where one is at fault, what was tried and what the other side answered.
    pub async fn check(&self, word: &str) -> Result<(), Unusable> {
        self.ping().await.map_err(|error| judged(&error))?;
        let key = format!("{PREFIX}/{word}");
        self.put(&key, BYTES.to_vec()).await.map_err(|error| judged(&error))?;
        let read = self.read(&key, 0..BYTES.len() as u64).await.map_err(|error| judged(&error))?;
        let read = match read {
            Some(pieces) => pieces.try_collect::<Vec<_>>().await.map(|pieces| pieces.concat()),
            None => Ok(Vec::new()),
        };
        self.delete(&key).await.map_err(|error| judged(&error))?;
        match read {
            Ok(read) if read == BYTES => Ok(()),
            Ok(_) => Err(Unusable::Away("what was written came back as something else".to_owned())),
            Err(error) => Err(Unusable::Away(error.to_string())),
        }
    }
}

fn judged(error: &Error) -> Unusable {
    let Some(trouble) = trouble::of(error) else { return Unusable::Away(crate::error::chain(error)) };
    match trouble.cause.mend() {
        Some((key, mend)) => Unusable::Setting(ConfigError::new(key, format!("{trouble}; {mend}"))),
        None => Unusable::Away(format!("{trouble} (storage.endpoint)")),
    }
}
