//! Where this process keeps temporary files: its own folder below `<data_dir>/tmp`, removed when
//! the process ends. The next process to start removes the folders of killed processes: those whose
//! lock nobody holds.

use std::{
    fs::{DirBuilder, File, TryLockError},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use crate::clock;

/// The file in each folder that its process keeps locked.
const LOCK: &str = "lock";

/// A process's folder, locked.
#[derive(Debug)]
pub struct Workspace {
    folder: PathBuf,
    _lock: File,
}

impl Workspace {
    /// Creates a folder for this process and removes abandoned ones.
    ///
    /// # Errors
    /// When the folder cannot be created or locked.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        let all = data_dir.join("tmp");
        // Readable by this user only: the files belong to customers.
        let make = |folder: &Path| DirBuilder::new().recursive(true).mode(0o700).create(folder);
        make(&all)?;
        let folder = all.join(hex::encode(clock::random::<8>()));
        make(&folder)?;
        let lock = File::create(folder.join(LOCK))?;
        lock.lock()?;
        let workspace = Self { folder, _lock: lock };
        workspace.remove_abandoned(&all);
        Ok(workspace)
    }

    /// A path for a new file, which is removed with the returned [`Scratch`].
    pub fn scratch(&self) -> Scratch {
        Scratch(self.folder.join(hex::encode(clock::random::<8>())))
    }

    /// A new folder, which is removed with the returned [`ScratchFolder`].
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn scratch_folder(&self) -> io::Result<ScratchFolder> {
        let path = self.folder.join(hex::encode(clock::random::<8>()));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(ScratchFolder(path))
    }

    fn remove_abandoned(&self, all: &Path) {
        let Ok(entries) = std::fs::read_dir(all) else { return };
        for path in entries.flatten().map(|entry| entry.path()).filter(|path| *path != self.folder) {
            // A folder without a lock file may be new: its process may not have created the lock
            // yet.
            let abandoned = match File::open(path.join(LOCK)) {
                Ok(lock) => !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)),
                Err(_) => is_old(&path),
            };
            if abandoned && let Err(error) = std::fs::remove_dir_all(&path) {
                tracing::warn!(error = %error, path = %path.display(), "a folder of unfinished work was not removed");
            }
        }
    }
}

/// Whether a folder has not changed for a minute, by the clock of its file system.
fn is_old(folder: &Path) -> bool {
    let age = folder.metadata().and_then(|about| about.modified()).map(|modified| modified.elapsed());
    matches!(age, Ok(Ok(age)) if age.as_secs() > 60)
}

impl Drop for Workspace {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.folder) {
            tracing::warn!(error = %error, path = %self.folder.display(), "a folder of unfinished work was not removed");
        }
    }
}

/// A path in the workspace. Dropping it removes the file, if there is one.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        match std::fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(error = %error, path = %self.0.display(), "a scratch file was not removed");
            }
            _ => {}
        }
    }
}

/// A folder in the workspace. Dropping it removes it with all that is in it.
#[derive(Debug)]
pub struct ScratchFolder(PathBuf);

impl ScratchFolder {
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(error = %error, path = %self.0.display(), "a scratch folder was not removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Negative control: with `remove_abandoned` blind to locks, the living process's
    // file is gone.
    #[test]
    fn folders_of_the_dead_are_removed_and_those_of_the_living_are_not() {
        let data = tempfile::tempdir().unwrap();
        let living = Workspace::open(data.path()).unwrap();
        let kept = living.scratch();
        std::fs::write(kept.path(), "kept").unwrap();
        let dead = data.path().join("tmp/0123456789abcdef");
        std::fs::create_dir(&dead).unwrap();
        std::fs::write(dead.join(LOCK), "").unwrap();
        std::fs::write(dead.join("half"), "of a book").unwrap();
        let next = Workspace::open(data.path()).unwrap();
        assert!(!dead.exists() && kept.path().exists());
        drop((kept, living, next));
        assert_eq!(std::fs::read_dir(data.path().join("tmp")).unwrap().count(), 0);
    }

    #[test]
    fn a_scratch_file_ends_with_its_name() {
        let data = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(data.path()).unwrap();
        let scratch = workspace.scratch();
        std::fs::write(scratch.path(), "x").unwrap();
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists());
        // No file was created, so there is nothing to remove and nothing to log.
        drop(workspace.scratch());
    }
}
