//! Decoders that share no code with ours: ffmpeg as a program, symphonia as a library.

use std::{io::Cursor, process::Command};

use symphonia::core::{
    codecs::audio::AudioDecoderOptions,
    formats::{FormatOptions, TrackType, probe::Hint},
    io::{MediaSourceStream, MediaSourceStreamOptions},
    meta::MetadataOptions,
};

/// Runs a program of the ffmpeg family and returns its standard output and standard error.
pub(crate) fn run(program: &str, arguments: &[&str]) -> (Vec<u8>, String) {
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|error| {
        panic!("{program} must be installed for these tests (package ffmpeg): {error}")
    });
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program} {arguments:?} failed: {said}");
    (output.stdout, said)
}

/// Decodes all files with a single run of ffmpeg, each to samples as bytes of `pcm` (`f32le` or
/// `s16le`).
pub(crate) fn ffmpeg_raw(files: &[Vec<u8>], extension: &str, pcm: &str) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder for ffmpeg");
    let path = |name: String| folder.path().join(name).to_string_lossy().into_owned();
    let mut arguments: Vec<String> = ["-v", "error", "-nostdin", "-y"].map(str::to_owned).to_vec();
    for (index, file) in files.iter().enumerate() {
        let name = path(format!("{index}.{extension}"));
        std::fs::write(&name, file).expect("the file is written");
        arguments.extend(["-i".to_owned(), name]);
    }
    for index in 0..files.len() {
        let map = format!("{index}:a");
        let codec = format!("pcm_{pcm}");
        arguments.extend(["-map", &map, "-c:a", &codec, "-f", pcm].map(str::to_owned));
        arguments.push(path(format!("{index}.raw")));
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (_, said) = run("ffmpeg", &arguments);
    assert!(said.trim().is_empty(), "ffmpeg complains: {said}");
    (0..files.len())
        .map(|index| std::fs::read(path(format!("{index}.raw"))).expect("ffmpeg wrote it"))
        .collect()
}

pub(crate) fn ffmpeg(file: &[u8], extension: &str) -> Vec<f32> {
    let raw = ffmpeg_raw(&[file.to_vec()], extension, "f32le");
    raw[0].as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

/// A tag of the file as ffprobe reports it, such as its title or encoder.
pub(crate) fn ffprobe_tag(file: &[u8], extension: &str, tag: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder for ffprobe");
    let name = folder.path().join(format!("file.{extension}"));
    std::fs::write(&name, file).expect("the file is written");
    let entries = format!("format_tags={tag}:stream_tags={tag}");
    let path = name.to_string_lossy();
    let (said, _) = run("ffprobe", &["-v", "error", "-show_entries", &entries, "-of", "csv=p=0", &path]);
    String::from_utf8(said).expect("UTF-8").trim().to_owned()
}

/// Decodes with symphonia, without the encoder's padding.
pub(crate) fn symphonia(file: &[u8], extension: &str) -> Vec<f32> {
    let source =
        MediaSourceStream::new(Box::new(Cursor::new(file.to_vec())), MediaSourceStreamOptions::default());
    let mut hint = Hint::new();
    hint.with_extension(extension);
    let mut format = symphonia::default::get_probe()
        .probe(&hint, source, FormatOptions::default(), MetadataOptions::default())
        .expect("symphonia knows the format");
    let track = format.default_track(TrackType::Audio).expect("there is a track");
    let parameters = track.codec_params.as_ref().and_then(|p| p.audio()).expect("it is audio");
    let mut decoder = symphonia::default::get_codecs()
        .make_audio_decoder(parameters, &AudioDecoderOptions::default().gapless(true).verify(true))
        .expect("symphonia has the codec");
    let (mut samples, mut piece) = (Vec::new(), Vec::<f32>::new());
    while let Some(packet) = format.next_packet().expect("symphonia reads on") {
        decoder.decode(&packet).expect("symphonia decodes").copy_to_vec_interleaved(&mut piece);
        samples.append(&mut piece);
    }
    assert_ne!(decoder.finalize().verify_ok, Some(false), "the checksum is wrong");
    samples
}
