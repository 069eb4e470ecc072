//! The marks that end sentences, and those that may follow them.

pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '؟' | '۔' | '।' | '॥' | '։' | '።')
}

/// Stops that end a sentence without a space after them.
pub(super) fn is_full_width_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '．' | '｡' | '।' | '॥' | '‼' | '⁇' | '⁈' | '⁉')
}

/// Whether a sentence in Japanese goes on after a quotation: 「行く。」と彼は言った。
pub(super) fn continues_quotation(after: &str) -> bool {
    after.starts_with(['と', 'っ', 'な', 'は', 'が', 'の', 'を', 'に', 'も', 'で', 'へ', 'や', 'か'])
}

/// Marks that may follow a sentence's stop. Some open a quotation in other languages, but then they
/// stand after a space.
pub(crate) fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '”'
            | '’'
            | '»'
            | '«'
            | '“'
            | '‘'
            | '›'
            | ')'
            | ']'
            | '}'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '〉'
            | '〕'
            | '］'
            | '｝'
            | '｣'
            | '〟'
            | '＂'
            | '*'
            | '_'
    )
}

/// Whether a text that ends with this character needs no stop.
pub(crate) fn is_any_stop(c: char) -> bool {
    is_stop(c) || is_full_width_stop(c) || matches!(c, ':' | ';' | '：' | '；')
}
