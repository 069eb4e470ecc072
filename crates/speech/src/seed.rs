//! Derives the seeds of a request's parts from the request's seed.

/// Scrambles a number so that every bit affects every bit of the result: the finalizer of
/// `SplitMix64` (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
/// 2014). It must not be used for secrets.
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// The seed of one part of a request: a repeated sentence does not sound the same twice.
pub(crate) fn of_part(request: u64, part: usize) -> u64 {
    mix(mix(request) ^ (part as u64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_requests_have_seeds_of_their_own() {
        let seeds: std::collections::BTreeSet<u64> =
            (0..50).flat_map(|request| (0..50).map(move |part| of_part(request, part))).collect();
        assert_eq!(seeds.len(), 2500);
        assert_eq!(of_part(3, 4), of_part(3, 4));
    }
}
