//! Books, checked with ffmpeg, ffprobe, symphonia, mp4ameta and the id3 crate: duration, seeking,
//! chapters, tags and covers.
//!
//! Negative controls, each seen to fail once: without the edit list (duration and lag of the M4B),
//! without the LAME tag (duration of the MP3), without counting the space for the index (position
//! of the data), a chapter list without its track, without comparing the duration of a chunk's file
//! with its stated duration.

use std::{io::Cursor, path::PathBuf};

use lectern_speech::audio::{
    AudioError, AudioFormat, EncodeOptions,
    book::{BookChapter, BookCover, BookDone, BookEncoder, BookFormat, BookOptions},
    captions::{BookCaptions, CaptionFormat, WordTimestamp},
    decode::decode,
    encode,
    flac_reader::FlacReader,
};

use crate::{
    outside::run,
    signals::{RATE, lag, snr, speech},
};

/// The required precision: 50 ms.
const NEAR_SAMPLES: i64 = RATE as i64 / 20;

pub(crate) fn chapter(title: &str, start_ms: u64, end_ms: u64) -> BookChapter {
    BookChapter { title: Some(title.to_owned()), start_ms, end_ms }
}

pub(crate) fn options(format: BookFormat, chapters: Vec<BookChapter>) -> BookOptions {
    BookOptions {
        title: Some("The Moor & the “Sea”".to_owned()),
        author: Some("Ada Brontë".to_owned()),
        language: Some("en-GB".to_owned()),
        chapters,
        ..BookOptions::new(format, RATE)
    }
}

pub(crate) fn pcm(samples: &[f32]) -> Vec<i16> {
    samples.iter().map(|sample| (sample * 32_767.0) as i16).collect()
}

/// Encodes a book from samples that come in pieces of different sizes.
pub(crate) fn make(options: BookOptions, samples: &[i16]) -> (Vec<u8>, BookDone) {
    let mut file = Cursor::new(Vec::new());
    let mut book = BookEncoder::new(options, &mut file).expect("the book begins");
    for piece in samples.chunks(7_777) {
        book.push(piece).expect("samples are taken");
    }
    let done = book.finish().expect("the book ends");
    let file = file.into_inner();
    assert_eq!(done.bytes, file.len() as u64);
    assert_eq!(done.samples, samples.len() as u64);
    (file, done)
}

pub(crate) struct OnDisk {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl OnDisk {
    pub(crate) fn new(file: &[u8], format: BookFormat) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(format!("book.{format}"));
        std::fs::write(&path, file).expect("the book is written");
        Self { _folder: folder, path }
    }

    fn name(&self) -> &str {
        self.path.to_str().expect("UTF-8")
    }

    /// The samples that ffmpeg decodes, optionally from a given second and for a number of seconds.
    pub(crate) fn decoded(&self, from: Option<(f64, f64)>) -> Vec<f32> {
        let mut arguments: Vec<String> = ["-v", "error", "-nostdin"].map(str::to_owned).to_vec();
        if let Some((start, length)) = from {
            arguments.extend(["-ss".to_owned(), start.to_string(), "-t".to_owned(), length.to_string()]);
        }
        arguments.extend(["-i", self.name(), "-map", "0:a", "-f", "f32le", "-"].map(str::to_owned));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (raw, said) = run("ffmpeg", &arguments);
        assert!(said.trim().is_empty(), "ffmpeg complains: {said}");
        raw.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    }

    pub(crate) fn probe(&self, arguments: &[&str]) -> String {
        let arguments = [&["-v", "error"], arguments, &["-of", "csv=p=0", self.name()]].concat();
        let (said, complaint) = run("ffprobe", &arguments);
        assert!(complaint.trim().is_empty(), "ffprobe complains: {complaint}");
        String::from_utf8(said).expect("UTF-8").trim().to_owned()
    }

    fn seconds(&self) -> f64 {
        self.probe(&["-show_entries", "format=duration"]).parse().expect("a number")
    }

    fn chapters(&self) -> Vec<(f64, f64, String)> {
        let said = self.probe(&["-show_entries", "chapter=start_time,end_time:chapter_tags=title"]);
        let parts = |line: &str| {
            let mut parts = line.splitn(3, ',').map(str::to_owned);
            let mut next = || parts.next().unwrap_or_default();
            let (start, end) = (next(), next());
            (start.parse().expect("a start"), end.parse().expect("an end"), next())
        };
        said.lines().map(parts).collect()
    }

