//! Where packages put voices, so that what `pip`, `npm`, `apt` or `brew` installed needs no setting.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

/// What `$XDG_DATA_DIRS` means when it is not set.
/// Source: XDG Base Directory Specification 0.8.
const DATA_DIRS: &str = "/usr/local/share:/usr/share";

/// The voices directories of packages, those that exist: `share/lectern/voices` next to the `bin`
/// that this program lies in, and below each directory of `$XDG_DATA_DIRS`.
#[expect(clippy::disallowed_methods, reason = "the home of this look-up of the environment")]
pub fn packaged_voices_dirs() -> Vec<PathBuf> {
    // A link to the program, as uv, npm and Homebrew put one on the PATH, has no voices next to it.
    let program = env::current_exe().and_then(fs::canonicalize).ok();
    let data_dirs = env::var_os("XDG_DATA_DIRS").filter(|value| !value.is_empty());
    find(program.as_deref(), &data_dirs.unwrap_or_else(|| OsString::from(DATA_DIRS)))
}

fn find(program: Option<&Path>, data_dirs: &OsStr) -> Vec<PathBuf> {
    let prefix = program.and_then(Path::parent).and_then(Path::parent);
    let mut found = Vec::new();
    for share in prefix.map(|prefix| prefix.join("share")).into_iter().chain(env::split_paths(data_dirs)) {
        let voices = share.join("lectern/voices");
        // The specification has relative paths ignored.
        if share.is_absolute() && voices.is_dir() && !found.contains(&voices) {
            found.push(voices);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::{env, ffi::OsStr, fs};

    use super::find;

    #[test]
    fn voices_lie_next_to_the_program_or_in_a_data_directory() {
        let root = tempfile::tempdir().unwrap();
        let [own, other, bare] = ["prefix/share", "other", "bare"].map(|name| root.path().join(name));
        let program = root.path().join("prefix/bin/lectern");
        for share in [&own, &other] {
            fs::create_dir_all(share.join("lectern/voices")).unwrap();
        }
        let listed = env::join_paths([&other, &bare, &own]).unwrap();
        let [own_voices, other_voices] = [&own, &other].map(|share| share.join("lectern/voices"));

        // The program's own come first, once; a directory without voices is left out.
        assert_eq!(find(Some(&program), &listed), [own_voices.clone(), other_voices.clone()]);
        assert_eq!(find(None, &listed), [other_voices, own_voices]);
        assert!(find(Some(&root.path().join("elsewhere/bin/lectern")), bare.as_os_str()).is_empty());
        // Negative control: without the check for absolute paths, this finds `lectern/voices` below
        // the working directory when there is one.
        assert!(find(None, OsStr::new("")).is_empty());
    }
}
