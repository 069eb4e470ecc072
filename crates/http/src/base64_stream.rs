//! Audio in Base64 inside JSON, written as it is read, so that a long recording is never in memory
//! as a whole.

use axum::body::Bytes;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::{Stream, StreamExt as _, stream};

type Piece = Result<Bytes, std::io::Error>;

/// The Base64 of pieces that are cut anywhere.
#[derive(Debug, Default)]
struct Encoder {
    /// Bytes that do not fill a group of three yet.
    left: Vec<u8>,
}

impl Encoder {
    fn push(&mut self, bytes: &[u8]) -> String {
        self.left.extend_from_slice(bytes);
        let whole = self.left.len() / 3 * 3;
        let text = STANDARD.encode(&self.left[..whole]);
        self.left.drain(..whole);
        text
    }

    fn finish(&mut self) -> String {
        STANDARD.encode(std::mem::take(&mut self.left))
    }
}

/// The Base64 of these bytes.
pub fn text(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The length of the Base64 of this many bytes.
pub fn length(bytes: u64) -> u64 {
    bytes.div_ceil(3) * 4
}

/// The Base64 of all pieces together.
pub fn encode(pieces: impl Stream<Item = Piece>) -> impl Stream<Item = Piece> {
    let ended = stream::once(async { Ok(Bytes::new()) });
    pieces.map(Some).chain(ended.map(|_: Piece| None)).scan(Encoder::default(), |encoder, piece| {
        let text: Piece = match piece {
            Some(Ok(bytes)) => Ok(encoder.push(&bytes).into()),
            Some(Err(error)) => Err(error),
            None => Ok(encoder.finish().into()),
        };
        std::future::ready(Some(text))
    })
}

/// Pieces of this many bytes each, the last one shorter. Nothing follows an error.
pub fn regroup<S: Stream<Item = Piece> + Unpin>(pieces: S, bytes: usize) -> impl Stream<Item = Piece> {
    let state = (Some(pieces), Vec::<u8>::new());
    stream::unfold(state, move |(mut pieces, mut held)| async move {
        while held.len() < bytes {
            let Some(source) = &mut pieces else { break };
            match source.next().await {
                Some(Ok(piece)) => held.extend_from_slice(&piece),
                Some(Err(error)) => return Some((Err(error), (None, Vec::new()))),
                None => pieces = None,
            }
        }
        if held.is_empty() {
            return None;
        }
        let rest = held.split_off(held.len().min(bytes));
        Some((Ok(held.into()), (pieces, rest)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(lengths: &[usize]) -> (Vec<u8>, impl Stream<Item = Piece> + Unpin + use<>) {
        let all: Vec<u8> = (0..lengths.iter().sum::<usize>()).map(|at| (at * 7) as u8).collect();
        let mut from = 0;
        let cut = lengths.iter().map(|length| {
            from += length;
            Ok(Bytes::copy_from_slice(&all[from - length..from]))
        });
        let cut: Vec<Piece> = cut.collect();
        (all, stream::iter(cut))
    }

    #[tokio::test]
    async fn it_does_not_matter_where_pieces_are_cut() {
        for lengths in [&[][..], &[0], &[1], &[2, 2], &[3, 1], &[1, 1, 1, 1, 1], &[100, 1, 57]] {
            let (all, cut) = pieces(lengths);
            let parts: Vec<Piece> = encode(cut).collect().await;
            let text: Vec<u8> = parts.into_iter().flat_map(|part| part.unwrap().to_vec()).collect();
            assert_eq!(String::from_utf8(text).unwrap(), STANDARD.encode(&all), "{lengths:?}");
            assert_eq!(length(all.len() as u64), STANDARD.encode(&all).len() as u64);
        }
    }

    #[tokio::test]
    async fn regrouped_pieces_have_one_length_but_for_the_last() {
        let (all, cut) = pieces(&[1, 9, 0, 4, 20]);
        let parts: Vec<Piece> = regroup(cut, 6).collect().await;
        let parts: Vec<Bytes> = parts.into_iter().map(Result::unwrap).collect();
        assert_eq!(parts.iter().map(Bytes::len).collect::<Vec<_>>(), [6, 6, 6, 6, 6, 4]);
        assert_eq!(parts.concat(), all);
    }

    #[tokio::test]
    async fn an_error_ends_both() {
        let broken = || stream::iter([Ok(Bytes::from_static(b"abcd")), Err(std::io::Error::other("gone"))]);
        let parts: Vec<Piece> = regroup(broken(), 6).collect().await;
        assert!(matches!(parts[..], [Err(_)]));
        let parts: Vec<Piece> = encode(broken()).collect().await;
        assert!(parts[1].is_err());
    }
}
