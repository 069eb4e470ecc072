//! Takes in a voice that a user brings: checks its files, makes its network's random values inputs,
//! says something with it, and puts it into the voices directory.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use rten::ThreadPool;
use rten_onnx::onnx::{GraphProto, ModelProto, NodeProto, ValueInfoProto};
use sha2::{Digest as _, Sha256};

use super::{
    FOLDER, NETWORK, VOICE,
    description::{Description, Published},
    network::{Manner, Network, Symbols},
};
use crate::{audio::loudness, engines::neural::noise::Quantiles};

/// The largest network that is taken. Published voices have 20 to 130 MB.
const MOST_BYTES: u64 = 1 << 30;

/// Why a voice cannot be taken in.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file is not what it should be.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Its name cannot be used.
    #[error(
        "{0:?} cannot be a voice's name: at most 64 letters, digits, `_` and `-` of ASCII; rename the file"
    )]
    Name(String),
    /// Another voice has the name.
    #[error("there is a voice {0} already; remove it first: lectern voices remove {0}")]
    Taken(String),
}

fn refused(path: &Path, reason: &impl ToString) -> ImportError {
    ImportError::File { path: path.to_owned(), reason: reason.to_string() }
}

/// Takes in the network at `file`, described by the file of the same name with `.json` behind it.
/// Returns the name of the voice. `spoken` gives the phonemes that its loudness is measured on, of the
/// name that espeak-ng has for its language; without it, the voice is as loud as it comes.
///
/// # Errors
/// [`ImportError`]; nothing is left behind.
pub fn import(
    file: &Path,
    voices: &Path,
    spoken: &dyn Fn(&str) -> Option<String>,
) -> Result<String, ImportError> {
    let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if name.is_empty() || name.len() > 64 || !name.bytes().all(is_plain) || name.starts_with('-') {
        return Err(ImportError::Name(name));
    }
    let described = PathBuf::from(format!("{}.json", file.display()));
    let json = fs::read(&described).map_err(|error| refused(&described, &error))?;
    let mut voice = Published::read(&json)
        .and_then(|published| published.described(&name))
        .map_err(|reason| refused(&described, &reason))?;
    let folder = voices.join(FOLDER);
    let target = folder.join(&name);
    if target.exists() {
        return Err(ImportError::Taken(name));
    }
    let network = converted(file, &mut voice)?;
    voice.bytes = network.len() as u64;
    voice.sha256 = hex::encode(Sha256::digest(&network));
    // Next to the target, so that moving into place is one rename.
    let fresh = folder.join(format!(".{name}-new"));
    let _ = fs::remove_dir_all(&fresh);
    let made = fs::create_dir_all(&fresh)
        .and_then(|()| write(&fresh.join(NETWORK), &network))
        .map_err(|error| refused(&fresh, &error))
        .and_then(|()| tried(&fresh.join(NETWORK), file, voice, spoken))
        .and_then(|voice| {
            let json = serde_json::to_vec_pretty(&voice).map_err(|error| refused(&fresh, &error))?;
            write(&fresh.join(VOICE), &json).map_err(|error| refused(&fresh, &error))
        })
        .and_then(|()| fs::rename(&fresh, &target).map_err(|error| refused(&target, &error)));
    if let Err(error) = made {
        let _ = fs::remove_dir_all(&fresh);
        return Err(error);
    }
    File::open(&folder).and_then(|folder| folder.sync_all()).map_err(|error| refused(&folder, &error))?;
    Ok(name)
}

fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// The network with its random values as inputs; notes in `voice` which they are.
fn converted(path: &Path, voice: &mut Description) -> Result<Vec<u8>, ImportError> {
    let file = File::open(path).map_err(|error| refused(path, &error))?;
    let bytes = file.metadata().map_err(|error| refused(path, &error))?.len();
    if bytes > MOST_BYTES {
        return Err(refused(path, &format!("it has {bytes} bytes; at most {MOST_BYTES} are taken")));
    }
    let no_network = |reason: String| refused(path, &format!("it is no network of a Piper voice: {reason}"));
    let mut model = ModelProto::parse_file(file).map_err(|error| no_network(error.to_string()))?;
    let graph = model.graph.as_mut().ok_or_else(|| no_network("it has no graph".to_owned()))?;
    for wanted in ["input", "input_lengths", "scales"] {
        if !graph.input.iter().any(|input| input.name.as_deref() == Some(wanted)) {
            return Err(no_network(format!("it has no input {wanted}")));
        }
    }
    voice.durations = durations(graph);
    voice.noises = take_noises(graph).map_err(no_network)?;
    graph.output.extend(voice.durations.as_deref().map(named));
    model.write_buf().map_err(|error| no_network(error.to_string()))
}

