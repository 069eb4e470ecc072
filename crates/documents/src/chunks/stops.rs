//! The marks that end sentences, and those that may follow them.

pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '؟' | '۔' | '।' | '॥' | '։' | '።')
}

pub(super) fn is_full_width_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '．' | '｡')
}

/// Marks that may follow a sentence's stop.
pub(super) fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '”'
            | '’'
            | '»'
            | '›'
            | ')'
            | ']'
            | '}'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '*'
            | '_'
    )
}