    pub(crate) fn tag(&self, tag: &str) -> String {
        self.probe(&["-show_entries", &format!("format_tags={tag}")])
    }
}

/// How much longer than its samples ffprobe may report a file: the reported duration of an MP3
/// includes the encoder's padding, at most three frames, which players remove.
fn slack_seconds(format: BookFormat) -> f64 {
    if format == BookFormat::Mp3 { 3.0 * 576.0 / f64::from(RATE) } else { 0.0 }
}

/// The number of extra samples that ffmpeg 5 may return: it removes all padding of an MP3, but only
/// whole frames at the end of an edit in MPEG-4. The extra samples are silent.
fn slack_samples(format: BookFormat) -> usize {
    if format == BookFormat::M4b { 1_023 } else { 0 }
}

/// All samples that ffmpeg decodes, checked to be `samples` samples followed only by silence.
pub(crate) fn all_decoded(book: &OnDisk, format: BookFormat, samples: usize) -> Vec<f32> {
    let mut decoded = book.decoded(None);
    let more = decoded.len().checked_sub(samples).expect("nothing is missing");
    assert!(more <= slack_samples(format), "{format}: {more} samples too many");
    assert!(decoded[samples..].iter().all(|sample| sample.abs() < 0.01), "{format} ends in a noise");
    decoded.truncate(samples);
    decoded
}

pub(crate) const FORMATS: [BookFormat; 2] = [BookFormat::Mp3, BookFormat::M4b];

fn three_chapters() -> Vec<BookChapter> {
    vec![
        chapter("One, in which, it begins", 0, 31_230),
        chapter("Deux — “à la mer”", 31_230, 60_010),
        BookChapter { title: None, start_ms: 60_010, end_ms: 90_040 },
    ]
}

/// Like a book, it ends in silence.
fn ninety_seconds() -> Vec<f32> {
    let mut samples = speech(90_040 * RATE as usize / 1000, 5);
    let said = samples.len() - RATE as usize / 10;
    samples[said..].fill(0.0);
    samples
}

#[test]
fn a_book_is_as_long_as_its_samples_and_none_is_moved() {
    let samples = ninety_seconds();
    for format in FORMATS {
        let (file, done) = make(options(format, three_chapters()), &pcm(&samples));
        assert_eq!(done.duration_ms, 90_040);
        let book = OnDisk::new(&file, format);
        let longer = book.seconds() - 90.04;
        assert!(longer > -0.0005 && longer < slack_seconds(format) + 0.0005, "{format}: {longer} s more");
        let decoded = all_decoded(&book, format, samples.len());
        let middle = 40 * RATE as usize..41 * RATE as usize;
        assert_eq!(lag(&samples[middle.clone()], &decoded[middle], 1_500), 0, "{format}");
        assert!(snr(&samples, &decoded) > 10.0, "{format}: {} dB", snr(&samples, &decoded));
        if format == BookFormat::Mp3 {
            let by_symphonia = decode(&file).expect("symphonia decodes it");
            assert_eq!(by_symphonia.samples.len(), samples.len());
        }
    }
}

#[test]
fn any_second_is_found_within_fifty_milliseconds() {
    let samples = ninety_seconds();
    for format in FORMATS {
        let book = OnDisk::new(&make(options(format, three_chapters()), &pcm(&samples)).0, format);
        for second in [1_u32, 13, 30, 47, 60, 79, 88] {
            let heard = book.decoded(Some((f64::from(second), 1.0)));
            let wanted = &samples[(second * RATE) as usize..];
            // The first frame after a seek lacks the previous one; the following samples must
            // match.
            let (heard, wanted) = (&heard[4_800..14_400], &wanted[4_800..14_400]);
            let shift = lag(wanted, heard, NEAR_SAMPLES);
            assert!(shift.abs() < NEAR_SAMPLES, "{format} at {second} s is {shift} samples off");
            assert!(lag(wanted, heard, 3) == 0 || format == BookFormat::Mp3, "{format} at {second} s");
            let moved: Vec<f32> = (0..wanted.len() as i64)
                .map(|at| usize::try_from(at + shift).ok().and_then(|at| heard.get(at)).map_or(0.0, |s| *s))
                .collect();
            assert!(snr(wanted, &moved) > 5.0, "{format} at {second} s: {} dB", snr(wanted, &moved));
        }
    }
}

