//! A pack that is not the pinned one is refused by name and hash: tests change a real pack in one
//! way each. And how a pack is installed, with one that is made up.

use std::{
    fs,
    io::{Cursor, Write as _},
    path::Path,
};

use lectern_speech::{
    engines::hibari::PACK,
    pack::{self, INSTALL_COMMAND, InstallError, Pack, PackError, PackKind, Step},
};
use sha2::{Digest as _, Sha256};

use super::hibari::voices_dir;

/// A copy of the pack that tests may spoil: files are linked, so it costs nothing.
fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let folder = copy.path().join(PACK.name());
    fs::create_dir(&folder).unwrap();
    for file in fs::read_dir(voices_dir().join(PACK.name())).unwrap() {
        let file = file.unwrap();
        let target = folder.join(file.file_name());
        fs::hard_link(file.path(), &target).or_else(|_| fs::copy(file.path(), &target).map(drop)).unwrap();
    }
    copy
}

fn spoil(voices: &Path, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let path = voices.join(PACK.name()).join(name);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    // The link goes first: the original must stay whole.
    fs::remove_file(&path).unwrap();
    fs::write(&path, bytes).unwrap();
}

#[test]
fn the_installed_pack_is_taken() {
    // The control for the tests below: an untouched copy opens.
    assert!(Pack::open(copy().path(), PACK).is_ok());
}

#[test]
fn one_changed_byte_is_refused_by_name_and_hash() {
    let copy = copy();
    let middle = 4_000_000;
    spoil(copy.path(), "hibari.onnx", |bytes| bytes[middle] ^= 1);
    let error = Pack::open(copy.path(), PACK).unwrap_err();
    let message = error.to_string();
    let PackError::Changed { found, wanted, .. } = error else { panic!("{message}") };
    assert_eq!(wanted, "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8");
    assert_ne!(found, wanted);
    for part in ["hibari.onnx", found.as_str(), wanted.as_str(), INSTALL_COMMAND] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
}

#[test]
fn a_shortened_file_is_refused() {
    let copy = copy();
    spoil(copy.path(), "vocab.json", |bytes| bytes.truncate(10));
    assert!(matches!(Pack::open(copy.path(), PACK), Err(PackError::Changed { .. })));
}

#[test]
fn a_missing_file_is_named_with_the_command_that_fixes_it() {
    let copy = copy();
    fs::remove_file(copy.path().join(PACK.name()).join("tagger.json.gz")).unwrap();
    let message = Pack::open(copy.path(), PACK).unwrap_err().to_string();
    assert!(message.contains("tagger.json.gz") && message.contains(INSTALL_COMMAND), "{message}");
}

#[test]
fn a_missing_pack_says_where_it_should_be_and_how_to_get_it() {
    let empty = tempfile::tempdir().unwrap();
    assert!(!PACK.is_at(empty.path()));
    let message = Pack::open(empty.path(), PACK).unwrap_err().to_string();
    let folder = empty.path().join(PACK.name()).display().to_string();
    assert!(message.contains(&folder) && message.contains(INSTALL_COMMAND), "{message}");
}

#[test]
fn the_first_directory_that_has_a_pack_is_found() {
    let (empty, copy) = (tempfile::tempdir().unwrap(), copy());
    let (empty, copy) = (empty.path().to_owned(), copy.path().to_owned());
    assert_eq!(PACK.find([empty.clone(), copy.clone()]), Some(copy.clone()));
    assert_eq!(PACK.find([copy.clone(), empty.clone()]), Some(copy));
    assert_eq!(PACK.find([empty]), None);
}

