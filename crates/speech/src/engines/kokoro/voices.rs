//! Who can speak, and where the styles of voices lie.
//!
//! Loudness is measured, not computed: on three typical sentences of each voice. Grades are those of
//! kokoro-js 1.2.1, without plus and minus; `am_adam`, whose F+ is
//! the only one below D, has the last of our scale. Those of other languages are in the publisher's
//! list of voices; it gives none for Spanish and Portuguese.

use std::{
    fs::File,
    os::unix::fs::FileExt as _,
    path::Path,
    sync::{Arc, OnceLock},
};

use crate::{
    engines::{EngineError, Voice},
    language::Language,
    pack::{Pack, PackError},
};

/// The styles of all voices, one after the other.
pub(super) const FILE: &str = "voices.bin";

/// Numbers of a style.
pub(super) const STYLE: usize = 256;

/// Styles of a voice, one for each length of an utterance in symbols.
const LENGTHS: usize = 510;

const AMERICAN: &[Language] = &[Language::EN_US];
const BRITISH: &[Language] = &[Language::EN_GB];
/// Trained on the Spanish of Spain. That of Latin America has fewer sounds, all of which it knows.
const SPANISH: &[Language] = &[Language::ES_ES, Language::ES_419, Language::ES_MX];
const FRENCH: &[Language] = &[Language::FR_FR];
const ITALIAN: &[Language] = &[Language::IT_IT];
/// Trained on the Portuguese of Brazil.
const PORTUGUESE: &[Language] = &[Language::PT_BR];
const HINDI: &[Language] = &[Language::HI_IN];
const JAPANESE: &[Language] = &[Language::JA_JP];
/// Mandarin. Traditional characters are read with the same sounds.
const CHINESE: &[Language] = &[Language::ZH_CN];

const fn voice(
    name: &'static str,
    languages: &'static [Language],
    gender: &'static str,
    grade: char,
    gain_db: f32,
) -> Voice {
    Voice { name, languages, gender, grade: Some(grade), gain_db, rate: 1.0 }
}

const fn ungraded(
    name: &'static str,
    languages: &'static [Language],
    gender: &'static str,
    gain_db: f32,
) -> Voice {
    Voice { grade: None, ..voice(name, languages, gender, 'D', gain_db) }
}

