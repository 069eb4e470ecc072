/// The index of the first `needle`, which must not be empty.
pub(super) fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(first) = bytes[at..].iter().position(|&byte| byte == needle[0]) {
        at += first;
        if bytes[at..].starts_with(needle) {
            return Some(at);
        }
        at += 1;
    }
    None
}
