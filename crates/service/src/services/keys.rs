//! API keys: their format, their hash and the checksum that is verified without a lookup. The store
//! keeps the rows.

pub mod create;
pub mod roll;
pub mod session_key;

use secrecy::SecretString;

use crate::{clock, secrets};

/// The digits of base 62 in ascending order.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Digits of the random part; 43 hold 256 bits.
const RANDOM_DIGITS: usize = 43;

/// Digits of the checksum; 6 hold 32 bits.
const CHECKSUM_DIGITS: usize = 6;

/// The prefix of a live key.
const LIVE_PREFIX: &str = "svc_live_";

/// The prefix of a test key.
const TEST_PREFIX: &str = "svc_test_";

/// A new key in plain text, shown once.
pub fn generate(live: bool) -> SecretString {
    let mut key = String::with_capacity(LIVE_PREFIX.len() + RANDOM_DIGITS + CHECKSUM_DIGITS);
    key.push_str(if live { LIVE_PREFIX } else { TEST_PREFIX });
    let random = clock::random::<32>();
    key.push_str(&base62(&random, RANDOM_DIGITS));
    let checksum = crc32fast::hash(key.as_bytes());
    key.push_str(&base62(&checksum.to_be_bytes(), CHECKSUM_DIGITS));
    key.into()
}

/// Whether `text` has a key's format and its checksum is right; nothing is looked up.
pub fn is_well_formed(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(LIVE_PREFIX).or_else(|| text.strip_prefix(TEST_PREFIX)) else {
        return false;
    };
    if rest.len() != RANDOM_DIGITS + CHECKSUM_DIGITS || !rest.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return false;
    }
    let (prefix_and_random, checksum) = text.split_at(text.len() - CHECKSUM_DIGITS);
    checksum == base62(&crc32fast::hash(prefix_and_random.as_bytes()).to_be_bytes(), CHECKSUM_DIGITS)
}

/// The HMAC-SHA-256 of the key, including its prefix, under the pepper. Stored instead of the key.
pub fn hash(pepper: &secrets::Key, key: &str) -> [u8; 32] {
    pepper.mac(&[key.as_bytes()])
}

/// The last four characters, by which people recognize their keys.
pub fn hint(key: &str) -> &str {
    key.get(key.len().saturating_sub(4)..).unwrap_or_default()
}

/// A big-endian number as `digits` digits of base 62, most significant first.
fn base62(bytes: &[u8], digits: usize) -> String {
    let mut number = bytes.to_vec();
    let mut text = vec![DIGITS[0]; digits];
    for slot in text.iter_mut().rev() {
        let mut rest = 0_u32;
        for byte in &mut number {
            let value = rest << 8 | u32::from(*byte);
            *byte = (value / 62) as u8;
            rest = value % 62;
        }
        *slot = DIGITS[rest as usize];
    }
    text.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;
    use crate::secrets::Secrets;

    #[test]
    fn a_new_key_has_the_format_of_the_contract() {
        for live in [true, false] {
            let key = generate(live);
            let key = key.expose_secret();
            assert_eq!(key.len(), 9 + 43 + 6);
            assert!(key.starts_with(if live { "svc_live_" } else { "svc_test_" }));
            assert!(is_well_formed(key));
            assert_eq!(hint(key), &key[key.len() - 4..]);
        }
        assert_ne!(generate(true).expose_secret(), generate(true).expose_secret());
    }

    // Negative control: with the checksum's comparison replaced by `true`, the swapped prefix
    // and every changed character are accepted, and the test fails.
    #[test]
    fn a_changed_key_is_refused_without_a_lookup() {
        let key = generate(true);
        let key = key.expose_secret();
        assert!(!is_well_formed(&key.replace("live", "test")), "the checksum does not cover the prefix");
        for at in 0..key.len() {
            let mut changed = key.as_bytes().to_vec();
            changed[at] = if changed[at] == b'a' { b'b' } else { b'a' };
            assert!(!is_well_formed(std::str::from_utf8(&changed).unwrap()), "a change at {at} was accepted");
        }
        for bad in ["", "svc_live_", &key[..key.len() - 1], &format!("{key}0"), &key.replacen('_', "-", 1)] {
            assert!(!is_well_formed(bad));
        }
    }

    #[test]
    fn base_62_holds_the_largest_numbers() {
        assert_eq!(base62(&u32::MAX.to_be_bytes(), 6), "4gfFC3");
        assert_eq!(base62(&[0; 32], 43), "0".repeat(43));
        assert_eq!(base62(&61_u32.to_be_bytes(), 6), "00000z");
        assert_eq!(base62(&62_u32.to_be_bytes(), 6), "000010");
        assert!(base62(&[255; 32], 43).starts_with('y'), "43 digits do not hold 256 bits");
    }

    #[test]
    fn the_hash_depends_on_the_pepper_and_on_the_prefix() {
        let (one, two) = (Secrets::derive(b"one"), Secrets::derive(b"two"));
        assert_ne!(hash(&one.pepper, "svc_live_x"), hash(&two.pepper, "svc_live_x"));
        assert_ne!(hash(&one.pepper, "svc_live_x"), hash(&one.pepper, "svc_test_x"));
    }
}
