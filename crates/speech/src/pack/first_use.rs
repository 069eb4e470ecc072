//! Data that is loaded when it is first needed: what one language needs costs nothing until then.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::PackError;

/// Something that is loaded once, when it is first asked for, and then shared by all threads.
#[derive(Debug)]
pub struct FirstUse<T> {
    loaded: OnceLock<T>,
    loading: Mutex<()>,
}

impl<T> Default for FirstUse<T> {
    fn default() -> Self {
        Self { loaded: OnceLock::new(), loading: Mutex::new(()) }
    }
}

impl<T> FirstUse<T> {
    /// What `load` made the first time.
    ///
    /// # Errors
    /// Those of `load`; the next call tries again.
    pub fn get(&self, load: impl FnOnce() -> Result<T, PackError>) -> Result<&T, PackError> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        // One thread loads while the others wait, instead of all loading the same.
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let loaded = load()?;
        Ok(self.loaded.get_or_init(|| loaded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_loaded_once_and_a_failure_is_not_kept() {
        let data = FirstUse::default();
        let failed = data.get(|| Err(super::super::Pack::unusable("x", &"damaged")));
        assert!(failed.is_err());
        assert_eq!(data.get(|| Ok(7)).unwrap(), &7);
        assert_eq!(data.get(|| Ok(8)).unwrap(), &7);
    }
}
