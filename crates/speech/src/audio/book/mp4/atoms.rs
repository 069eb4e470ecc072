//! Boxes ("atoms") and the numbers in them. Everything is big-endian, and every box starts with its
//! length.

/// The bytes of a box's length and kind.
pub(super) const HEADER_BYTES: u64 = 8;

/// Bytes of boxes.
#[derive(Default)]
pub(super) struct Atoms {
    bytes: Vec<u8>,
}

impl Atoms {
    /// A box with the content that `write` adds.
    pub(super) fn atom(&mut self, kind: [u8; 4], write: impl FnOnce(&mut Self)) -> &mut Self {
        let start = self.bytes.len();
        self.u32(0).bytes(&kind);
        write(self);
        let length = (self.bytes.len() - start) as u32;
        self.bytes[start..start + 4].copy_from_slice(&length.to_be_bytes());
        self
    }

    /// A box that begins with a version and 24 flags.
    pub(super) fn full(
        &mut self,
        kind: [u8; 4],
        version: u8,
        flags: u32,
        write: impl FnOnce(&mut Self),
    ) -> &mut Self {
        self.atom(kind, |atoms| {
            atoms.u32(u32::from(version) << 24 | flags & 0xFF_FFFF);
            write(atoms);
        })
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub(super) fn zeros(&mut self, count: usize) -> &mut Self {
        self.bytes.resize(self.bytes.len() + count, 0);
        self
    }

    pub(super) fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes(&[value])
    }

    pub(super) fn u16(&mut self, value: u16) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    pub(super) fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    pub(super) fn u32s(&mut self, values: impl IntoIterator<Item = u32>) -> &mut Self {
        for value in values {
            self.u32(value);
        }
        self
    }

    pub(super) fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    /// A time or a position, in 64 or 32 bits.
    pub(super) fn time(&mut self, value: u64, wide: bool) -> &mut Self {
        if wide { self.u64(value) } else { self.u32(u32::try_from(value).unwrap_or(u32::MAX)) }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// A `free` box of this length; nothing when the length is too small for a box.
pub(super) fn free(length: usize) -> Vec<u8> {
    let mut atoms = Atoms::default();
    if let Some(inner) = length.checked_sub(HEADER_BYTES as usize) {
        atoms.atom(*b"free", |atoms| {
            atoms.zeros(inner);
        });
    }
    atoms.into_bytes()
}
