//! Packs bits into bytes, most significant first, and computes FLAC's checksums over them.

#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Its lowest `waiting_bits` bits are not yet in `bytes`, always fewer than 32 between calls. What is above them is.
    waiting: u64,
    waiting_bits: u32,
}

impl BitWriter {
    /// Writes the lowest `count` bits of `value`, at most 32.
    pub(super) fn put(&mut self, value: u32, count: u32) {
        let mask = (1_u64 << count) - 1;
        self.waiting = self.waiting << count | (u64::from(value) & mask);
        self.waiting_bits += count;
        if self.waiting_bits >= 32 {
            self.waiting_bits -= 32;
            let whole = (self.waiting >> self.waiting_bits) as u32;
            self.bytes.extend_from_slice(&whole.to_be_bytes());
        }
    }

    /// Moves the whole bytes out of what waits.
    fn flush(&mut self) {
        while self.waiting_bits >= 8 {
            self.waiting_bits -= 8;
            self.bytes.push((self.waiting >> self.waiting_bits) as u8);
        }
    }

    /// Writes a number in two's complement.
    pub(super) fn put_signed(&mut self, value: i32, count: u32) {
        self.put(value.cast_unsigned(), count);
    }

    /// Writes a value in Rice's code. Its lowest `parameter` bits come last. The number above them comes first, as that many
    /// zeros and a one.
    pub(super) fn put_rice(&mut self, value: u32, parameter: u32) {
        let mut zeros = value >> parameter;
        while zeros >= 31 {
            self.put(0, 31);
            zeros -= 31;
        }
        let low = value & ((1 << parameter) - 1);
        let length = zeros + 1 + parameter;
        if length <= 32 {
            self.put((1 << parameter) | low, length);
        } else {
            self.put(1, zeros + 1);
            self.put(low, parameter);
        }
    }

    /// The frame number, in UTF-8's coding extended to 36 bits (RFC 9639, section 9.1.5).
    pub(super) fn put_coded_number(&mut self, number: u64) {
        if number < 0x80 {
            self.put(number as u32, 8);
            return;
        }
        // Each continuation byte holds six bits; the first byte holds the rest: 6, 5, … 0 bits.
        let mut following = 1;
        while following < 6 && number >> (6 * following + 6 - following) != 0 {
            following += 1;
        }
        let lead = 0xFF00_u32 >> (following + 1) & 0xFF;
        self.put(lead | (number >> (6 * following)) as u32 & 0x3F, 8);
        for place in (0..following).rev() {
            self.put(0x80 | (number >> (6 * place)) as u32 & 0x3F, 8);
        }
    }

    /// Fills the last byte with zeros.
    pub(super) fn align(&mut self) {
        let missing = (8 - self.waiting_bits % 8) % 8;
        self.put(0, missing);
    }

    /// CRC-8 with polynomial 0x07 over the complete bytes.
    pub(super) fn crc8(&mut self) -> u8 {
        self.flush();
        self.bytes.iter().fold(0, |crc, &byte| {
            (0..8).fold(crc ^ byte, |crc: u8, _| if crc & 0x80 == 0 { crc << 1 } else { crc << 1 ^ 0x07 })
        })
    }

    /// CRC-16 with polynomial 0x8005 over the complete bytes.
    pub(super) fn crc16(&mut self) -> u16 {
        self.flush();
        self.bytes.iter().fold(0, |crc: u16, &byte| crc << 8 ^ CRC16[usize::from((crc >> 8) as u8 ^ byte)])
    }

    /// The bytes; bits that do not fill a byte are lost.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.flush();
        self.bytes
    }
}

const CRC16: [u16; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut crc = (index as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x8005 };
            bit += 1;
        }
        table[index] = crc;
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(number: u64) -> Vec<u8> {
        let mut bits = BitWriter::default();
        bits.put_coded_number(number);
        bits.into_bytes()
    }

    #[test]
    fn frame_numbers_are_coded_as_utf8_codes_characters() {
        for character in
            ['\u{0}', '\u{7F}', '\u{80}', '\u{7FF}', '\u{800}', '\u{FFFF}', '\u{10000}', '\u{10FFFF}']
        {
            assert_eq!(coded(u64::from(character)), character.to_string().into_bytes(), "{character:?}");
        }
    }

    #[test]
    fn frame_numbers_beyond_utf8_go_on_in_its_way() {
        assert_eq!(coded(0x1F_FFFF), [0xF7, 0xBF, 0xBF, 0xBF]);
        assert_eq!(coded(0x20_0000), [0xF8, 0x88, 0x80, 0x80, 0x80]);
        assert_eq!(coded(0x7FFF_FFFF), [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]);
        assert_eq!(coded(0xF_FFFF_FFFF), [0xFE, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]);
    }

    #[test]
    fn check_sums_match_their_published_check_values() {
        let mut bits = BitWriter::default();
        for byte in b"123456789" {
            bits.put(u32::from(*byte), 8);
        }
        assert_eq!((bits.crc8(), bits.crc16()), (0xF4, 0xFEE8)); // CRC-8/SMBUS and CRC-16/UMTS
    }
}