#[test]
fn chapters_and_tags_are_what_players_look_for() {
    let samples = pcm(&ninety_seconds());
    for format in FORMATS {
        let book = OnDisk::new(&make(options(format, three_chapters()), &samples).0, format);
        let chapters = book.chapters();
        let titles: Vec<&str> = chapters.iter().map(|(_, _, title)| title.trim_matches('"')).collect();
        assert_eq!(titles, ["One, in which, it begins", "Deux — “à la mer”", "Chapter 3"], "{format}");
        for ((start, end, _), wanted) in chapters.iter().zip(three_chapters()) {
            assert!((start * 1000.0 - wanted.start_ms as f64).abs() < 0.5, "{format}: {chapters:?}");
            assert!((end * 1000.0 - wanted.end_ms as f64).abs() < 1.0, "{format}: {chapters:?}");
        }
        assert_eq!(book.tag("title"), "The Moor & the “Sea”");
        assert_eq!(book.tag("album"), "The Moor & the “Sea”");
        assert_eq!(book.tag("artist"), "Ada Brontë");
        assert_eq!(book.tag("genre"), "Audiobook");
    }
}

#[test]
fn an_m4b_has_its_chapters_as_a_list_and_as_a_track_and_its_index_in_front() {
    let file = make(options(BookFormat::M4b, three_chapters()), &pcm(&ninety_seconds())).0;
    assert_eq!(&file[4..12], b"ftypM4B ");
    let place = |kind: &[u8]| file.windows(4).position(|bytes| bytes == kind);
    assert!(place(b"moov") < place(b"mdat"), "the index comes before the data");
    let mut tag = mp4ameta::Tag::read_from(&mut Cursor::new(&file)).expect("mp4ameta reads it");
    for chapters in [tag.chapter_list().to_vec(), tag.chapter_track().to_vec()] {
        let read: Vec<(u128, &str)> =
            chapters.iter().map(|chapter| (chapter.start.as_millis(), chapter.title.as_str())).collect();
        let wanted = [(0, "One, in which, it begins"), (31_230, "Deux — “à la mer”"), (60_010, "Chapter 3")];
        assert_eq!(read, wanted);
    }
    assert_eq!(tag.media_type(), Some(mp4ameta::MediaType::AudioBook));
    assert!(tag.take_artists().eq(["Ada Brontë"]));
    let audio = OnDisk::new(&file, BookFormat::M4b);
    let said = audio.probe(&["-select_streams", "a", "-show_entries", "stream=codec_name,profile,channels"]);
    assert_eq!(said, "aac,LC,1");
    let language = audio.probe(&["-select_streams", "a", "-show_entries", "stream_tags=language"]);
    assert_eq!(language, "eng");
}