/// A pack of two files, one of them joined of two members of an npm archive, and the archives that
/// hold them.
struct Made {
    kind: PackKind,
    voices: tempfile::TempDir,
    wheel: Vec<u8>,
    tarball: Vec<u8>,
    fetched: Vec<String>,
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

impl Made {
    fn new() -> Self {
        let mut wheel = zip::ZipWriter::new(Cursor::new(Vec::new()));
        wheel.start_file("p/assets/vocab.json", zip::write::SimpleFileOptions::default()).unwrap();
        wheel.write_all(b"{}").unwrap();
        let wheel = wheel.finish().unwrap().into_inner();
        let packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut tarball = tar::Builder::new(packed);
        for (name, content) in [("package/net.0", "first, "), ("package/net.1", "second")] {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            tarball.append_data(&mut header, name, content.as_bytes()).unwrap();
        }
        let tarball = tarball.into_inner().unwrap().finish().unwrap();
        let manifest = format!(
            "name = \"made\"\n\
             [[source]]\nregistry = \"PyPI\"\npackage = \"p\"\nversion = \"1\"\nfile = \"p.whl\"\nbytes = 1\nsha256 = \"{}\"\n\
             folder = \"p/assets\"\n\
             [[source]]\nregistry = \"npm\"\npackage = \"n\"\nversion = \"2\"\nfile = \"n-2.tgz\"\nbytes = 1\nsha256 = \"{}\"\n\
             folder = \"package\"\n\
             [[file]]\nname = \"vocab.json\"\nsource = \"p\"\nbytes = 2\nsha256 = \"{}\"\n\
             [[file]]\nname = \"net.onnx\"\nbytes = 13\nsha256 = \"{}\"\n\
             [[part]]\nof = \"net.onnx\"\nsource = \"n\"\nname = \"net.0\"\n\
             [[part]]\nof = \"net.onnx\"\nsource = \"n\"\nname = \"net.1\"\n",
            sha256(&wheel),
            sha256(&tarball),
            sha256(b"{}"),
            sha256(b"first, second"),
        );
        let kind = PackKind::new("made", Box::leak(manifest.into_boxed_str()));
        Self { kind, voices: tempfile::tempdir().unwrap(), wheel, tarball, fetched: Vec::new() }
    }

    fn install(&mut self) -> Result<Vec<String>, InstallError> {
        let (wheel, tarball, fetched) = (&self.wheel, &self.tarball, &mut self.fetched);
        pack::install(
            self.kind,
            self.voices.path(),
            &mut |source, folder| {
                fetched.push(source.package.clone());
                let bytes = if source.package == "p" { wheel } else { tarball };
                fs::write(folder.join(&source.file), bytes).unwrap();
                Ok(())
            },
            &mut |_| (),
        )
    }

    fn held(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.kind.folder(self.voices.path()).join(name)).ok()
    }
}

#[test]
fn a_pack_is_installed_from_its_sources_and_only_what_is_wrong_is_put_there_again() {
    let mut made = Made::new();
    assert_eq!(made.install().unwrap(), ["vocab.json", "net.onnx"]);
    assert_eq!(made.held("net.onnx").unwrap(), b"first, second");
    assert!(Pack::open(made.voices.path(), made.kind).is_ok());
    assert!(made.install().unwrap().is_empty());
    fs::write(made.kind.folder(made.voices.path()).join("net.onnx"), b"first, sEcond").unwrap();
    assert_eq!(made.install().unwrap(), ["net.onnx"]);
    assert_eq!(made.fetched, ["p", "n", "n"]);
    assert!(pack::remove(made.kind, made.voices.path()).unwrap());
    assert!(!pack::remove(made.kind, made.voices.path()).unwrap());
}

#[test]
fn another_archive_is_refused_and_the_one_that_was_right_is_kept() {
    let mut made = Made::new();
    let right = std::mem::replace(&mut made.tarball, b"another".to_vec());
    let refused = made.install().unwrap_err();
    assert!(matches!(refused, InstallError::Changed { name, .. } if name == "n-2.tgz"));
    assert!(!made.kind.is_at(made.voices.path()));
    made.tarball = right;
    made.install().unwrap();
    assert_eq!(made.fetched, ["p", "n", "n"]);
}

