//! Numbers at places of a file, `None` past its end.

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let part = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(part.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(part.try_into().ok()?))
}

pub(super) fn i16_at(bytes: &[u8], at: usize) -> Option<i16> {
    Some(u16_at(bytes, at)?.cast_signed())
}

pub(super) fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    Some(u32_at(bytes, at)?.cast_signed())
}