#[test]
fn covers_are_kept_where_a_format_has_them() {
    let samples = pcm(&speech(RATE as usize, 1));
    let jpeg = [&[0xFF, 0xD8, 0xFF, 0xE0][..], &[7; 400]].concat();
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &[7; 400]].concat();
    let cover = |media_type: &str, bytes: &[u8]| {
        Some(BookCover { media_type: media_type.to_owned(), bytes: bytes.to_vec() })
    };
    let with = |format, cover| BookOptions { cover, ..options(format, vec![chapter("All", 0, 1000)]) };
    for (media_type, bytes) in [("image/jpeg", &jpeg), ("image/png", &png)] {
        let m4b = make(with(BookFormat::M4b, cover(media_type, bytes)), &samples).0;
        let tag = mp4ameta::Tag::read_from(&mut Cursor::new(&m4b)).expect("mp4ameta reads it");
        assert_eq!(tag.artwork().expect("a cover").data, bytes);
        let mp3 = make(with(BookFormat::Mp3, cover(media_type, bytes)), &samples).0;
        // An APIC frame: its header, Latin-1, the media type, "front cover", no description, the
        // picture.
        let frame = [b"\0\0\0", media_type.as_bytes(), b"\0\x03\0", bytes.as_slice()].concat();
        let place = mp3.windows(4).position(|bytes| bytes == b"APIC").expect("a cover");
        assert_eq!(mp3[place + 8..][..frame.len()], frame);
        assert_eq!(mp3[place + 4..place + 8], (frame.len() as u32 - 2).to_be_bytes());
    }
    // A picture that decompresses to billions of pixels is left out, too, however small its file.
    let mut bomb = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bomb.extend([60_000_u32.to_be_bytes(), 60_000_u32.to_be_bytes()].concat());
    let wide = b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xC0\0\x11\x08\0\x10\xFF\xFF\x03";
    // Bytes 0xFF before a marker are padding. Negative control: when they were not skipped, this
    // picture was kept.
    let filled = b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xFF\xFF\xC0\0\x11\x08\0\x10\xFF\xFF\x03";
    for (media_type, bytes) in [("image/png", bomb.as_slice()), ("image/jpeg", wide), ("image/jpeg", filled)]
    {
        let book = make(with(BookFormat::M4b, cover(media_type, bytes)), &samples).0;
        assert!(!book.windows(4).any(|bytes| bytes == b"covr"), "{media_type}");
    }
    let odd = make(with(BookFormat::M4b, cover("image/svg+xml", b"<svg/>")), &samples).0;
    let tag = mp4ameta::Tag::read_from(&mut Cursor::new(&odd)).expect("mp4ameta reads it");
    assert!(tag.artwork().is_none());
}

#[test]
fn hundreds_of_chapters_with_long_names_are_all_there() {
    let long = "A chapter whose name has no end in sight, for it goes on ".repeat(9);
    let chapters: Vec<BookChapter> =
        (0..300).map(|n| chapter(&format!("{n} {long}"), n * 100, (n + 1) * 100)).collect();
    let samples = pcm(&speech(30 * RATE as usize, 2));
    for format in FORMATS {
        let file = make(options(format, chapters.clone()), &samples).0;
        let found = OnDisk::new(&file, format).chapters();
        assert_eq!(found.len(), 300, "{format}");
        assert!((found[299].0 - 29.9).abs() < 0.001 && found[299].2.contains("299 A chapter"), "{format}");
        if format == BookFormat::Mp3 {
            let tag = id3::Tag::read_from2(Cursor::new(&file)).expect("id3 reads it");
            let tables: Vec<_> = tag.tables_of_contents().collect();
            let named: usize =
                tables.iter().filter(|table| !table.top_level).map(|table| table.elements.len()).sum();
            assert_eq!((named, tag.chapters().count()), (300, 300));
        }
    }
}

#[test]
fn a_book_that_turns_out_otherwise_than_its_chapters_said_is_right_all_the_same() {
    let samples = speech(20 * RATE as usize, 3);
    for format in FORMATS {
        for promised_ms in [None, Some(5_000), Some(19_960), Some(20_010), Some(60_000)] {
            let chapters = promised_ms.map(|end| vec![chapter("All", 0, end)]).unwrap_or_default();
            let (file, _) = make(options(format, chapters), &pcm(&samples));
            let book = OnDisk::new(&file, format);
            all_decoded(&book, format, samples.len());
            let longer = book.seconds() - 20.0;
            assert!(longer > -0.0005 && longer < slack_seconds(format) + 0.0005, "{promised_ms:?}: {longer}");
            assert_eq!(book.chapters().len(), usize::from(promised_ms.is_some()));
        }
    }
}

#[test]
fn a_book_of_nothing_is_a_file_all_the_same() {
    for format in FORMATS {
        let (file, done) = make(options(format, Vec::new()), &[]);
        assert_eq!(done.duration_ms, 0);
        assert!(!file.is_empty());
    }
}

#[test]
fn rates_that_a_format_does_not_have_are_refused() {
    for format in FORMATS {
        let options = BookOptions { sample_rate_hz: 23_456, ..options(format, Vec::new()) };
        assert!(BookEncoder::new(options, Cursor::new(Vec::new())).is_err());
    }
}

