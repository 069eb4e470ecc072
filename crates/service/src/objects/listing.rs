//! Lists the objects in storage, known to the database or not, for the sweep.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use futures_util::{StreamExt as _, stream::BoxStream};
use lectern_types::Timestamp;
use object_store::{ObjectStore as _, path::Path as Key};

use super::{Backend, Objects, s3_error};

/// An object in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedObject {
    pub key: String,
    /// When it was last written.
    pub since: Timestamp,
    pub bytes: u64,
}

/// Objects in no particular order.
pub type Listing = BoxStream<'static, Result<ListedObject, object_store::Error>>;

impl Objects {
    /// Streams every object below `prefix`.
    pub fn list(&self, prefix: &str) -> Listing {
        let found = self.storage.list(Some(&Key::from(prefix)));
        let description = match &*self.backend {
            Backend::Directory(_) => None,
            Backend::S3(bucket) => Some(format!("list {prefix} in {}", bucket.display_name)),
        };
        found
            .map(move |meta| {
                let meta = meta.map_err(|error| match &description {
                    Some(description) => s3_error::classified(error, || description.clone()),
                    None => error,
                })?;
                let since = Timestamp(meta.last_modified.timestamp_micros());
                Ok(ListedObject { key: meta.location.into(), since, bytes: meta.size })
            })
            .boxed()
    }

    /// Removes the partial files that killed processes left below `prefix` before `before`, and
    /// returns how many. The storage renames such a file when it is complete, and no listing shows
    /// it before. A bucket drops unfinished uploads by a lifecycle rule that its operator sets
    /// (docs/operations/install.md).
    ///
    /// # Errors
    /// The operating system's.
    pub async fn remove_unfinished(&self, prefix: &str, before: Timestamp) -> io::Result<u64> {
        let Backend::Directory(directory) = &*self.backend else { return Ok(0) };
        let folder = directory.join(prefix);
        let walk = tokio::task::spawn_blocking(move || remove_unfinished(folder, before));
        walk.await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

fn remove_unfinished(folder: PathBuf, before: Timestamp) -> io::Result<u64> {
    let mut removed = 0;
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            // The directory was removed with its last object.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            other => other?,
        };
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if is_unfinished(&entry.path()) && is_before(&entry.metadata()?, before) {
                match std::fs::remove_file(entry.path()) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    other => {
                        other?;
                        removed += 1;
                    }
                }
            }
        }
    }
    Ok(removed)
}

/// Whether the storage uses such a name for a partial file: the object's name, `#` and digits.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let number = name.rsplit_once('#').map(|(_, number)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_before(about: &std::fs::Metadata, before: Timestamp) -> bool {
    let modified = about.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    let before = Duration::from_micros(u64::try_from(before.0).unwrap_or(0));
    modified.is_some_and(|modified| modified < before)
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt as _;

    use super::*;

    #[tokio::test]
    async fn objects_are_listed_by_prefix_and_old_partial_files_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let objects = Objects::in_directory(directory.path()).unwrap();
        for key in ["materials/a/source", "materials/b/1.flac", "syntheses/c.mp3"] {
            objects.put(key, b"x".to_vec()).await.unwrap();
        }
        let piece = directory.path().join("materials/a/1.flac#1");
        std::fs::write(&piece, "half").unwrap();
        let found: Vec<ListedObject> = objects.list("materials").try_collect().await.unwrap();
        let mut keys: Vec<&str> = found.iter().map(|found| found.key.as_str()).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["materials/a/source", "materials/b/1.flac"]);
        let since = found[0].since;
        assert_eq!(objects.remove_unfinished("materials", since.plus_seconds(-60)).await.unwrap(), 0);
        assert!(piece.exists());
        assert_eq!(objects.remove_unfinished("materials", since.plus_seconds(60)).await.unwrap(), 1);
        assert!(!piece.exists());
        assert_eq!(objects.list("materials").count().await, 2);
        assert_eq!(objects.remove_unfinished("nothing", since).await.unwrap(), 0);
    }
}
