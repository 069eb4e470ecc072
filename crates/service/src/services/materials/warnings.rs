//! What of a material's text is not spoken, told before anybody pays for it and before a voice is
//! chosen. Some scripts are spoken by the voices of one engine alone.

use lectern_documents::language::{Scripts, Unspoken};
use lectern_store::materials::Material;
use lectern_types::{MaterialWarning, MaterialWarningCode};

/// What of a material's text is not spoken. Without a known language it is read as English.
pub fn of(material: &Material) -> Vec<MaterialWarning> {
    let scripts = material.scripts.as_ref().and_then(|scripts| scripts.parse::<Scripts>().ok());
    let Some(scripts) = scripts else { return Vec::new() };
    let language = material.speech_language.as_deref();
    let language = language.or_else(|| material.language.as_ref().map(|language| language.tag.as_str()));
    let Unspoken { letters, scripts, signs } = scripts.unspoken(language.unwrap_or("en"));
    let plural = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { " is" } else { "s are" });
    let script = (letters > 0).then(|| MaterialWarning {
        code: MaterialWarningCode::UnspokenScript,
        message: format!("{} not spoken: {}.", plural(letters, "letter"), named(&scripts)),
        count: letters,
    });
    let symbol = (signs > 0).then(|| MaterialWarning {
        code: MaterialWarningCode::UnspokenSymbol,
        message: format!("{} not spoken: from a private font, or lost before.", plural(signs, "sign")),
        count: signs,
    });
    script.into_iter().chain(symbol).collect()
}

/// Scripts whose languages have front ends for voices that know all sounds.
const READ_BY_SOME: &[&str] = &["Han", "Hiragana", "Katakana", "Devanagari"];

/// The names of scripts, and of each whether some voices speak it all the same.
fn named(scripts: &[&str]) -> String {
    let name = |script: &&str| {
        let some = if READ_BY_SOME.contains(script) { " (only Kokoro's voices speak it)" } else { "" };
        format!("{script}{some}")
    };
    scripts.iter().map(name).collect::<Vec<_>>().join(", ")
}
