//! A dictionary of a few words that the test itself compiles, and what becomes of damaged ones.

use super::{Bytes, Dictionary, DictionaryError, Files, Fixed, Source};

/// A word: its spelling, context on the left and on the right, cost and feature.
type Written = (&'static str, u16, u16, i16, &'static str);

/// Contexts: 0 the ends of a text, 1 nouns, 2 particles.
const CONTEXTS: u16 = 3;

const TEXT_WORDS: [Written; 6] = [
    ("は", 2, 2, 100, "助詞,係助詞,*,*,*,*,は,ハ,ワ,0/1,*"),
    ("は", 1, 1, 500, "名詞,一般,*,*,*,*,は,ハ,ハ,0/1,*"),
    ("母", 1, 1, 300, "名詞,一般,*,*,*,*,母,ハハ,ハハ,1/2,*"),
    ("東京", 1, 1, 300, "名詞,固有名詞,*,*,*,*,東京,トウキョウ,トーキョー,0/4,*"),
    ("東", 1, 1, 300, "名詞,一般,*,*,*,*,東,ヒガシ,ヒガシ,0/3,*"),
    ("京", 1, 1, 300, "名詞,一般,*,*,*,*,京,キョウ,キョー,1/2,*"),
];

const UNKNOWN_WORDS: [Written; 2] =
    [("DEFAULT", 1, 1, 4000, "名詞,一般,*,*,*,*,*"), ("KATAKANA", 1, 1, 2000, "名詞,一般,*,*,*,*,*")];

fn push(bytes: &mut Vec<u8>, numbers: &[u32]) {
    for number in numbers {
        bytes.extend(number.to_le_bytes());
    }
}

/// A double array of sorted spellings and their values: each state gets the first base at which all
/// of its children are free.
fn double_array(keys: &[(Vec<u8>, i32)]) -> Vec<u8> {
    let mut units = vec![(0_i32, 0_u32); 4096];
    let mut used = vec![false; 4096];
    used[0] = true;
    let mut states: Vec<(usize, Vec<u8>)> = vec![(0, Vec::new())];
    while let Some((state, prefix)) = states.pop() {
        let under = keys.iter().filter(|(key, _)| key.starts_with(&prefix));
        let mut children: Vec<Option<u8>> = under.map(|(key, _)| key.get(prefix.len()).copied()).collect();
        children.sort_unstable();
        children.dedup();
        let place = |base: usize, child: &Option<u8>| child.map_or(base, |byte| base + usize::from(byte) + 1);
        let base = (1..3000).find(|&base| children.iter().all(|child| !used[place(base, child)])).unwrap();
        units[state].0 = i32::try_from(base).unwrap();
        for child in &children {
            let at = place(base, child);
            used[at] = true;
            units[at].1 = base as u32;
            match child {
                None => units[at].0 = -1 - keys.iter().find(|(key, _)| *key == prefix).unwrap().1,
                Some(byte) => states.push((at, [prefix.as_slice(), &[*byte]].concat())),
            }
        }
    }
    units.iter().flat_map(|(base, check)| [base.to_le_bytes(), check.to_le_bytes()].concat()).collect()
}

fn lexicon(words: &[Written]) -> Vec<u8> {
    let (mut entries, mut features) = (Vec::new(), Vec::new());
    let mut keys: Vec<(Vec<u8>, i32)> = Vec::new();
    for (index, (written, left, right, cost, feature)) in words.iter().enumerate() {
        match keys.last_mut().filter(|(key, _)| key == written.as_bytes()) {
            Some((_, value)) => *value += 1,
            None => keys.push((written.as_bytes().to_vec(), i32::try_from(index << 8 | 1).unwrap())),
        }
        for number in [*left, *right, 0, cost.cast_unsigned()] {
            entries.extend(number.to_le_bytes());
        }
        push(&mut entries, &[features.len() as u32, 0]);
        features.extend(feature.as_bytes());
        features.push(0);
    }
    let units = double_array(&keys);
    let size = 72 + units.len() + entries.len() + features.len();
    let mut bytes = Vec::new();
    let sizes = [units.len(), entries.len(), features.len()].map(|length| length as u32);
    push(&mut bytes, &[size as u32 ^ 0xEF71_8F77, 102, 0, words.len() as u32]);
    push(&mut bytes, &[CONTEXTS.into(), CONTEXTS.into(), sizes[0], sizes[1], sizes[2], 0]);
    bytes.extend(b"UTF-8");
    bytes.resize(72, 0);
    [bytes, units, entries, features].concat()
}

fn matrix() -> Vec<u8> {
    let mut bytes = [CONTEXTS.to_le_bytes(), CONTEXTS.to_le_bytes()].concat();
    for next in 0..CONTEXTS {
        for previous in 0..CONTEXTS {
            // Two nouns in a row, and two particles, are dear; a text begins with no particle.
            let cost: i16 = match (previous, next) {
                (1, 1) => 600,
                (2, 2) => 2000,
                (0, 2) => 3000,
                _ => 0,
            };
            bytes.extend(cost.to_le_bytes());
        }
    }
    bytes
}

