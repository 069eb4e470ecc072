//! The type for languages in this crate.

use std::{fmt, str::FromStr};

use lectern_types::language::{is_tag, primary};

/// A language and, where it matters, its variety: the primary subtag and the region of a BCP 47
/// tag, such as `en-GB` for British English. Script and variants of a tag are not kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Language {
    /// The ISO 639 code in lower case, padded with zeros.
    primary: [u8; 3],
    /// The region in capitals, padded with zeros; all zeros when there is none.
    region: [u8; 3],
}

/// A text that is not a BCP 47 tag, or a tag whose language has no code of two or three letters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a language tag such as en-US")]
pub struct UnknownLanguage(pub String);

impl Language {
    /// General American.
    pub const EN_US: Self = Self { primary: *b"en\0", region: *b"US\0" };
    /// Southern British English.
    pub const EN_GB: Self = Self { primary: *b"en\0", region: *b"GB\0" };
    /// Spanish without a variety: read as the Spanish of Spain.
    pub const ES: Self = Self { primary: *b"es\0", region: [0; 3] };
    /// Castilian: the Spanish of Spain.
    pub const ES_ES: Self = Self { primary: *b"es\0", region: *b"ES\0" };
    /// The Spanish of Latin America.
    pub const ES_419: Self = Self { primary: *b"es\0", region: *b"419" };
    /// The Spanish of Mexico.
    pub const ES_MX: Self = Self { primary: *b"es\0", region: *b"MX\0" };
    /// French without a variety: read as the French of France.
    pub const FR: Self = Self { primary: *b"fr\0", region: [0; 3] };
    /// The French of France.
    pub const FR_FR: Self = Self { primary: *b"fr\0", region: *b"FR\0" };
    /// Italian without a variety.
    pub const IT: Self = Self { primary: *b"it\0", region: [0; 3] };
    /// The Italian of Italy.
    pub const IT_IT: Self = Self { primary: *b"it\0", region: *b"IT\0" };
    /// Portuguese without a variety: read as that of Brazil.
    pub const PT: Self = Self { primary: *b"pt\0", region: [0; 3] };
    /// The Portuguese of Brazil.
    pub const PT_BR: Self = Self { primary: *b"pt\0", region: *b"BR\0" };
    /// Japanese without a variety.
    pub const JA: Self = Self { primary: *b"ja\0", region: [0; 3] };
    /// The Japanese of Japan.
    pub const JA_JP: Self = Self { primary: *b"ja\0", region: *b"JP\0" };
    /// Chinese without a variety: read as Mandarin.
    pub const ZH: Self = Self { primary: *b"zh\0", region: [0; 3] };
    /// The Mandarin of China.
    pub const ZH_CN: Self = Self { primary: *b"zh\0", region: *b"CN\0" };
    /// The Mandarin of Taiwan, which is written in Traditional characters.
    pub const ZH_TW: Self = Self { primary: *b"zh\0", region: *b"TW\0" };
    /// Hindi without a variety.
    pub const HI: Self = Self { primary: *b"hi\0", region: [0; 3] };
    /// The Hindi of India.
    pub const HI_IN: Self = Self { primary: *b"hi\0", region: *b"IN\0" };
    /// BCP 47's tag for an unknown language. No front end reads it.
    pub const UNDETERMINED: Self = Self { primary: *b"und", region: [0; 3] };

    /// The primary subtag: `en`.
    pub fn primary(&self) -> &str {
        text(&self.primary)
    }

    /// The region, if the tag has one: `GB`.
    pub fn region(&self) -> Option<&str> {
        Some(text(&self.region)).filter(|region| !region.is_empty())
    }

    /// Whether both are the same language, whatever the varieties.
    pub fn is_same(self, other: Self) -> bool {
        self.primary == other.primary
    }

    /// The best match for this language among `offered`: the same variety, or the first of the same
    /// language. `None` when there is none.
    pub fn among(self, offered: &[Self]) -> Option<Self> {
        let exact = offered.iter().find(|&&own| own == self);
        exact.or_else(|| offered.iter().find(|own| own.is_same(self))).copied()
    }
}

/// The bytes before the padding; they are ASCII.
fn text(code: &[u8; 3]) -> &str {
    let length = code.iter().position(|&byte| byte == 0).unwrap_or(code.len());
    std::str::from_utf8(&code[..length]).unwrap_or_default()
}

fn code(subtag: &str) -> Option<[u8; 3]> {
    let mut code = [0; 3];
    code.get_mut(..subtag.len())?.copy_from_slice(subtag.as_bytes());
    Some(code)
}

/// Whether a subtag after the first is a region: two letters or three digits.
fn is_region(subtag: &str) -> bool {
    let all = |is: fn(&u8) -> bool| subtag.bytes().all(|byte| is(&byte));
    (subtag.len() == 2 && all(u8::is_ascii_alphabetic)) || (subtag.len() == 3 && all(u8::is_ascii_digit))
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(tag: &str) -> Result<Self, UnknownLanguage> {
        let unknown = || UnknownLanguage(tag.to_owned());
        let language = primary(tag);
        if !is_tag(tag) || language.len() < 2 {
            return Err(unknown());
        }
        // Subtags after a single letter are extensions.
        let mut subtags = tag.split('-').skip(1).take_while(|subtag| subtag.len() > 1);
        let region = subtags.find(|subtag| is_region(subtag)).unwrap_or_default().to_ascii_uppercase();
        let (Some(primary), Some(region)) = (code(&language), code(&region)) else { return Err(unknown()) };
        Ok(Self { primary, region })
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.primary())?;
        self.region().map_or(Ok(()), |region| write!(f, "-{region}"))
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_read_to_its_language_and_region() {
        for (tag, language) in [
            ("en-US", "en-US"),
            ("EN-gb", "en-GB"),
            ("eng", "en"),
            ("zh-Hant-TW", "zh-TW"),
            ("es-419", "es-419"),
            ("yue", "yue"),
            ("de-CH-1901", "de-CH"),
            ("en-a-bb", "en"),
        ] {
            assert_eq!(tag.parse::<Language>().unwrap().to_string(), language, "{tag}");
        }
        assert_eq!("en-us".parse(), Ok(Language::EN_US));
        assert_eq!("und".parse(), Ok(Language::UNDETERMINED));
        for wrong in ["", "e", "x-private", "english", "en_US", "français"] {
            assert_eq!(wrong.parse::<Language>(), Err(UnknownLanguage(wrong.to_owned())), "{wrong:?}");
        }
    }

    #[test]
    fn another_region_will_do_and_another_language_will_not() {
        let offered = [Language::EN_US, Language::EN_GB];
        let among = |tag: &str| tag.parse::<Language>().unwrap().among(&offered);
        assert_eq!(among("en-GB"), Some(Language::EN_GB));
        assert_eq!(among("en-AU"), Some(Language::EN_US));
        assert_eq!(among("fr"), None);
        assert_eq!(Language::UNDETERMINED.among(&offered), None);
    }
}
