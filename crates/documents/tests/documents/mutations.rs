//! Valid files with bytes changed, cut out or repeated: whatever is read has consistent chapters, and
//! nothing makes a reader panic.

use lectern_documents::{Kind, Limits, chunks, read};
use proptest::prelude::*;

use crate::{
    kindle,
    kindle_files::{Kindle, Packed},
    odt, rtf,
};

/// A change of a file: a byte, a cut or a repetition at a place.
#[derive(Debug, Clone)]
enum Change {
    Byte(u8),
    Cut(usize),
    Repeat(usize),
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, Change)>> {
    let change = prop_oneof![
        6 => any::<u8>().prop_map(Change::Byte),
        3 => prop::sample::select(vec![0, 1, 8, 0x7F, 0x80, 0xFE, 0xFF]).prop_map(Change::Byte),
        1 => (1_usize..40).prop_map(Change::Cut),
        1 => (1_usize..40).prop_map(Change::Repeat),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), change), 1..8)
}

fn changed(mut file: Vec<u8>, changes: &[(prop::sample::Index, Change)]) -> Vec<u8> {
    for (at, change) in changes {
        if file.is_empty() {
            break;
        }
        let at = at.index(file.len());
        match change {
            Change::Byte(byte) => file[at] = *byte,
            Change::Cut(length) => drop(file.drain(at..(at + length).min(file.len()))),
            Change::Repeat(length) => {
                let piece = file[at..(at + length).min(file.len())].to_vec();
                drop(file.splice(at..at, piece));
            }
        }
    }
    file
}

#[track_caller]
fn check(kind: Kind, bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(document) = read(kind, bytes, &Limits::default()) {
        prop_assert!(document.is_consistent());
        let cut = chunks(&document, 50);
        let joined: String = cut.iter().map(|chunk| &document.text[chunk.range.clone()]).collect();
        prop_assert_eq!(&joined, &document.text);
        prop_assert_eq!(read(kind, bytes, &Limits::default()), Ok(document));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_kindle_book_makes_the_reader_panic(changes in changes(), which in 0_usize..6) {
        let file = match which {
            0 => kindle::old().file(),
            1 => kindle::new().file(),
            2 => kindle::old().joint(&kindle::new()),
            3 => Kindle { packed: Packed::Huffman, phrases: vec![(1, b"a\x02".to_vec())], ..kindle::old() }.file(),
            4 => Kindle { packed: Packed::Plain, ..kindle::new() }.file(),
            _ => Kindle { packed: Packed::Huffman, ..kindle::new() }.file(),
        };
        check(Kind::Kindle, &changed(file, &changes))?;
    }

    #[test]
    fn no_rtf_makes_the_reader_panic(changes in changes()) {
        check(Kind::Rtf, &changed(rtf::STORY.to_vec(), &changes))?;
    }

    #[test]
    fn no_odt_makes_the_reader_panic(changes in changes()) {
        // One file of XML: in a package, the sums of its parts would not be right.
        check(Kind::Odt, &changed(odt::flat_story().into_bytes(), &changes))?;
    }
}
