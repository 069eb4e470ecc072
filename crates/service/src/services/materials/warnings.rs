//! What of a material's text is not spoken, told before anybody pays for it.

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
        message: format!("{} not spoken: {}.", plural(letters, "letter"), scripts.join(", ")),
        count: letters,
    });
    let symbol = (signs > 0).then(|| MaterialWarning {
        code: MaterialWarningCode::UnspokenSymbol,
        message: format!("{} not spoken: from a private font, or lost before.", plural(signs, "sign")),
        count: signs,
    });
    script.into_iter().chain(symbol).collect()
}
