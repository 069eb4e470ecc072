//! The index of a book's file: its duration, and the positions of the access units and chapter
//! titles.

use super::{
    super::{BookOptions, languages::NO_LANGUAGE},
    AudioTrack, UNITS_A_CHUNK,
    atoms::Atoms,
    tags,
};

const AUDIO_ID: u32 = 1;
const CHAPTERS_ID: u32 = 2;

/// The time scale of the text track: milliseconds.
const MS: u32 = 1000;

/// The identity matrix, which leaves a picture unchanged.
const UNITY: [u32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

/// Flags of a track: it is enabled and part of the movie. The chapter track is part of the movie
/// but not enabled.
const PLAYS: u32 = 0b011;
const DOES_NOT_PLAY: u32 = 0b010;

/// A chapter's title as a sample of the text track: its length, the text, and the mark for UTF-8.
pub(super) fn title_sample(title: &str) -> Vec<u8> {
    let mut sample = Atoms::default();
    sample.u16(title.len() as u16).bytes(title.as_bytes());
    sample.atom(*b"encd", |atoms| {
        atoms.u32(0x100);
    });
    sample.into_bytes()
}

/// The content of the index.
pub(super) struct Index<'a> {
    pub(super) options: &'a BookOptions,
    pub(super) audio: &'a AudioTrack,
    /// The number of the book's samples, without delay and padding.
    pub(super) samples: u64,
    pub(super) units: &'a [u16],
    pub(super) chunks: &'a [u64],
    pub(super) titles_at: u64,
    pub(super) titles: &'a [u32],
    /// Whether offsets have 64 bits.
    pub(super) wide: bool,
}

