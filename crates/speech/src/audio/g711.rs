//! μ-law and A-law after ITU-T G.711: 8 bits a sample, a sign, three bits of segment and four of
//! step.
//!
//! The recommendation gives decision values for samples of 14 bits (μ-law) and 13 bits (A-law):
//! the means of two neighbouring outputs. Samples of 16 bits are cut to 14 first, downwards, as
//! ffmpeg does, whose bytes are the same. A value that is a decision value itself belongs to the
//! larger magnitude.

/// One of the two laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Law {
    Mu,
    A,
}

/// The outputs of one sign.
const CODES: usize = 128;

/// The bits that are inverted on the line: all of them, or every other one.
const MU_MASK: u8 = 0xFF;
const A_MASK: u8 = 0xD5;
const SIGN: u8 = 0x80;

static MU_DECISIONS: [u16; CODES - 1] = decisions(true);
static A_DECISIONS: [u16; CODES - 1] = decisions(false);

/// The output of a code without its sign and mask, as a sample of 16 bits.
const fn output(code: u16, is_mu: bool) -> u16 {
    let (segment, step) = (code >> 4, code & 15);
    if is_mu {
        (((step << 3) + 0x84) << segment) - 0x84
    } else if segment == 0 {
        (step << 4) + 8
    } else {
        ((step << 4) + 0x108) << (segment - 1)
    }
}

/// The smallest magnitude, in 14 bits, that belongs to each code but the first.
const fn decisions(is_mu: bool) -> [u16; CODES - 1] {
    let mut decisions = [0; CODES - 1];
    let mut code = 0;
    while code < CODES - 1 {
        let sum = output(code as u16, is_mu) as u32 + output(code as u16 + 1, is_mu) as u32;
        decisions[code] = ((sum + 4) >> 3) as u16;
        code += 1;
    }
    decisions
}

impl Law {
    /// The byte of a sample.
    pub(super) fn encode(self, sample: i16) -> u8 {
        let (decisions, mask) = match self {
            Self::Mu => (&MU_DECISIONS, MU_MASK),
            Self::A => (&A_DECISIONS, A_MASK),
        };
        let cut = sample >> 2;
        let code = decisions.partition_point(|decision| *decision <= cut.unsigned_abs()) as u8;
        // The sign bit is set for positive samples, and so is it in both masks.
        if cut < 0 { code ^ mask ^ SIGN } else { code ^ mask }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Tables 1a to 2b of the recommendation: the first and the last output of each segment, here in
    // 16 bits (the tables count in 14 and in 13).
    #[test]
    fn outputs_are_those_of_the_tables() {
        let mu: Vec<u16> = (0..8).map(|segment| output(segment * 16, true)).collect();
        assert_eq!(mu, [0, 33, 99, 231, 495, 1_023, 2_079, 4_191].map(|value: u16| value * 4));
        assert_eq!((output(15, true), output(127, true)), (30 * 4, 8_031 * 4));
        let a: Vec<u16> = (0..8).map(|segment| output(segment * 16, false)).collect();
        assert_eq!(a, [1, 33, 66, 132, 264, 528, 1_056, 2_112].map(|value: u16| value * 8));
        assert_eq!((output(15, false), output(127, false)), (31 * 8, 4_032 * 8));
    }

    #[test]
    fn known_samples_have_known_bytes() {
        for (sample, mu, a) in [
            (0, 0xFF, 0xD5),
            (3, 0xFF, 0xD5),
            (4, 0xFE, 0xD5),
            (-1, 0x7E, 0x55),
            (16, 0xFD, 0xD4),
            (1_000, 0xCE, 0xFA),
            (-1_000, 0x4E, 0x7A),
            (32_767, 0x80, 0xAA),
            (-32_768, 0x00, 0x2A),
        ] {
            assert_eq!((Law::Mu.encode(sample), Law::A.encode(sample)), (mu, a), "{sample}");
        }
    }

    #[test]
    fn every_output_is_encoded_as_itself() {
        for code in 0..CODES as u16 {
            for (law, is_mu, mask) in [(Law::Mu, true, MU_MASK), (Law::A, false, A_MASK)] {
                let sample = output(code, is_mu).cast_signed();
                assert_eq!(law.encode(sample), code as u8 ^ mask, "{law:?} {code}");
                // There is no second zero of μ-law among the samples.
                if sample != 0 {
                    assert_eq!(law.encode(-sample), code as u8 ^ mask ^ SIGN, "{law:?} −{code}");
                }
            }
        }
    }
}
