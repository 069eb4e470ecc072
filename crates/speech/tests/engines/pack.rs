//! A pack that is not the pinned one is refused by name and hash; each test changes a real pack in one way.

use std::{fs, path::Path};

use lectern_speech::pack::{FOLDER, MENDING_COMMAND, Pack, PackError};

use super::hibari::voices_dir;

/// A copy of the pack that tests may spoil: files are linked, so it costs nothing.
fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let folder = copy.path().join(FOLDER);
    fs::create_dir(&folder).unwrap();
    for file in fs::read_dir(voices_dir().join(FOLDER)).unwrap() {
        let file = file.unwrap();
        let target = folder.join(file.file_name());
        fs::hard_link(file.path(), &target).or_else(|_| fs::copy(file.path(), &target).map(drop)).unwrap();
    }
    copy
}

fn spoil(voices: &Path, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let path = voices.join(FOLDER).join(name);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    // The link goes first: the original must stay whole.
    fs::remove_file(&path).unwrap();
    fs::write(&path, bytes).unwrap();
}

#[test]
fn the_installed_pack_is_taken() {
    // The control for the tests below: an untouched copy opens.
    assert!(Pack::open(copy().path()).is_ok());
}

#[test]
fn one_changed_byte_is_refused_by_name_and_hash() {
    let copy = copy();
    let middle = 4_000_000;
    spoil(copy.path(), "hibari.onnx", |bytes| bytes[middle] ^= 1);
    let error = Pack::open(copy.path()).unwrap_err();
    let message = error.to_string();
    let PackError::Changed { found, wanted, .. } = error else { panic!("{message}") };
    assert_eq!(wanted, "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8");
    assert_ne!(found, wanted);
    for part in ["hibari.onnx", found.as_str(), wanted.as_str(), MENDING_COMMAND] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
}

#[test]
fn a_shortened_file_is_refused() {
    let copy = copy();
    spoil(copy.path(), "vocab.json", |bytes| bytes.truncate(10));
    assert!(matches!(Pack::open(copy.path()), Err(PackError::Changed { .. })));
}

#[test]
fn a_missing_file_is_named_with_the_command_that_mends_it() {
    let copy = copy();
    fs::remove_file(copy.path().join(FOLDER).join("tagger.json.gz")).unwrap();
    let message = Pack::open(copy.path()).unwrap_err().to_string();
    assert!(message.contains("tagger.json.gz") && message.contains(MENDING_COMMAND), "{message}");
}

#[test]
fn a_missing_pack_says_where_it_should_be_and_how_to_get_it() {
    let empty = tempfile::tempdir().unwrap();
    assert!(!Pack::is_at(empty.path()));
    let message = Pack::open(empty.path()).unwrap_err().to_string();
    let folder = empty.path().join(FOLDER).display().to_string();
    assert!(message.contains(&folder) && message.contains(MENDING_COMMAND), "{message}");
}

#[test]
fn the_first_directory_that_has_a_pack_is_found() {
    let (empty, copy) = (tempfile::tempdir().unwrap(), copy());
    let (empty, copy) = (empty.path().to_owned(), copy.path().to_owned());
    assert_eq!(Pack::find([empty.clone(), copy.clone()]), Some(copy.clone()));
    assert_eq!(Pack::find([copy.clone(), empty.clone()]), Some(copy));
    assert_eq!(Pack::find([empty]), None);
}
