//! Books that are joined from encoded chunks, checked with ffmpeg and symphonia.
//!
//! Not seen to fail yet: without the silent frames between chunks, without cutting the silence at the end of an MP3,
//! without the number of frames in the tag, and with the frames of a chunk without a pause cut.

use std::io::Cursor;

use lectern_speech::{
    audio::{
        AudioFormat,
        book::{BookDone, BookFormat, BookJoiner, BookOptions},
        decode::decode,
    },
    engines::{Phases, Speech},
    recorders::{ChunkAudio, ChunkOptions, ChunkRecorder},
};

use crate::{
    books::{FORMATS, OnDisk, all_decoded, options},
    signals::{RATE, lag, snr, speech},
};

/// A chunk of a book that says `said` and then nothing for `pause_ms`.
fn chunk(said: &[f32], pause_ms: u32, format: AudioFormat, rate: u32) -> ChunkAudio {
    let mut recorder = ChunkRecorder::new(ChunkOptions {
        format,
        title: None,
        sample_rate_hz: rate,
        voice_gain_db: Some(0.0),
        is_part_of_book: true,
    });
    let speech = Speech {
        samples: said.to_vec(),
        sample_rate_hz: rate,
        phases: Phases::default(),
        ..Speech::default()
    };
    recorder.push(speech).expect("the chunk is recorded");
    recorder.finish("", pause_ms).expect("the chunk ends")
}

fn encoded(chunk: &ChunkAudio, format: BookFormat) -> &[u8] {
    let mp3 = || chunk.mp3.as_ref().or(chunk.encoded.as_ref());
    match format {
        BookFormat::Mp3 => mp3().expect("an MP3"),
        BookFormat::M4b => chunk.aac.as_ref().expect("AAC"),
    }
}

fn join(options: BookOptions, chunks: &[ChunkAudio]) -> (Vec<u8>, BookDone) {
    let format = options.format;
    let mut file = Cursor::new(Vec::new());
    let mut book = BookJoiner::new(options, &mut file).expect("the book begins");
    for chunk in chunks {
        book.push(encoded(chunk, format), chunk.samples).expect("the chunk is joined");
    }
    let done = book.finish().expect("the book ends");
    let file = file.into_inner();
    assert_eq!(done.bytes, file.len() as u64);
    (file, done)
}

fn frame_samples(format: BookFormat) -> i64 {
    if format == BookFormat::Mp3 { 576 } else { 1_024 }
}

/// Chunks of different lengths in different formats, with pauses as between sentences and paragraphs.
fn twelve_chunks() -> Vec<(Vec<f32>, u32, AudioFormat)> {
    (0..12_u32)
        .map(|at| {
            let said = speech(20_011 + 7_919 * at as usize, u64::from(at));
            let format = if at % 3 == 0 { AudioFormat::Mp3 } else { AudioFormat::Flac };
            (said, [250, 600, 1_500][at as usize % 3], format)
        })
        .collect()
}

#[test]
fn chunks_are_where_they_belong_within_half_a_frame_and_sound_as_they_did() {
    let said = twelve_chunks();
    let chunks: Vec<ChunkAudio> =
        said.iter().map(|(said, pause_ms, format)| chunk(said, *pause_ms, *format, RATE)).collect();
    let samples: u64 = chunks.iter().map(|chunk| chunk.samples).sum();
    for format in FORMATS {
        let (file, done) = join(options(format, Vec::new()), &chunks);
        assert_eq!((done.samples, done.duration_ms), (samples, samples / 24));
        let decoded = all_decoded(&OnDisk::new(&file, format), format, samples as usize);
        let mut start = 0;
        for ((said, ..), chunk) in said.iter().zip(&chunks) {
            let lossless = decode(&chunk.lossless).expect("FLAC").samples;
            let here = &decoded[start..];
            let shift = lag(&lossless[..9_600], here, frame_samples(format));
            assert!(shift.abs() <= frame_samples(format) / 2 + 1, "{format}: {shift} samples off");
            // From its first sample to its last, with nothing of its neighbours.
            let from = (start as i64 + shift).max(0) as usize;
            let lost = from - (start as i64 + shift).min(from as i64) as usize;
            let got = &decoded[from..from + said.len() - lost];
            let wanted = &lossless[lost..said.len()];
            assert!(snr(wanted, got) > 10.0, "{format}: {} dB", snr(wanted, got));
            let silence = &decoded[from + said.len() + 1_200..start + chunk.samples as usize - 1_800];
            assert!(silence.iter().all(|sample| sample.abs() < 0.003), "{format}: the pause is not silent");
            start += chunk.samples as usize;
        }
        if format == BookFormat::Mp3 {
            assert_eq!(decode(&file).expect("symphonia decodes it").samples.len() as u64, samples);
        }
    }
}

