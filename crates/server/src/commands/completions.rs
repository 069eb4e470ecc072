//! `lectern completions` and `lectern man`: what shells and `man` know of the command line, made from the command line
//! itself.

use std::{fs, io, path::PathBuf};

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{CommandError, CommandLine, output};

/// Print a script that completes commands and options in a shell.
#[derive(Debug, Clone, Copy, Args)]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

/// Write the manual pages: one for `lectern`, and one for each command.
#[derive(Debug, Clone, Args)]
pub struct Man {
    /// The directory to write to; it is made if it does not exist. By default the page of `lectern` is printed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the script.
pub(super) fn complete(completions: Completions) {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut CommandLine::command(), "lectern", &mut script);
    output::line(String::from_utf8_lossy(&script).trim_end());
}

/// Writes the pages.
///
/// # Errors
/// A directory or file that cannot be written.
pub(super) fn man(man: &Man) -> Result<(), CommandError> {
    let command = CommandLine::command();
    let Some(folder) = &man.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|source| failed("the manual page", source))?;
        output::line(String::from_utf8_lossy(&page).trim_end());
        return Ok(());
    };
    let shown = folder.display().to_string();
    fs::create_dir_all(folder).map_err(|source| failed(&shown, source))?;
    clap_mangen::generate_to(command, folder).map_err(|source| failed(&shown, source))
}

fn failed(what: &str, source: io::Error) -> CommandError {
    CommandError::Io { what: format!("{what} could not be written"), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_has_a_script_that_knows_the_commands() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut CommandLine::command(), "lectern", &mut script);
            let script = String::from_utf8(script).unwrap();
            assert!(script.contains("healthcheck") && script.contains("--json"), "{shell}");
        }
    }

    #[test]
    fn every_visible_command_has_a_page() {
        let folder = tempfile::tempdir().unwrap();
        man(&Man { out: Some(folder.path().join("man1")) }).unwrap();
        let page = |name: &str| fs::read_to_string(folder.path().join("man1").join(name));
        assert!(page("lectern.1").unwrap().contains("self\\-hosted"));
        for command in CommandLine::command().get_subcommands() {
            let name = format!("lectern-{}.1", command.get_name());
            assert_eq!(page(&name).is_ok(), !command.is_hide_set(), "{name}");
        }
    }
}
