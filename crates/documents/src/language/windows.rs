//! Language tags by Windows' numbers, which RTF (`\lang1031`) and Kindle books use.

/// The tag of a language; `None` for one that is not known and for text in no language.
pub(crate) fn tag(number: i32) -> Option<&'static str> {
    Some(match number {
        0x0404 => "zh-TW",
        0x0416 => "pt-BR",
        0x0809 => "en-GB",
        0x0816 => "pt-PT",
        // The lower ten bits are the language, the others its region.
        number => match number & 0x3FF {
            0x01 => "ar",
            0x02 => "bg",
            0x03 => "ca",
            0x04 => "zh",
            0x05 => "cs",
            0x06 => "da",
            0x07 => "de",
            0x08 => "el",
            0x09 => "en",
            0x0A => "es",
            0x0B => "fi",
            0x0C => "fr",
            0x0D => "he",
            0x0E => "hu",
            0x10 => "it",
            0x11 => "ja",
            0x12 => "ko",
            0x13 => "nl",
            0x14 => "nb",
            0x15 => "pl",
            0x16 => "pt",
            0x18 => "ro",
            0x19 => "ru",
            0x1D => "sv",
            0x1F => "tr",
            0x22 => "uk",
            0x39 => "hi",
            0x76 => "la",
            _ => return None,
        },
    })
}