fn categories() -> Vec<u8> {
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for name in ["DEFAULT", "KATAKANA"] {
        let mut name = name.as_bytes().to_vec();
        name.resize(32, 0);
        bytes.extend(name);
    }
    for c in 0..0xFFFF_u32 {
        let is_katakana = (0x30A1..=0x30FF).contains(&c);
        // Whole runs of katakana are tried, other characters one by one.
        let flags = if is_katakana { 2 | 1 << 18 | 2 << 26 | 1 << 30 } else { 1 | 1 << 26 };
        push(&mut bytes, &[flags]);
    }
    bytes
}

/// The words, the costs, the kinds of characters and the unknown words.
pub(in super::super) fn files() -> [Vec<u8>; 4] {
    [lexicon(&TEXT_WORDS), matrix(), categories(), lexicon(&UNKNOWN_WORDS)]
}

fn open(
    [words, costs, categories, unknown]: [Vec<u8>; 4],
) -> Result<Dictionary, (&'static str, DictionaryError)> {
    Dictionary::new(Files {
        words: Bytes::Held(words),
        costs: Bytes::Held(costs),
        categories: Bytes::Held(categories),
        unknown: Bytes::Held(unknown),
    })
}

fn words<'a>(dictionary: &Dictionary, text: &'a str, fixed: &[Fixed]) -> Vec<(&'a str, String)> {
    let nodes = dictionary.analyze(text, fixed);
    let said = |node| dictionary.feature(node).split(',').nth(8).unwrap_or("-").to_owned();
    nodes.iter().map(|node| (&text[node.start..node.end], said(node))).collect()
}

#[test]
fn the_cheapest_row_of_words_is_found() {
    let dictionary = open(files()).unwrap();
    let found = |text| {
        words(&dictionary, text, &[])
            .into_iter()
            .map(|(word, said)| format!("{word}:{said}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(found("母は東京"), "母:ハハ は:ワ 東京:トーキョー");
    assert_eq!(found("は"), "は:ハ");
    assert_eq!(found("母 は"), "母:ハハ は:ワ");
    assert_eq!(found("母はパリパリ"), "母:ハハ は:ワ パリパリ:-");
    assert_eq!(found("x東"), "x:- 東:ヒガシ");
    assert_eq!(found(""), "");
    assert_eq!(found(" 　"), "");
}

#[test]
fn fixed_words_are_never_cut_and_count_as_what_they_are_like() {
    let dictionary = open(files()).unwrap();
    let noun = dictionary.exact("母").next();
    assert!(noun.is_some() && dictionary.exact("父").next().is_none());
    let text = "東京は3は";
    let fixed = [Fixed { start: 9, end: 10, like: noun }];
    assert_eq!(words(&dictionary, text, &fixed)[2..], [("3", "-".to_owned()), ("は", "ワ".to_owned())]);
    let all = [Fixed { start: 0, end: text.len(), like: None }];
    let nodes = dictionary.analyze(text, &all);
    assert!(nodes.len() == 1 && nodes[0].source == Source::Fixed(0));
}

#[test]
fn floods_are_read_in_time_and_lose_nothing() {
    let dictionary = open(files()).unwrap();
    for text in [
        "東".repeat(5000),
        "パ".repeat(5000),
        "x".repeat(5000),
        "は".repeat(5000),
        " ".repeat(5000),
        "😀".repeat(3000),
    ] {
        let nodes = dictionary.analyze(&text, &[]);
        let bytes: usize = nodes.iter().map(|node| node.end - node.start).sum();
        assert_eq!(bytes, text.trim().len());
    }
}

#[test]
fn damaged_files_are_refused_by_name_or_read_without_harm() {
    for (index, name) in ["sys.dic", "matrix.bin", "char.bin", "unk.dic"].into_iter().enumerate() {
        for keep in [0, 3, 40, 71, 200, 4000] {
            let mut damaged = files();
            damaged[index].truncate(keep);
            let found = open(damaged).map_err(|(name, _)| name);
            let shorter = keep < files()[index].len();
            assert_eq!(found.err(), shorter.then_some(name), "{name} cut off at {keep}");
        }
    }
    // Sizes are right but what they enclose is not.
    for index in 0..4 {
        for step in [1, 7, 64] {
            for value in [0, 0x7F, 0xFF] {
                let mut damaged = files();
                let start = if index == 1 { 4 } else { 72 };
                damaged[index].iter_mut().skip(start).step_by(step).for_each(|byte| *byte = value);
                if let Ok(dictionary) = open(damaged) {
                    for node in dictionary.analyze("母は東京パリ", &[]) {
                        dictionary.feature(&node);
                    }
                }
            }
        }
    }
}

#[test]
fn another_dictionarys_costs_do_not_fit() {
    let mut other = files();
    other[1] = [2_u16.to_le_bytes(), 2_u16.to_le_bytes(), [0; 2], [0; 2], [0; 2], [0; 2]].concat();
    assert!(matches!(open(other), Err(("sys.dic", DictionaryError::Mismatch))));
}