impl Index<'_> {
    pub(super) fn write(&self, atoms: &mut Atoms) {
        let chapters = !self.titles.is_empty();
        atoms.atom(*b"moov", |atoms| {
            self.film(atoms, if chapters { CHAPTERS_ID } else { AUDIO_ID });
            atoms.atom(*b"trak", |atoms| self.audio(atoms, chapters));
            if chapters {
                atoms.atom(*b"trak", |atoms| self.chapters(atoms));
            }
            tags::write(atoms, self.options);
        });
    }

    /// The time scale is the book's sample rate, so its duration and its edit are exact.
    fn rate(&self) -> u32 {
        self.audio.sample_rate_hz
    }

    /// The duration of the access units: the decoder's output, less the part of the last unit
    /// beyond the book.
    fn decoded(&self) -> u64 {
        let all = self.units.len() as u64 * u64::from(self.audio.frame_samples);
        all.min(self.audio.delay + self.samples)
    }

    /// Whether times need 64 bits: past 49 hours at 24 kHz.
    fn long(&self) -> bool {
        self.decoded().max(self.samples) > u64::from(u32::MAX / 2)
    }

    fn film(&self, atoms: &mut Atoms, last_id: u32) {
        let long = self.long();
        atoms.full(*b"mvhd", u8::from(long), 0, |atoms| {
            atoms.time(0, long).time(0, long).u32(self.rate()).time(self.samples, long);
            atoms.u32(0x1_0000).u16(0x100).zeros(10);
            atoms.u32s(UNITY).zeros(24).u32(last_id + 1);
        });
    }

    fn head(&self, atoms: &mut Atoms, id: u32, flags: u32, volume: u16) {
        let long = self.long();
        atoms.full(*b"tkhd", u8::from(long), flags, |atoms| {
            atoms.time(0, long).time(0, long).u32(id).u32(0).time(self.samples, long);
            atoms.zeros(8).u16(0).u16(0).u16(volume).u16(0);
            atoms.u32s(UNITY).u32(0).u32(0);
        });
    }

    fn media(&self, atoms: &mut Atoms, timescale: u32, duration: u64, handler: [u8; 4]) {
        let long = self.long();
        atoms.full(*b"mdhd", u8::from(long), 0, |atoms| {
            atoms.time(0, long).time(0, long).u32(timescale).time(duration, long);
            let language = self.options.language_code().unwrap_or(NO_LANGUAGE);
            atoms
                .u16(language.bytes().fold(0, |packed, letter| packed << 5 | u16::from(letter & 0x1F)))
                .u16(0);
        });
        atoms.full(*b"hdlr", 0, 0, |atoms| {
            atoms.u32(0).bytes(&handler).zeros(13);
        });
    }

    fn audio(&self, atoms: &mut Atoms, chapters: bool) {
        let audio = self.audio;
        self.head(atoms, AUDIO_ID, PLAYS, 0x100);
        // The edit leaves out the encoder's samples before the book's first sample and after its
        // last.
        atoms.atom(*b"edts", |atoms| {
            let long = self.long();
            atoms.full(*b"elst", u8::from(long), 0, |atoms| {
                atoms.u32(1).time(self.samples, long).time(audio.delay, long).u32(0x1_0000);
            });
        });
        if chapters {
            atoms.atom(*b"tref", |atoms| {
                atoms.atom(*b"chap", |atoms| {
                    atoms.u32(CHAPTERS_ID);
                });
            });
        }
        atoms.atom(*b"mdia", |atoms| {
            self.media(atoms, self.rate(), self.decoded(), *b"soun");
            atoms.atom(*b"minf", |atoms| {
                atoms.full(*b"smhd", 0, 0, |atoms| {
                    atoms.u32(0);
                });
                here(atoms);
                atoms.atom(*b"stbl", |atoms| self.audio_table(atoms));
            });
        });
    }

    fn audio_table(&self, atoms: &mut Atoms) {
        let units = self.units.len() as u32;
        atoms.full(*b"stsd", 0, 0, |atoms| {
            atoms.u32(1);
            atoms.atom(*b"mp4a", |atoms| {
                atoms.zeros(6).u16(1).zeros(8);
                atoms.u16(1).u16(16).u32(0).u32(self.rate() << 16);
                atoms.full(*b"esds", 0, 0, |atoms| self.decoder(atoms));
            });
        });
        // The last access unit lasts only to the book's end.
        let rest = self.decoded() % u64::from(self.audio.frame_samples);
        let runs = if rest == 0 || units == 0 {
            vec![(units, self.audio.frame_samples)]
        } else {
            vec![(units - 1, self.audio.frame_samples), (1, rest as u32)]
        };
        atoms.full(*b"stts", 0, 0, |atoms| {
            atoms.u32(runs.len() as u32).u32s(runs.into_iter().flat_map(|(count, lasts)| [count, lasts]));
        });
        let full = (self.units.len() / UNITS_A_CHUNK) as u32;
        let rest = (self.units.len() % UNITS_A_CHUNK) as u32;
        atoms.full(*b"stsc", 0, 0, |atoms| {
            let runs = [(1, UNITS_A_CHUNK as u32, full > 0), (full + 1, rest, rest > 0)];
            let runs = runs.into_iter().filter(|run| run.2);
            atoms.u32(runs.clone().count() as u32);
            atoms.u32s(runs.flat_map(|(first, count, _)| [first, count, 1]));
        });
        atoms.full(*b"stsz", 0, 0, |atoms| {
            atoms.u32(0).u32(units);
            atoms.u32s(self.units.iter().map(|&length| u32::from(length)));
        });
        self.offsets(atoms, self.chunks);
        // Each access unit depends on the previous one, which players need to know for seeking.
        atoms.full(*b"sgpd", 1, 0, |atoms| {
            atoms.bytes(b"roll").u32(2).u32(1).u16(u16::MAX);
        });
        atoms.full(*b"sbgp", 0, 0, |atoms| {
            atoms.bytes(b"roll").u32(1).u32(units).u32(1);
        });
    }

    /// The elementary stream's descriptors (ISO 14496-1, 7.2.6): each has a tag, a length and a
    /// content.
    fn decoder(&self, atoms: &mut Atoms) {
        let config = &self.audio.config;
        let specific = 2 + config.len();
        let decoder = 13 + specific;
        atoms.u8(3).u8((3 + 2 + decoder + 3) as u8).u16(0).u8(0);
        atoms.u8(4).u8(decoder as u8).u8(0x40).u8(0x15);
        atoms.u8(0).u16(768).u32(self.audio.bits_a_second).u32(self.audio.bits_a_second);
        atoms.u8(5).u8(config.len() as u8).bytes(config);
        atoms.u8(6).u8(1).u8(2);
    }

    fn offsets(&self, atoms: &mut Atoms, offsets: &[u64]) {
        let kind = if self.wide { *b"co64" } else { *b"stco" };
        atoms.full(kind, 0, 0, |atoms| {
            atoms.u32(offsets.len() as u32);
            for &offset in offsets {
                atoms.time(offset, self.wide);
            }
        });
    }

    fn chapters(&self, atoms: &mut Atoms) {
        let end_ms = self.samples * u64::from(MS) / u64::from(self.rate().max(1));
        let starts = self.options.chapters.iter().map(|chapter| chapter.start_ms.min(end_ms));
        let ends = starts.clone().skip(1).chain([end_ms]);
        let durations: Vec<u64> = starts.zip(ends).map(|(start, end)| end - start).collect();
        self.head(atoms, CHAPTERS_ID, DOES_NOT_PLAY, 0);
        atoms.atom(*b"mdia", |atoms| {
            self.media(atoms, MS, durations.iter().sum(), *b"text");
            atoms.atom(*b"minf", |atoms| {
                atoms.atom(*b"gmhd", |atoms| {
                    atoms.full(*b"gmin", 0, 0, |atoms| {
                        atoms.u16(0x40).u16(0x8000).u16(0x8000).u16(0x8000).u16(0).u16(0);
                    });
                    atoms.atom(*b"text", |atoms| {
                        atoms.u32s(UNITY);
                    });
                });
                here(atoms);
                atoms.atom(*b"stbl", |atoms| self.chapter_table(atoms, &durations));
            });
        });
    }

    fn chapter_table(&self, atoms: &mut Atoms, durations: &[u64]) {
        let count = durations.len() as u32;
        atoms.full(*b"stsd", 0, 0, |atoms| {
            atoms.u32(1);
            // Colors, boxes and fonts of a text that nobody displays.
            atoms.atom(*b"text", |atoms| {
                atoms.zeros(6).u16(1).u32(1).zeros(4 + 6 + 8 + 8 + 2 + 2 + 1 + 2 + 6 + 1);
            });
        });
        atoms.full(*b"stts", 0, 0, |atoms| {
            atoms.u32(count);
            for &ms in durations {
                atoms.u32(1).time(ms, false);
            }
        });
        atoms.full(*b"stsc", 0, 0, |atoms| {
            atoms.u32(1).u32(1).u32(count).u32(1);
        });
        atoms.full(*b"stsz", 0, 0, |atoms| {
            atoms.u32(0).u32(count);
            atoms.u32s(self.titles.iter().copied());
        });
        self.offsets(atoms, &[self.titles_at]);
    }
}

/// A data reference that means "in this file".
fn here(atoms: &mut Atoms) {
    atoms.atom(*b"dinf", |atoms| {
        atoms.full(*b"dref", 0, 0, |atoms| {
            atoms.u32(1).full(*b"url ", 0, 1, |_| {});
        });
    });
}