#[test]
fn a_chunk_with_a_hole_is_not_taken_for_whole() {
    let samples = speech(2 * RATE as usize, 4);
    let file = encode(&samples, &EncodeOptions::new(AudioFormat::Flac, RATE)).expect("it is encoded");
    let read = |file: &[u8]| -> Result<Vec<i16>, AudioError> {
        let mut reader = FlacReader::new(file)?;
        assert_eq!(reader.sample_rate_hz(), RATE);
        let mut all = Vec::new();
        while let Some(samples) = reader.read()? {
            all.extend_from_slice(samples);
        }
        Ok(all)
    };
    let wanted: Vec<i16> = decode(&file)
        .expect("symphonia decodes it")
        .samples
        .iter()
        .map(|sample| (sample * 32_768.0) as i16)
        .collect();
    assert!(read(&file).expect("it is whole") == wanted, "the samples are identical");
    assert!(read(&file[..file.len() * 2 / 3]).is_err(), "its end is missing");
    let mut damaged = file.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    assert!(read(&damaged).is_err(), "a byte is damaged");
    assert!(read(b"RIFF").is_err());
}

#[test]
fn captions_of_a_book_go_on_from_chunk_to_chunk() {
    let text = "“Is it <you>?” she asked & waited. It was not – it was the wind, only the wind, and nobody but the wind.";
    let mut words = Vec::new();
    let mut at_ms = 100;
    for (start, word) in text.match_indices(char::is_alphabetic).filter_map(|(at, _)| {
        let begins = !text[..at].ends_with(char::is_alphabetic);
        begins.then(|| (at, text[at..].split(|c: char| !c.is_alphabetic()).next().unwrap_or_default()))
    }) {
        let start_char = text[..start].chars().count();
        let end_char = start_char + word.chars().count();
        words.push(WordTimestamp {
            text: word.to_owned(),
            start_char: start_char as u32,
            end_char: end_char as u32,
            start_ms: at_ms,
            end_ms: at_ms + 300,
        });
        at_ms += 350;
    }
    let chunk_ms = at_ms + 200;
    for format in [CaptionFormat::Vtt, CaptionFormat::Srt] {
        let (mut captions, mut file) = BookCaptions::new(format);
        for chunk in 0..3 {
            file.push_str(&captions.chunk(text, &words, chunk * chunk_ms, chunk_ms));
        }
        let blocks: Vec<&str> = file.split("\n\n").filter(|block| block.contains(" --> ")).collect();
        let lines = |block: &str| block.lines().skip_while(|line| !line.contains(" --> ")).count() - 1;
        assert!(blocks.iter().all(|block| (1..=2).contains(&lines(block))), "{file}");
        assert!(file.lines().all(|line| line.chars().count() <= 42 + "&lt;&gt;".len()), "{file}");
        let times: Vec<(u64, u64)> = blocks.iter().map(|block| times(block)).collect();
        assert!(times.iter().all(|(start, end)| start < end && end - start <= 7_000), "{times:?}");
        assert!(times.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{times:?}");
        assert_eq!(times.iter().filter(|(start, _)| (start % chunk_ms) == 100).count(), 3, "{times:?}");
        assert!(times.iter().all(|(start, end)| end.div_ceil(chunk_ms) == start / chunk_ms + 1), "{times:?}");
        match format {
            CaptionFormat::Vtt => assert!(file.contains("&lt;you&gt;?” she asked &amp; waited."), "{file}"),
            CaptionFormat::Srt => {
                assert!(file.contains("<you>?” she asked & waited."), "{file}");
                let numbers: Vec<usize> =
                    blocks.iter().filter_map(|block| block.lines().next()?.parse().ok()).collect();
                assert_eq!(numbers, (1..=blocks.len()).collect::<Vec<_>>());
            }
        }
    }
}

/// The times of a caption, in milliseconds.
fn times(block: &str) -> (u64, u64) {
    let line = block.lines().find(|line| line.contains(" --> ")).expect("a line of times");
    let ms = |clock: &str| {
        let parts: Vec<u64> =
            clock.split([':', '.', ',']).map(|part| part.parse().expect("a number")).collect();
        ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 + parts[3]
    };
    let (start, end) = line.split_once(" --> ").expect("two times");
    (ms(start), ms(end))
}
