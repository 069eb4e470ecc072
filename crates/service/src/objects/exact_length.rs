//! Checks the length of a stream and ends it with an error if the length is wrong, so that a
//! truncated response is never taken for a complete one, whatever the headers say.

use std::io;

use futures_util::{StreamExt as _, stream};

use super::Pieces;

/// The same stream, but it ends in an error unless it has `length` bytes.
pub(super) fn exactly(pieces: Pieces, length: u64) -> Pieces {
    stream::unfold(Some((pieces, length)), |state| async move {
        let (mut pieces, left) = state?;
        match pieces.next().await {
            Some(Ok(piece)) => match left.checked_sub(piece.len() as u64) {
                Some(left) => Some((Ok(piece), Some((pieces, left)))),
                None => Some((Err(wrong("more")), None)),
            },
            Some(Err(error)) => Some((Err(error), None)),
            None if left > 0 => Some((Err(wrong("fewer")), None)),
            None => None,
        }
    })
    .boxed()
}

fn wrong(how: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        format!("the storage returned {how} bytes than the object has"),
    )
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use futures_util::{StreamExt as _, TryStreamExt as _, stream};

    use super::exactly;

    async fn read(pieces: &'static [&'static str], length: u64) -> Result<Vec<u8>, std::io::Error> {
        let pieces = stream::iter(pieces.iter().map(|piece| Ok(Bytes::from_static(piece.as_bytes()))));
        let read: Vec<Bytes> = exactly(pieces.boxed(), length).try_collect().await?;
        Ok(read.concat())
    }

    #[tokio::test]
    async fn a_short_or_long_response_ends_in_an_error() {
        assert_eq!(read(&["ab", "c"], 3).await.unwrap(), b"abc");
        assert_eq!(read(&[], 0).await.unwrap(), b"");
        for pieces in [&["ab"][..], &[], &["ab", "cd"]] {
            assert!(read(pieces, 3).await.is_err(), "{pieces:?}");
        }
    }
}