/// The voices whose language is read here.
pub const VOICES: &[Voice] = &[
    voice("af_alloy", AMERICAN, "female", 'C', 9.3),
    voice("af_aoede", AMERICAN, "female", 'C', 5.0),
    voice("af_bella", AMERICAN, "female", 'A', 8.9),
    voice("af_heart", AMERICAN, "female", 'A', 9.7),
    voice("af_jessica", AMERICAN, "female", 'D', 8.9),
    voice("af_kore", AMERICAN, "female", 'C', 5.7),
    voice("af_nicole", AMERICAN, "female", 'B', 8.8),
    voice("af_nova", AMERICAN, "female", 'C', 14.1),
    voice("af_river", AMERICAN, "female", 'D', 8.4),
    voice("af_sarah", AMERICAN, "female", 'C', 7.8),
    voice("af_sky", AMERICAN, "female", 'C', 11.2),
    voice("am_adam", AMERICAN, "male", 'D', 5.3),
    voice("am_echo", AMERICAN, "male", 'D', 9.9),
    voice("am_eric", AMERICAN, "male", 'D', 8.6),
    voice("am_fenrir", AMERICAN, "male", 'C', 6.3),
    voice("am_liam", AMERICAN, "male", 'D', 8.8),
    voice("am_michael", AMERICAN, "male", 'C', 11.0),
    voice("am_onyx", AMERICAN, "male", 'D', 10.3),
    voice("am_puck", AMERICAN, "male", 'C', 5.9),
    voice("am_santa", AMERICAN, "male", 'D', 9.5),
    voice("bf_alice", BRITISH, "female", 'D', 7.6),
    voice("bf_emma", BRITISH, "female", 'B', 7.1),
    voice("bf_isabella", BRITISH, "female", 'C', 5.1),
    voice("bf_lily", BRITISH, "female", 'D', 8.6),
    voice("bm_daniel", BRITISH, "male", 'D', 8.3),
    voice("bm_fable", BRITISH, "male", 'C', 9.9),
    voice("bm_george", BRITISH, "male", 'C', 8.9),
    voice("bm_lewis", BRITISH, "male", 'D', 10.5),
    ungraded("ef_dora", SPANISH, "female", 10.1),
    ungraded("em_alex", SPANISH, "male", 10.0),
    ungraded("em_santa", SPANISH, "male", 9.7),
    voice("ff_siwis", FRENCH, "female", 'B', 6.5),
    voice("hf_alpha", HINDI, "female", 'C', 3.7),
    voice("hf_beta", HINDI, "female", 'C', 4.9),
    voice("hm_omega", HINDI, "male", 'C', 4.3),
    voice("hm_psi", HINDI, "male", 'C', 6.0),
    voice("if_sara", ITALIAN, "female", 'C', 1.5),
    voice("im_nicola", ITALIAN, "male", 'C', 6.8),
    voice("jf_alpha", JAPANESE, "female", 'C', 6.8),
    voice("jf_gongitsune", JAPANESE, "female", 'C', 7.7),
    voice("jf_nezumi", JAPANESE, "female", 'C', 7.2),
    voice("jf_tebukuro", JAPANESE, "female", 'C', 7.7),
    voice("jm_kumo", JAPANESE, "male", 'C', 7.4),
    ungraded("pf_dora", PORTUGUESE, "female", 10.1),
    ungraded("pm_alex", PORTUGUESE, "male", 9.7),
    ungraded("pm_santa", PORTUGUESE, "male", 9.6),
    voice("zf_xiaobei", CHINESE, "female", 'D', 7.4),
    voice("zf_xiaoni", CHINESE, "female", 'D', 5.4),
    voice("zf_xiaoxiao", CHINESE, "female", 'D', 3.9),
    voice("zf_xiaoyi", CHINESE, "female", 'D', 6.3),
    voice("zm_yunjian", CHINESE, "male", 'D', 8.0),
    voice("zm_yunxi", CHINESE, "male", 'D', 8.7),
    voice("zm_yunxia", CHINESE, "male", 'D', 7.3),
    voice("zm_yunyang", CHINESE, "male", 'D', 10.2),
];

/// All voices in the order in which their styles lie in the file.
const ORDER: [&str; 54] = [
    "af_alloy",
    "af_aoede",
    "af_bella",
    "af_heart",
    "af_jessica",
    "af_kore",
    "af_nicole",
    "af_nova",
    "af_river",
    "af_sarah",
    "af_sky",
    "am_adam",
    "am_echo",
    "am_eric",
    "am_fenrir",
    "am_liam",
    "am_michael",
    "am_onyx",
    "am_puck",
    "am_santa",
    "bf_alice",
    "bf_emma",
    "bf_isabella",
    "bf_lily",
    "bm_daniel",
    "bm_fable",
    "bm_george",
    "bm_lewis",
    "ef_dora",
    "em_alex",
    "em_santa",
    "ff_siwis",
    "hf_alpha",
    "hf_beta",
    "hm_omega",
    "hm_psi",
    "if_sara",
    "im_nicola",
    "jf_alpha",
    "jf_gongitsune",
    "jf_nezumi",
    "jf_tebukuro",
    "jm_kumo",
    "pf_dora",
    "pm_alex",
    "pm_santa",
    "zf_xiaobei",
    "zf_xiaoni",
    "zf_xiaoxiao",
    "zf_xiaoyi",
    "zm_yunjian",
    "zm_yunxi",
    "zm_yunxia",
    "zm_yunyang",
];