/// The value that holds how long each symbol lasts: lengths are rounded up in one place.
fn durations(graph: &GraphProto) -> Option<String> {
    let mut rounded = graph.node.iter().filter(|node| node.op_type.as_deref() == Some("Ceil"));
    let only = rounded.next().filter(|_| rounded.next().is_none())?;
    only.output.first().cloned()
}

/// Makes every random value an input. Returns them in order, each with the name of an output that is its
/// shape.
fn take_noises(graph: &mut GraphProto) -> Result<Vec<(String, String)>, String> {
    let mut noises = Vec::new();
    let mut shapes = Vec::new();
    let mut other = None;
    graph.node.retain(|node| match node.op_type.as_deref() {
        Some("RandomNormalLike") => match (node.output.first(), node.input.first()) {
            (Some(noise), Some(like)) => {
                let shape = format!("{noise}_shape");
                shapes.push(shape_of(like, &shape));
                noises.push((noise.clone(), shape));
                false
            }
            _ => true,
        },
        Some(kind) if kind.starts_with("Random") || kind == "Multinomial" => {
            other = Some(kind.to_owned());
            true
        }
        _ => true,
    });
    if let Some(kind) = other {
        return Err(format!("it has an operator {kind}"));
    }
    graph.node.extend(shapes);
    graph.input.extend(noises.iter().map(|(noise, _)| named(noise)));
    // What is an output is not optimized away.
    graph.output.extend(noises.iter().map(|(_, shape)| named(shape)));
    Ok(noises)
}

/// An operator that gives the shape of a value.
fn shape_of(value: &str, shape: &str) -> NodeProto {
    NodeProto {
        name: Some(format!("node of {shape}")),
        op_type: Some("Shape".to_owned()),
        input: vec![value.to_owned()],
        output: vec![shape.to_owned()],
        ..NodeProto::default()
    }
}

fn named(value: &str) -> ValueInfoProto {
    ValueInfoProto { name: Some(value.to_owned()), r#type: None }
}

/// Says something with the voice and measures how loud it is.
fn tried(
    network: &Path,
    path: &Path,
    mut voice: Description,
    spoken: &dyn Fn(&str) -> Option<String>,
) -> Result<Description, ImportError> {
    let no_voice = |reason: String| refused(path, &format!("it does not speak: {reason}"));
    let loaded = Network::load(network, &voice).map_err(no_voice)?;
    let phonemes = voice.espeak.as_deref().and_then(spoken);
    // Without espeak-ng, some of its own symbols show whether it works at all.
    let symbols =
        phonemes.clone().unwrap_or_else(|| voice.ids.keys().filter(|c| c.is_alphabetic()).take(40).collect());
    let ids = super::ids_of(&voice, &symbols);
    let manner = Manner { speaker: Some(0), pace: 1.0, seed: 1 };
    let worker = Arc::new(ThreadPool::with_num_threads(1));
    let sound = loaded
        .say(&Symbols { ids: &ids, sounding: 0..ids.len() }, manner, &voice, (&worker, &Quantiles::new()))
        .map_err(|error| no_voice(error.to_string()))?;
    if sound.lengths.is_none() {
        voice.durations = None;
    }
    if phonemes.is_some() || voice.espeak.is_none() {
        let measured = loudness::measure(&sound.samples, voice.sample_rate_hz);
        let lufs = measured.map_err(|error| no_voice(error.to_string()))?.lufs;
        if lufs.is_finite() {
            voice.gain_db = (loudness::TARGET_LUFS - lufs).clamp(-24.0, loudness::MAX_GAIN_DB) as f32;
        }
    }
    Ok(voice)
}
