//! Host names that are internal wherever they are looked up, and characters that are invisible.

/// Suffixes of internal names: special use (RFC 6761, RFC 6762, RFC 8375, RFC 9476), reserved by
/// ICANN (`internal`), or in private use by custom, by container platforms and by cloud providers.
const INTERNAL_SUFFIXES: &[&str] = &[
    "alt",
    "arpa",
    "belkin",
    "consul",
    "corp",
    "dhcp",
    "docker",
    "domain",
    "example",
    "home",
    "internal",
    "intranet",
    "invalid",
    "kubernetes",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "localhost4",
    "localhost6",
    "nomad",
    "onion",
    "private",
    "router",
    "svc",
    "test",
    "vpn",
    "workgroup",
];

/// Public-looking names of cloud providers' metadata services.
const METADATA_NAMES: &[&str] = &[
    "metadata.azure.com",
    "metadata.goog",
    "metadata.oraclecloud.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "metadata.tencentyun.com",
];

/// Whether a name, in lower case and without a trailing dot, is internal: a single label, or a
/// known suffix.
pub(super) fn is_internal(name: &str) -> bool {
    let within =
        |suffix: &str| name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !name.contains('.') || INTERNAL_SUFFIXES.iter().chain(METADATA_NAMES).any(|suffix| within(suffix))
}

/// Ranges of characters that are invisible, are dropped by mapping, or change the text's direction:
/// formatting (Unicode's `Cf`), variation selectors, fillers, private use.
const INVISIBLE: &[(char, char)] = &[
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{e000}', '\u{f8ff}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{ffff}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{10ffff}'),
];

/// Whether a character is white space, a control character or invisible.
pub(super) fn is_invisible(c: char) -> bool {
    c.is_control() || c.is_whitespace() || INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

#[cfg(test)]
mod tests {
    use super::is_internal;

    // Negative control: with only `ends_with(suffix)` in `within`, the public names below are
    // internal and this fails.
    #[test]
    fn a_suffix_matches_whole_labels() {
        for name in [
            "a.local",
            "local",
            "x.y.internal",
            "metadata.goog",
            "a.metadata.goog",
            "intranet",
            "1.0.0.127.in-addr.arpa",
        ] {
            assert!(is_internal(name), "{name}");
        }
        for name in
            ["alocal.example.com", "x.notlocal", "local.example.com", "my-metadata.goog", "example.com"]
        {
            assert!(!is_internal(name), "{name}");
        }
    }
}
