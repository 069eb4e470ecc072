//! `lectern speak`: turns text into an audio file without the service, in the same steps: front
//! end, pool, levelling, encoder.
//!
//! `output` writes the audio and the timestamps; `script` reads SSML and lexicons; `show` prints words or phonemes instead of
//! speaking. No database, no HTTP, no credits.

mod output;
mod script;
mod show;

use std::{
    io::{IsTerminal as _, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lectern_speech::{
    audio::AudioFormat,
    language::Language,
    phonemes::Lexicon,
    pool::Priority,
    recorders::{RecordOptions, Recorded, Recorder},
    spec::NarrationSpec,
};

use lectern_types::{AudioParams, Bitrate, Loudness, SampleRate, TextType};

use super::{
    CommandError,
    cast::{self, Performance},
    destination::{self, Target},
    lexicon_files, numbers,
    reader::{self, Reader},
};
use lectern_service::config::Config;
use output::{Audio, Timestamps};
use script::Spoken;

/// The number of utterances from which a progress bar is shown.
const LONG: usize = 8;

/// Turn text into speech, without the service.
#[derive(Debug, Args)]
pub struct Speak {
    /// The text; `-` reads it from standard input.
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    text: Option<String>,

    /// Read the text (UTF-8) from a file; `-` is standard input.
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,

    /// What the text is written in: text, or ssml (one `speak` element).
    #[arg(long, default_value = "text", value_parser = reader::text_type)]
    text_type: TextType,

    /// How words are said: a lexicon in the W3C's PLS format, or JSON as the API takes it; may be
    /// repeated, the first wins.
    #[arg(long, value_name = "FILE")]
    lexicon: Vec<PathBuf>,

    /// The audio file; `-` is standard output. A device or FIFO is written to, a symbolic link
    /// followed.
    #[arg(short, long, value_name = "PATH", required_unless_present = "show")]
    output: Option<PathBuf>,

    /// mp3, wav, flac, opus, pcm (16 bits, little-endian, no header), ulaw or alaw (G.711, no header);
    /// by default from the output's extension, otherwise mp3.
    #[arg(long)]
    format: Option<AudioFormat>,

    /// Samples a second: 8000, 16000, 22050, 24000, 44100 or 48000; by default the voice's, 8000 for
    /// ulaw and alaw.
    #[arg(long, value_name = "HZ", value_parser = reader::sample_rate)]
    sample_rate: Option<SampleRate>,

    /// The bit rate of mp3 (32 to 160, from 32000 samples a second on to 320; otherwise 64) and opus
    /// (6 to 128; otherwise 32), in kbit/s.
    #[arg(long, value_name = "KBPS", value_parser = numbers::whole::<u32>(6, 320))]
    bitrate: Option<u32>,

    /// How loud: standard (-16 LUFS), acx (as ACX wants audiobooks, with room tone at both ends),
    /// broadcast (-23 LUFS) or none (as the voice gives it).
    #[arg(long, default_value = "standard", value_parser = reader::loudness)]
    loudness: Loudness,

    /// The voice, or a blend of several, such as `af_bella:2,af_sky:1`.
    #[arg(long, default_value = "heart")]
    voice: String,

    /// A voice for what follows lines `[speaker NAME]` of the text, as NAME=VOICE; may be repeated. Speakers without one
    /// are the voice's above. In SSML, `<voice name="VOICE">` does the same.
    #[arg(long, value_name = "NAME=VOICE")]
    speaker: Vec<String>,

    /// The language, such as en-US; by default the voice's first.
    #[arg(long)]
    language: Option<String>,

    /// 0.5 (slow) to 2.0 (fast).
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_parser = reader::speed)]
    speed: f32,

    /// How much higher the voice is, in semitones: -12 to 12.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true, value_parser = reader::pitch)]
    pitch: f32,

    /// Seed of the voice's random noise, 0 to 4294967295: the same text and seed give the same file.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = numbers::whole::<u64>(0, u32::MAX.into()))]
    seed: u64,

    /// A pronunciation in IPA, as WORD=IPA; may be repeated.
    #[arg(long, value_name = "WORD=IPA")]
    pronounce: Vec<String>,

    /// Write the times of all words: .json lists words and marks, with their places in the text as given, .srt and
    /// .vtt are captions; `-` is standard output, in JSON.
    #[arg(long, value_name = "PATH", conflicts_with = "show")]
    timestamps: Option<PathBuf>,

    /// Print the spoken words or their phonemes, one line for each line of the text, instead of
    /// audio.
    #[arg(long, conflicts_with = "output")]
    show: Option<Show>,

    /// Model threads; by default one for each processor core.
    #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<u16>(1, 1024))]
    threads: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Show {
    /// The normalized, spoken words.
    Words,
    Phonemes,
}

/// Runs the command.
///
/// # Errors
/// [`CommandError`], with a message for the user.
pub fn run(args: &Speak, config: &Config) -> Result<(), CommandError> {
    let reader = Reader::of(&args.voice, config)?;
    let language = reader.language(args.language.as_deref())?;
    let lexicon = reader::lexicon(&args.pronounce)?;
    // Checked first, because a bad name should fail before minutes of synthesis.
    let timestamps = args.timestamps.as_deref().map(Timestamps::at).transpose()?;
    let sent = text(args)?;
    let spoken = script::of(&sent, args, &reader, language, config)?;
    spoken.check(&reader, language)?;
    let voices = spoken.voices(&reader);
    voices.check_pitch(args.pitch)?;
    if let Some(what) = args.show {
        return show(what, &spoken, config, (&reader, language), &lexicon);
    }
    let script = &spoken.script;
    let output = args.output.as_deref().unwrap_or_else(|| Path::new("-"));
    let mut audio = audio(args, output, &reader)?;
    if !voices.others.is_empty() {
        // Other voices may have another rate.
        audio.sample_rate_hz = SampleRate::of(audio.rate_hz(reader.sample_rate_hz).into()).ok();
    }
    let target = Target::at(output)?;
    if target.is_standard_output() && timestamps.as_ref().is_some_and(Timestamps::are_for_standard_output) {
        return Err(CommandError::Usage("-o and --timestamps cannot both be standard output".to_owned()));
    }
    // A voice that cannot be loaded leaves the output as it is.
    let engines = voices.engines().iter().map(|engine| engine.load(config)).collect::<Result<Vec<_>, _>>();
    let engines = engines.map_err(CommandError::from_error)?;
    let destination = target.create()?;
    let pool = reader::model_threads(engines, args.threads, 1 + voices.others.len())?;
    let spec = NarrationSpec {
        speed: args.speed,
        pitch: args.pitch,
        seed: args.seed,
        lexicon: Arc::new(lexicon),
        ..NarrationSpec::new(reader.engine.name(), &reader.voice.name, language, script.text.as_str())
    };
    let performance = voices.read(&pool, script, &spec, Priority::Live).map_err(CommandError::from_error)?;
    let recorder = Recorder::new(RecordOptions {
        audio,
        loudness: args.loudness,
        title: title(&script.shown()),
        voice_gain_db: Some(f64::from(reader.voice.gain_db)),
    });
    let speech = narrate(performance, Audio::new(destination, recorder))?;
    if let Some(timestamps) = timestamps {
        timestamps.write(script, &sent, &speech.words, speech.sample_rate_hz)?;
    }
    Ok(())
}

/// Prints what the voices read, each line of each turn.
fn show(
    what: Show,
    spoken: &Spoken,
    config: &Config,
    (narrator, narrated): (&Reader, Language),
    lexicon: &Lexicon,
) -> Result<(), CommandError> {
    let text = spoken.script.text.as_str();
    let mut readings = show::Readings::new(config, lexicon);
    if spoken.others.is_empty() {
        return readings.print((what, text), narrator, narrated);
    }
    for turn in &spoken.script.turns {
        let (reader, language) = spoken.speaker(turn.voice, narrator, narrated);
        readings.print((what, text[turn.range.clone()].trim()), reader, language)?;
    }
    Ok(())
}

/// Writes all speech to the file and returns what was recorded.
fn narrate(mut performance: Performance, mut audio: Audio) -> Result<Recorded, CommandError> {
    let mut progress: Option<ProgressBar> = None;
    while let Some(said) = performance.next() {
        audio.push(said.map_err(CommandError::from_error)?)?;
        let all = performance.utterances();
        if all >= LONG && std::io::stderr().is_terminal() {
            let bar = progress.get_or_insert_with(|| bar(all));
            // Each voice says how much it has when its turn comes.
            bar.set_length(all as u64);
            bar.inc(1);
        }
    }
    if let Some(progress) = progress {
        progress.finish_and_clear();
    }
    audio.finish()
}

fn bar(all: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(all as u64), ProgressDrawTarget::stderr());
    // A template that does not parse costs only the bar's layout.
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} sentences, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn text(args: &Speak) -> Result<String, CommandError> {
    let from_standard_input =
        args.file.as_deref() == Some(Path::new("-")) || args.text.as_deref() == Some("-");
    let mut bytes = Vec::new();
    let origin = if from_standard_input {
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|error| CommandError::Refused(format!("cannot read standard input: {error}")))?;
        "standard input".to_owned()
    } else if let Some(path) = &args.file {
        bytes = std::fs::read(path)
            .map_err(|error| CommandError::Refused(format!("cannot read {}: {error}", path.display())))?;
        path.display().to_string()
    } else {
        bytes.extend_from_slice(args.text.as_deref().unwrap_or_default().as_bytes());
        "the text".to_owned()
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CommandError::Refused(format!("{origin} is not UTF-8 (byte {at} is where it stops being so)"))
    })?;
    if text.chars().all(char::is_whitespace) {
        return Err(CommandError::Refused(format!("{origin} is empty: there is nothing to say")));
    }
    Ok(text)
}

