//! What kind of character each is, and how runs of one kind become words that no dictionary has:
//! `char.bin`, the names of the kinds and a word of flags for each character.

use super::{Bytes, DictionaryError, bytes::u32_at};

const NAME: usize = 32;
/// The table has this many characters, the first ones of Unicode.
const CHARACTERS: usize = 0xFFFF;

#[derive(Debug)]
pub(super) struct Categories {
    bytes: Bytes,
    names: Vec<String>,
}

/// What is said of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Category {
    /// A bit for each kind that it belongs to.
    kinds: u32,
    /// The kind whose unknown words it begins.
    pub(super) usual: usize,
    /// Words of up to this many characters are tried.
    pub(super) length: usize,
    /// A whole run of the kind is tried as a word.
    pub(super) group: bool,
    /// Unknown words are tried even where the dictionary has one.
    pub(super) always: bool,
}

impl Category {
    /// Whether two characters have a kind in common.
    pub(super) const fn is_like(self, other: Self) -> bool {
        self.kinds & other.kinds != 0
    }
}

impl Categories {
    pub(super) fn new(bytes: Bytes) -> Result<Self, DictionaryError> {
        let count = u32_at(&bytes, 0).ok_or(DictionaryError::Truncated)? as usize;
        // One bit for each kind.
        if !(1..=18).contains(&count) {
            return Err(DictionaryError::Format);
        }
        if bytes.len() != 4 + NAME * count + 4 * CHARACTERS {
            return Err(DictionaryError::Truncated);
        }
        let name = |index: usize| {
            let start = 4 + NAME * index;
            let name = bytes.get(start..start + NAME).unwrap_or_default();
            let end = name.iter().position(|&byte| byte == 0).unwrap_or(NAME);
            std::str::from_utf8(&name[..end]).map(str::to_owned).map_err(|_| DictionaryError::Format)
        };
        let names = (0..count).map(name).collect::<Result<_, _>>()?;
        Ok(Self { bytes, names })
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// What is said of a character; those past the table are of the first kind, `DEFAULT`.
    pub(super) fn of(&self, c: char) -> Category {
        let index = if (c as usize) < CHARACTERS { c as usize } else { 0 };
        let flags = u32_at(&self.bytes, 4 + NAME * self.names.len() + 4 * index).unwrap_or(1);
        Category {
            kinds: flags & 0x3_FFFF,
            usual: (flags >> 18 & 0xFF) as usize,
            length: (flags >> 26 & 0xF) as usize,
            group: flags >> 30 & 1 == 1,
            always: flags >> 31 & 1 == 1,
        }
    }
}
