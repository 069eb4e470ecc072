//! Searching in bytes.

/// The place of the first `wanted`, which is not empty, in `bytes`.
pub(super) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(first) = bytes[at..].iter().position(|&byte| byte == wanted[0]) {
        at += first;
        if bytes[at..].starts_with(wanted) {
            return Some(at);
        }
        at += 1;
    }
    None
}
