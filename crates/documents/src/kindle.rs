use crate::{Document, Limits, Reason, Unreadable};
pub(crate) fn read(_bytes: &[u8], _limits: &Limits) -> Result<Document, Unreadable> {
    Err(Unreadable::new(Reason::UnknownKind, "x"))
}
