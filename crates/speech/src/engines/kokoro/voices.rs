//! Who can speak, and where the styles of voices lie.
//!
//! Loudness is measured, not computed: see `every_voice_speaks_and_its_gain_brings_it_to_sixteen_below`
//! in the tests. Grades are those of kokoro-js 1.2.1, without plus and minus.

use std::{
    fs::File,
    io::{Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use crate::{
    engines::{EngineError, Voice},
    language::Language,
};

/// The styles of all voices, one after the other.
pub(super) const FILE: &str = "voices.bin";

/// Numbers of a style.
pub(super) const STYLE: usize = 256;

/// Styles of a voice, one for each length of an utterance in symbols.
const LENGTHS: usize = 510;

const AMERICAN: &[Language] = &[Language::EN_US];
const BRITISH: &[Language] = &[Language::EN_GB];

const fn voice(
    name: &'static str,
    languages: &'static [Language],
    gender: &'static str,
    grade: char,
    gain_db: f32,
) -> Voice {
    Voice { name, languages, gender, grade: Some(grade), gain_db, rate: 1.0 }
}

/// The voices whose language is read here.
pub const VOICES: &[Voice] = &[
    voice("af_alloy", AMERICAN, "female", 'C', 10.0),
    voice("af_aoede", AMERICAN, "female", 'C', 10.0),
    voice("af_bella", AMERICAN, "female", 'A', 10.0),
    voice("af_heart", AMERICAN, "female", 'A', 10.0),
    voice("af_jessica", AMERICAN, "female", 'D', 10.0),
    voice("af_kore", AMERICAN, "female", 'C', 10.0),
    voice("af_nicole", AMERICAN, "female", 'B', 10.0),
    voice("af_nova", AMERICAN, "female", 'C', 10.0),
    voice("af_river", AMERICAN, "female", 'D', 10.0),
    voice("af_sarah", AMERICAN, "female", 'C', 10.0),
    voice("af_sky", AMERICAN, "female", 'C', 10.0),
    voice("am_adam", AMERICAN, "male", 'F', 10.0),
    voice("am_echo", AMERICAN, "male", 'D', 10.0),
    voice("am_eric", AMERICAN, "male", 'D', 10.0),
    voice("am_fenrir", AMERICAN, "male", 'C', 10.0),
    voice("am_liam", AMERICAN, "male", 'D', 10.0),
    voice("am_michael", AMERICAN, "male", 'C', 10.0),
    voice("am_onyx", AMERICAN, "male", 'D', 10.0),
    voice("am_puck", AMERICAN, "male", 'C', 10.0),
    voice("am_santa", AMERICAN, "male", 'D', 10.0),
    voice("bf_alice", BRITISH, "female", 'D', 10.0),
    voice("bf_emma", BRITISH, "female", 'B', 10.0),
    voice("bf_isabella", BRITISH, "female", 'C', 10.0),
    voice("bf_lily", BRITISH, "female", 'D', 10.0),
    voice("bm_daniel", BRITISH, "male", 'D', 10.0),
    voice("bm_fable", BRITISH, "male", 'C', 10.0),
    voice("bm_george", BRITISH, "male", 'C', 10.0),
    voice("bm_lewis", BRITISH, "male", 'D', 10.0),
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

/// The styles of voices, each read when it is first asked for.
pub(super) struct Styles {
    file: PathBuf,
    read: [OnceLock<Arc<[f32]>>; ORDER.len()],
}

impl Styles {
    /// The styles in a pack's folder.
    pub(super) fn new(folder: &Path) -> Self {
        Self { file: folder.join(FILE), read: std::array::from_fn(|_| OnceLock::new()) }
    }

    /// A voice's style for an utterance of a number of symbols.
    ///
    /// # Errors
    /// [`EngineError`], when nobody has the voice or its style cannot be read.
    pub(super) fn of(&self, voice: &str, symbols: usize) -> Result<Vec<f32>, EngineError> {
        let unknown = || EngineError::UnknownVoice(voice.to_owned());
        let index = ORDER.iter().position(|name| *name == voice).ok_or_else(unknown)?;
        let styles = if let Some(styles) = self.read[index].get() {
            styles
        } else {
            let styles = self.load(index).map_err(|error| {
                EngineError::Failed(format!("cannot read {}: {error}", self.file.display()))
            })?;
            self.read[index].get_or_init(|| styles)
        };
        let row = symbols.min(LENGTHS - 1);
        Ok(styles[row * STYLE..][..STYLE].to_vec())
    }

    fn load(&self, index: usize) -> std::io::Result<Arc<[f32]>> {
        let mut bytes = vec![0; LENGTHS * STYLE * 4];
        let mut file = File::open(&self.file)?;
        file.seek(SeekFrom::Start((index * bytes.len()) as u64))?;
        file.read_exact(&mut bytes)?;
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

    #[test]
    fn a_voice_that_nobody_has_and_a_file_that_is_cut_off_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), vec![0; LENGTHS * STYLE * 4]).unwrap();
        let styles = Styles::new(folder.path());
        assert!(matches!(styles.of("nobody", 30), Err(EngineError::UnknownVoice(_))));
        assert_eq!(styles.of(ORDER[0], 30).unwrap(), [0.0; STYLE]);
        assert!(matches!(styles.of(ORDER[1], 30), Err(EngineError::Failed(_))));
    }
}