#[test]
fn nothing_is_lost_of_chunks_without_pauses() {
    // Cut within a word; the end of each is as loud as its middle.
    let whole = speech(6 * 45_600, 3);
    let pieces: Vec<&[f32]> = whole.chunks(45_600).collect();
    let chunks: Vec<ChunkAudio> =
        pieces.iter().map(|piece| chunk(piece, 0, AudioFormat::Mp3, RATE)).collect();
    for format in FORMATS {
        let (file, done) = join(options(format, Vec::new()), &chunks);
        let decoded = OnDisk::new(&file, format).decoded(None);
        assert!(decoded.len() as u64 >= done.samples);
        let mut from = 0;
        for chunk in &chunks {
            let lossless = decode(&chunk.lossless).expect("FLAC").samples;
            // Each comes at most four frames late.
            let end = lossless.len() - 4_800;
            let late =
                lag(&lossless[end..], &decoded[from + end..], 6 * frame_samples(format)).max(0) as usize;
            assert!(late <= 4 * frame_samples(format) as usize, "{format}: {late} samples late");
            let got = &decoded[from + late + end..];
            let got = &got[..got.len().min(4_800)];
            assert!(got.len() > 3_500, "{format}: the end is missing");
            assert!(snr(&lossless[end..][..got.len()], got) > 8.0, "{format}: the end of a chunk is lost");
            from += late + lossless.len();
            from = from.min(decoded.len());
        }
    }
}

#[test]
fn other_rates_are_joined() {
    for rate in [16_000, 22_050, 44_100, 48_000] {
        let chunks: Vec<ChunkAudio> =
            (0..5).map(|at| chunk(&speech(30_000 + 977 * at, 7), 600, AudioFormat::Opus, rate)).collect();
        let samples: u64 = chunks.iter().map(|chunk| chunk.samples).sum();
        for format in FORMATS {
            let options = BookOptions { sample_rate_hz: rate, ..options(format, Vec::new()) };
            let (file, _) = join(options, &chunks);
            let decoded = OnDisk::new(&file, format).decoded(None);
            let more = decoded.len() as i64 - samples as i64;
            assert!((0..1_024).contains(&more), "{format} at {rate}: {more} samples too many");
            if format == BookFormat::Mp3 {
                assert_eq!(more, 0);
                // The rate of bits is constant, so any second is found by division.
                let wanted = decoded.len() as f64 / f64::from(rate) * 8_000.0;
                assert!((file.len() as f64 - wanted).abs() < 1_500.0, "{} bytes at {rate}", file.len());
            }
        }
    }
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let sound = chunk(&speech(20_000, 1), 600, AudioFormat::Flac, RATE);
    let other = chunk(&speech(20_000, 1), 600, AudioFormat::Flac, 16_000);
    for format in FORMATS {
        let file = encoded(&sound, format);
        let cut = &file[..file.len() - 3];
        let begun = &file[file.len() / 2 + 1..];
        let long = [file, b"more"].concat();
        for refused in [cut, begun, &long, &sound.lossless, encoded(&other, format), b"ID3", b"\xFF", b"RIFF"]
        {
            let mut book =
                BookJoiner::new(options(format, Vec::new()), Cursor::new(Vec::new())).expect("it begins");
            assert!(book.push(refused, 24_000).is_err(), "{format}: {} bytes", refused.len());
        }
    }
    // A build that never spoke has nothing to join.
    let (file, done) = join(options(BookFormat::Mp3, Vec::new()), &[]);
    assert_eq!((done.samples, decode(&file).map_or(0, |audio| audio.samples.len())), (0, 0));
}

#[test]
fn silence_alone_is_joined() {
    for format in FORMATS {
        let chunks: Vec<ChunkAudio> = (0..3).map(|_| chunk(&[], 1_500, AudioFormat::Mp3, RATE)).collect();
        let (file, done) = join(options(format, Vec::new()), &chunks);
        assert_eq!(done.duration_ms, 3 * 2_000);
        let decoded = all_decoded(&OnDisk::new(&file, format), format, done.samples as usize);
        assert!(decoded.iter().all(|sample| sample.abs() < 0.001));
    }
}