/// The styles of voices, each read when it is first asked for. The file stays open, so a pack that is
/// replaced meanwhile changes no voice.
pub(super) struct Styles {
    file: File,
    read: [OnceLock<Arc<[f32]>>; ORDER.len()],
}

impl Styles {
    /// The styles in a pack's folder.
    ///
    /// # Errors
    /// [`PackError`] when the file cannot be opened.
    pub(super) fn open(folder: &Path) -> Result<Self, PackError> {
        let file = File::open(folder.join(FILE)).map_err(|error| Pack::unusable(FILE, &error))?;
        Ok(Self { file, read: std::array::from_fn(|_| OnceLock::new()) })
    }

    /// The style of a voice, or of a blend of voices with their shares, for an utterance of a
    /// number of symbols.
    ///
    /// # Errors
    /// [`EngineError`], when nobody has a voice or its style cannot be read.
    pub(super) fn of(&self, parts: &[(&Voice, f32)], symbols: usize) -> Result<Vec<f32>, EngineError> {
        let row = symbols.min(LENGTHS - 1);
        if let [(voice, _)] = parts {
            return Ok(self.of_one(voice.name)?[row * STYLE..][..STYLE].to_vec());
        }
        let mut mean = vec![0.0; STYLE];
        for (voice, share) in parts {
            let style = &self.of_one(voice.name)?[row * STYLE..][..STYLE];
            mean.iter_mut().zip(style).for_each(|(sum, value)| *sum += share * value);
        }
        Ok(mean)
    }

    /// All styles of a voice.
    fn of_one(&self, voice: &str) -> Result<&Arc<[f32]>, EngineError> {
        let unknown = || EngineError::UnknownVoice(voice.to_owned());
        let index = ORDER.iter().position(|name| *name == voice).ok_or_else(unknown)?;
        if let Some(styles) = self.read[index].get() {
            return Ok(styles);
        }
        let styles =
            self.load(index).map_err(|error| EngineError::Failed(format!("cannot read {FILE}: {error}")))?;
        Ok(self.read[index].get_or_init(|| styles))
    }

    fn load(&self, index: usize) -> std::io::Result<Arc<[f32]>> {
        let mut bytes = vec![0; LENGTHS * STYLE * 4];
        let start = (index * bytes.len()) as u64;
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_voice_has_styles_in_the_file() {
        assert!(VOICES.iter().all(|voice| ORDER.contains(&voice.name)));
        assert!(ORDER.is_sorted());
    }

    fn held(voices: usize) -> (Styles, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let of = |at: usize| vec![at as f32; LENGTHS * STYLE];
        let bytes: Vec<u8> = (0..voices).flat_map(of).flat_map(f32::to_le_bytes).collect();
        std::fs::write(folder.path().join(FILE), bytes).unwrap();
        (Styles::open(folder.path()).unwrap(), folder)
    }

    #[test]
    fn a_voice_that_nobody_has_and_a_file_that_is_cut_off_are_errors() {
        let (styles, _folder) = held(1);
        let nobody = Voice { name: "nobody", ..VOICES[0] };
        assert!(matches!(styles.of(&[(&nobody, 1.0)], 30), Err(EngineError::UnknownVoice(_))));
        assert_eq!(styles.of(&[(&VOICES[0], 1.0)], 30).unwrap(), [0.0; STYLE]);
        assert!(matches!(styles.of(&[(&VOICES[1], 1.0)], 30), Err(EngineError::Failed(_))));
    }

    #[test]
    fn a_blend_has_the_weighted_mean_of_its_parts() {
        let (styles, _folder) = held(3);
        assert_eq!(styles.of(&[(&VOICES[1], 0.75), (&VOICES[2], 0.25)], 30).unwrap(), [1.25; STYLE]);
        assert!(styles.of(&[(&VOICES[1], 0.5), (&VOICES[3], 0.5)], 30).is_err());
    }
}