#[test]
fn a_download_that_was_cut_off_is_refused_and_fetched_again() {
    let mut made = Made::new();
    let whole = made.tarball.clone();
    made.tarball.truncate(whole.len() / 2);
    let refused = made.install().unwrap_err();
    assert!(matches!(refused, InstallError::Changed { name, .. } if name == "n-2.tgz"));
    assert!(!made.kind.folder(made.voices.path()).exists());
    made.tarball = whole;
    made.install().unwrap();
    assert_eq!(made.fetched, ["p", "n", "n"]);
}

// As after a crash.
#[test]
fn what_an_interrupted_installation_left_is_not_installed() {
    let mut made = Made::new();
    let left = made.voices.path().join(".made-new");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("half"), "of something").unwrap();
    let sources = made.voices.path().join(".made-sources");
    fs::create_dir(&sources).unwrap();
    fs::write(sources.join("p.whl"), &made.wheel).unwrap();
    fs::write(sources.join("n-2.tgz"), &made.tarball[..20]).unwrap();
    made.install().unwrap();
    assert_eq!(made.fetched, ["n"], "a source that is there and right is not fetched again");
    let names = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&made.kind.folder(made.voices.path())), ["net.onnx", "vocab.json"]);
    assert_eq!(names(made.voices.path()), [".lock", "made"]);
    assert!(pack::remove(made.kind, made.voices.path()).unwrap());
    assert_eq!(names(made.voices.path()), [".lock"]);
}

#[test]
fn every_step_of_an_installation_is_told() {
    let made = Made::new();
    let mut told = Vec::new();
    let mut fetch = |source: &pack::Source, folder: &Path| {
        fs::write(folder.join(&source.file), if source.package == "p" { &made.wheel } else { &made.tarball })
            .unwrap();
        Ok(())
    };
    let mut tell = |step: Step<'_>| {
        told.push(match step {
            Step::Sources(sources) => format!("{} sources", sources.len()),
            Step::Fetching(source) => format!("fetching {source}"),
            Step::Fetched(source) => format!("fetched {source}"),
            Step::Making(name) => format!("making {name}"),
        });
    };
    pack::install(made.kind, made.voices.path(), &mut fetch, &mut tell).unwrap();
    assert_eq!(
        told,
        [
            "2 sources",
            "fetching p 1",
            "fetched p 1",
            "fetching n 2",
            "fetched n 2",
            "making vocab.json",
            "making net.onnx"
        ]
    );
}

/// A pack whose one file is made of two members of an archive.
fn converted(sha256_of_file: &str, convert: pack::Convert) -> (PackKind, Vec<u8>) {
    let tarball = Made::new().tarball;
    let manifest = format!(
        "name = \"made\"\n\
         [[source]]\nregistry = \"npm\"\npackage = \"n\"\nversion = \"2\"\nfile = \"n-2.tgz\"\nbytes = 1\nsha256 = \"{}\"\n\
         folder = \"package\"\n\
         [[file]]\nname = \"loud.net\"\nbytes = 13\nsha256 = \"{sha256_of_file}\"\n\
         [[conversion]]\nof = \"net.onnx\"\nbytes = 13\nsha256 = \"{}\"\ninto = [\"loud.net\"]\n\
         [[part]]\nof = \"net.onnx\"\nsource = \"n\"\nname = \"net.0\"\n\
         [[part]]\nof = \"net.onnx\"\nsource = \"n\"\nname = \"net.1\"\n",
        sha256(&tarball),
        sha256(b"first, second"),
    );
    (PackKind::new("made", Box::leak(manifest.into_boxed_str())).converted_by(convert), tarball)
}

fn loud(from: &Path, folder: &Path) -> Result<(), String> {
    let text = fs::read_to_string(from).map_err(|error| error.to_string())?;
    fs::write(folder.join("loud.net"), text.to_uppercase()).map_err(|error| error.to_string())
}

