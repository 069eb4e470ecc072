//! Books that are joined of parts, each encoded on its own, checked with ffmpeg and symphonia: every sample is where it
//! belongs, and joints are silent.
//!
//! Negative controls, each seen to fail once: without the silence of `fill` (the end of a part is lost), with the frames
//! after a part kept (all that follows is late), without the frames after the last part (its file is too short).

use std::io::Cursor;

use lectern_speech::audio::{
    book::{BookFormat, BookOptions, CodedPart, JoinedBook, PartEncoder},
    decode::decode,
    loudness::{CEILING_DBTP, level, measure},
};

use crate::{
    books::{FORMATS, OnDisk, chapter, make, options, pcm},
    outside::ffmpeg,
    signals::{RATE, lag, snr, speech},
};

/// Parts that end in silence, or without any, of lengths that fill no frame.
fn parts() -> Vec<Vec<i16>> {
    [(7_001, 9_000), (5_777, 0), (3_000, 14_443)]
        .iter()
        .zip(3..)
        .map(|((speech_ms, silence), seed)| {
            let mut samples = pcm(&speech(speech_ms * RATE as usize / 1000 + 77, seed));
            samples.resize(samples.len() + silence, 0);
            samples
        })
        .collect()
}

fn joined(encoder: &PartEncoder, parts: &[Vec<i16>], options: BookOptions) -> Vec<u8> {
    let samples = parts.iter().map(|part| part.len() as u64).sum();
    let mut file = Cursor::new(Vec::new());
    let mut book = JoinedBook::new(encoder, options, samples, &mut file).expect("the book begins");
    for part in parts {
        let coded = encoder.encode(part).expect("it is encoded");
        let kept = CodedPart::from_bytes(coded.as_bytes().to_vec());
        book.push(&kept, part.len() as u64).expect("it is joined");
    }
    let done = book.finish().expect("the book ends");
    assert_eq!((done.samples, done.bytes), (samples, file.get_ref().len() as u64));
    file.into_inner()
}

fn floats(samples: &[i16]) -> Vec<f32> {
    samples.iter().map(|&sample| f32::from(sample) / 32_768.0).collect()
}

#[test]
fn parts_follow_each_other_without_a_seam() {
    for format in FORMATS {
        let encoder = PartEncoder::new(format, RATE, None).expect("the rate is known");
        let mut parts = parts();
        for part in &mut parts {
            encoder.fill(part);
        }
        let whole: Vec<i16> = parts.concat();
        let length_ms = whole.len() as u64 * 1000 / u64::from(RATE);
        let file = joined(&encoder, &parts, options(format, vec![chapter("All", 0, length_ms)]));
        let decoded = ffmpeg(&file, format.as_str());
        assert!(
            (whole.len()..whole.len() + 1_024).contains(&decoded.len()),
            "{format}: {} samples",
            decoded.len()
        );
        let mut start = 0;
        for part in &parts {
            let heard = &decoded[start..start + part.len()];
            let said = part.len() - part.iter().rev().take_while(|sample| **sample == 0).count();
            assert_eq!(lag(&floats(part)[..said], &heard[..said], 1_500), 0, "{format} from {start}");
            // The last tenth of a second of the speech is there, too.
            let end = said - RATE as usize / 10..said;
            let snr = snr(&floats(part)[end.clone()], &heard[end]);
            assert!(snr > 5.0, "{format} from {start}: {snr} dB");
            // The codecs begin the next part's first sound a frame early.
            let silence = heard.get(said + 1_500..part.len() - 1_024).unwrap_or_default();
            assert!(
                silence.iter().all(|sample| sample.abs() < 0.003),
                "{format} from {start}: the joint is heard"
            );
            start += part.len();
        }
        if format == BookFormat::Mp3 {
            assert_eq!(decode(&file).expect("symphonia decodes it").samples.len(), whole.len());
        } else {
            let disk = OnDisk::new(&file, format);
            assert_eq!(disk.probe(&["-show_entries", "chapter_tags=title"]), "All");
        }
    }
}

#[test]
fn the_bit_rate_is_that_of_the_file_from_its_first_frame() {
    for (rate, kbps) in [(44_100, 192), (24_000, 64), (24_000, 160), (44_100, 64)] {
        let encoder = PartEncoder::new(BookFormat::Mp3, rate, Some(kbps)).expect("the rate is known");
        let mut part = vec![0; rate as usize];
        encoder.fill(&mut part);
        let plain = BookOptions { bitrate_kbps: Some(kbps), ..BookOptions::new(BookFormat::Mp3, rate) };
        let file = joined(&encoder, &[part], plain);
        let disk = OnDisk::new(&file, BookFormat::Mp3);
        let said = disk.probe(&["-show_entries", "stream=sample_rate,bit_rate"]);
        assert_eq!(said, format!("{rate},{}", kbps * 1000));
        let tag = file.windows(4).position(|bytes| bytes == b"Info").expect("there is a tag");
        let frame = file[..tag].windows(2).rposition(|bytes| bytes[0] == 0xFF && bytes[1] >> 5 == 7);
        let index = file[frame.expect("it is in a frame") + 2] >> 4;
        let wanted = match (rate, kbps) {
            (44_100, 192) => 11,
            (24_000, 160) => 14,
            (24_000, 64) => 8,
            _ => 5,
        };
        assert_eq!(index, wanted, "{rate} Hz, {kbps} kbit/s");
    }
    assert!(PartEncoder::new(BookFormat::Mp3, 24_000, Some(192)).is_err());
    assert!(PartEncoder::new(BookFormat::Mp3, 23_000, None).is_err());
}

#[test]
fn a_part_that_was_cut_off_is_no_book() {
    let encoder = PartEncoder::new(BookFormat::Mp3, RATE, None).expect("the rate is known");
    let mut part = parts().remove(0);
    encoder.fill(&mut part);
    let coded = encoder.encode(&part).expect("it is encoded");
    for length in [0, 1, 5_000, coded.as_bytes().len() / 2] {
        let cut = CodedPart::from_bytes(coded.as_bytes()[..length].to_vec());
        let plain = BookOptions::new(BookFormat::Mp3, RATE);
        let mut book =
            JoinedBook::new(&encoder, plain, part.len() as u64, Cursor::new(Vec::new())).expect("it begins");
        assert!(book.push(&cut, part.len() as u64).is_err(), "{length} bytes");
    }
}

// Negative control: without the limiter before the encoder, the M4B has −0.2 dBTP.
#[test]
fn an_m4b_keeps_the_ceiling_of_its_chunks() {
    let mut samples = speech(30 * RATE as usize, 9);
    // As dull as voices are: to a signal with as much above 3 kHz as this one, AAC adds more than it does to them.
    let mut last = 0.0;
    for sample in &mut samples {
        last += 0.25 * (*sample - last);
        *sample = last;
    }
    level(&mut samples, RATE, 0.0).expect("it is leveled");
    let before = measure(&samples, RATE).expect("it is measured");
    let book = make(options(BookFormat::M4b, vec![chapter("All", 0, 30_000)]), &pcm(&samples)).0;
    let after = measure(&ffmpeg(&book, "m4b"), RATE).expect("it is measured");
    assert!(after.true_peak_dbtp <= CEILING_DBTP, "{before:?} {after:?}");
    assert!((after.lufs - before.lufs).abs() < 1.0, "{before:?} {after:?}");
}