/// What is asked for of the audio, where it goes together.
fn audio(args: &Speak, output: &Path, reader: &Reader) -> Result<AudioParams, CommandError> {
    let audio = AudioParams {
        format: format(args.format, output)?,
        sample_rate_hz: args.sample_rate,
        bitrate_kbps: args.bitrate.map(Bitrate),
    };
    match audio.errors(Some(reader.sample_rate_hz)).0.into_iter().next() {
        None => Ok(audio),
        Some((field, sentence)) => {
            let option = if field == "bitrate_kbps" { "--bitrate" } else { "--sample-rate" };
            Err(CommandError::Usage(format!("{option} {sentence}")))
        }
    }
}

fn format(asked: Option<AudioFormat>, output: &Path) -> Result<AudioFormat, CommandError> {
    if let Some(format) = asked {
        return Ok(format);
    }
    match output.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref()
    {
        None => Ok(AudioFormat::default()),
        Some("ogg") => Ok(AudioFormat::Opus),
        Some(extension) => extension.parse().map_err(|error| {
            CommandError::Usage(format!("{}: {error}; name the format with --format", output.display()))
        }),
    }
}

/// The text's first words, for the file's title tag.
fn title(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let line = line.trim_start_matches(['#', ' ']);
    let end = line.char_indices().nth(80).map_or(line.len(), |(at, _)| line[..at].rfind(' ').unwrap_or(at));
    Some(line[..end].to_owned())
}
