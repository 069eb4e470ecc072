//! Splits RTF into tokens: groups, control words, escaped bytes and plain bytes.

/// Longer names are no control words.
const MAX_NAME_BYTES: usize = 32;

/// More digits are not read: no number has them.
const MAX_DIGITS: usize = 9;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A control word with its number: `\fs24`.
    Word(&'a str, Option<i32>),
    /// A backslash before another character: `\~`.
    Symbol(u8),
    /// A byte in hexadecimal digits: `\'e9`.
    Byte(u8),
    /// Bytes without a backslash.
    Plain(&'a [u8]),
}

pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, max_bytes: usize, accepts: impl Fn(u8) -> bool) -> &'a [u8] {
        let length = self.rest.iter().take(max_bytes).take_while(|byte| accepts(**byte)).count();
        self.take(length)
    }

    /// A token after a backslash.
    fn control(&mut self) -> Option<Token<'a>> {
        let first = *self.rest.first()?;
        if first.is_ascii_alphabetic() {
            return Some(self.word());
        }
        self.take(1);
        if first != b'\'' {
            return Some(Token::Symbol(first));
        }
        let digits = self.take_while(2, |byte| byte.is_ascii_hexdigit());
        let byte = std::str::from_utf8(digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok());
        // Without digits, it is no character.
        Some(byte.map_or(Token::Plain(&[]), Token::Byte))
    }

    fn word(&mut self) -> Token<'a> {
        let name = self.take_while(MAX_NAME_BYTES, |byte| byte.is_ascii_alphabetic());
        let name = std::str::from_utf8(name).unwrap_or_default();
        let is_negative =
            self.rest.first() == Some(&b'-') && self.rest.get(1).is_some_and(u8::is_ascii_digit);
        self.take(usize::from(is_negative));
        let digits = self.take_while(MAX_DIGITS, |byte| byte.is_ascii_digit());
        let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<i32>().ok());
        let number = number.map(|number| if is_negative { -number } else { number });
        // One space ends a word and belongs to it.
        self.take_while(1, |byte| byte == b' ');
        if name == "bin" {
            self.take(number.and_then(|length| usize::try_from(length).ok()).unwrap_or(0));
        }
        Token::Word(name, number)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.take_while(usize::MAX, |byte| matches!(byte, b'\r' | b'\n' | 0));
        let first = *self.rest.first()?;
        if matches!(first, b'{' | b'}' | b'\\') {
            self.take(1);
        }
        match first {
            b'{' => Some(Token::Open),
            b'}' => Some(Token::Close),
            b'\\' => self.control(),
            _ => Some(Token::Plain(
                self.take_while(usize::MAX, |byte| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0)),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Token, Tokens};

    #[test]
    fn words_end_with_one_space_and_may_have_numbers() {
        let tokens: Vec<Token<'_>> = Tokens::new(b"{\\b0\\u-10179 ? a\\'e9\\~\\bin3 }{\\}\r\nb").collect();
        assert_eq!(
            tokens,
            [
                Token::Open,
                Token::Word("b", Some(0)),
                Token::Word("u", Some(-10_179)),
                Token::Plain(b"? a"),
                Token::Byte(0xE9),
                Token::Symbol(b'~'),
                Token::Word("bin", Some(3)),
                Token::Close,
                Token::Plain(b"b"),
            ]
        );
    }

    #[test]
    fn what_the_end_cuts_off_is_no_token() {
        for (bytes, count) in
            [(&b"\\"[..], 0), (b"\\'", 1), (b"\\'e", 1), (b"\\bin9999", 1), (b"\\u-", 2), (b"", 0)]
        {
            assert_eq!(Tokens::new(bytes).count(), count, "{bytes:?}");
        }
    }
}
