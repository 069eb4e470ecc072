//! Checks once, before anything relies on it, that a storage can be used: pings it, then writes,
//! reads and deletes an object.

use futures_util::TryStreamExt as _;
use object_store::Error;

use super::{Objects, s3_error};
use crate::config::ConfigError;

/// The prefix of objects that a check writes. The sweep deletes those of a check that was killed.
pub const PREFIX: &str = "checks";

/// The content of the object that is written.
const CONTENT: &[u8] = b"May be deleted at any time.\n";

/// A reason why a storage cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A setting is wrong.
    #[error(transparent)]
    Setting(ConfigError),
    /// The problem may be temporary.
    #[error("object storage: {0}")]
    Unavailable(String),
}

impl Objects {
    /// Lists one name, then writes, reads and deletes an object named by `id`.
    ///
    /// # Errors
    /// [`CheckError`], which names the wrong setting, if any, the failed operation and the server's
    /// response.
    pub async fn check(&self, id: &str) -> Result<(), CheckError> {
        self.ping().await.map_err(|error| classified(&error))?;
        let key = format!("{PREFIX}/{id}");
        self.put(&key, CONTENT.to_vec()).await.map_err(|error| classified(&error))?;
        let read = self.read(&key, 0..CONTENT.len() as u64).await.map_err(|error| classified(&error))?;
        let read = match read {
            Some(pieces) => pieces.try_collect::<Vec<_>>().await.map(|pieces| pieces.concat()),
            None => Ok(Vec::new()),
        };
        self.delete(&key).await.map_err(|error| classified(&error))?;
        match read {
            Ok(read) if read == CONTENT => Ok(()),
            Ok(_) => Err(CheckError::Unavailable("what was written came back as something else".to_owned())),
            Err(error) => Err(CheckError::Unavailable(error.to_string())),
        }
    }
}

fn classified(error: &Error) -> CheckError {
    let Some(failure) = s3_error::of(error) else {
        return CheckError::Unavailable(crate::error::chain(error));
    };
    match failure.cause.remedy() {
        Some((key, remedy)) => CheckError::Setting(ConfigError::new(key, format!("{failure}; {remedy}"))),
        None => CheckError::Unavailable(format!("{failure} (storage.endpoint)")),
    }
}