#[test]
fn a_file_is_made_of_what_was_joined_and_what_was_joined_is_not_kept() {
    let (kind, tarball) = converted(&sha256(b"FIRST, SECOND"), loud);
    let voices = tempfile::tempdir().unwrap();
    let mut fetch = |source: &pack::Source, folder: &Path| {
        fs::write(folder.join(&source.file), &tarball).unwrap();
        Ok(())
    };
    assert_eq!(pack::install(kind, voices.path(), &mut fetch, &mut |_| ()).unwrap(), ["loud.net"]);
    assert!(Pack::open(voices.path(), kind).is_ok());
    let held: Vec<_> = fs::read_dir(kind.folder(voices.path())).unwrap().collect();
    assert_eq!(held.len(), 1);
    fs::write(kind.folder(voices.path()).join("loud.net"), "FIRST, sECOND").unwrap();
    let message = Pack::open(voices.path(), kind).unwrap_err().to_string();
    assert!(message.contains("loud.net") && message.contains("lectern voices fetch made"), "{message}");
    assert_eq!(pack::install(kind, voices.path(), &mut fetch, &mut |_| ()).unwrap(), ["loud.net"]);
    assert!(Pack::open(voices.path(), kind).is_ok());
}

#[test]
fn a_conversion_that_fails_or_makes_something_else_leaves_nothing() {
    let refuse: pack::Convert = |_, folder| {
        fs::write(folder.join("loud.net"), "half of").unwrap();
        Err("no space left on device".to_owned())
    };
    for (convert, wanted) in
        [(refuse, "no space left on device"), (loud as pack::Convert, "not the pinned file")]
    {
        let (kind, tarball) = converted("00", convert);
        let voices = tempfile::tempdir().unwrap();
        let refused = pack::install(
            kind,
            voices.path(),
            &mut |source, folder| {
                fs::write(folder.join(&source.file), &tarball).unwrap();
                Ok(())
            },
            &mut |_| (),
        );
        let message = refused.unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}");
        assert!(!kind.is_at(voices.path()));
        assert!(!voices.path().join(".made-new").exists());
    }
}

// Not seen to fail yet. Controls to run: with `open` checking everything, it refuses the changed file; with `checked` as a plain
// path, the changed file is taken.
#[test]
fn a_file_that_one_language_needs_is_checked_when_it_is_asked_for() {
    let manifest = format!(
        "name = \"made\"\n\
         [[source]]\nregistry = \"npm\"\npackage = \"n\"\nversion = \"2\"\nfile = \"n-2.tgz\"\nbytes = 1\nsha256 = \"00\"\n\
         folder = \"package\"\n\
         [[file]]\nname = \"words.dic\"\nlanguage = \"xx\"\nbytes = 3\nsha256 = \"{}\"\n\
         [[part]]\nof = \"words.dic\"\nsource = \"n\"\nname = \"words.dic\"\n",
        sha256(b"abc"),
    );
    let kind = PackKind::new("made", Box::leak(manifest.into_boxed_str()));
    let voices = tempfile::tempdir().unwrap();
    let file = kind.folder(voices.path()).join("words.dic");
    let opened = || Pack::open(voices.path(), kind);
    assert!(matches!(opened(), Err(PackError::Missing { .. })));
    fs::create_dir(kind.folder(voices.path())).unwrap();
    fs::write(&file, "abc").unwrap();
    assert_eq!(opened().unwrap().checked("words.dic").unwrap(), file);
    fs::write(&file, "abd").unwrap();
    assert!(matches!(opened().unwrap().checked("words.dic"), Err(PackError::Changed { .. })));
    assert!(matches!(opened().unwrap().check_all(), Err(PackError::Changed { .. })));
    fs::write(&file, "ab").unwrap();
    assert!(matches!(opened(), Err(PackError::Changed { .. })));
}
