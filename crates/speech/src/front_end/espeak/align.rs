//! Which sounds of a clause belong to which of its words, where their numbers differ: the program
//! writes a number as several words and joins some short ones. Each word is compared with what it
//! sounds like alone.

/// More symbols than these are shared by length: the table would be large.
const MOST_SYMBOLS: usize = 2_000;

/// The part of `said` that belongs to each word, given what each sounds like alone. The parts are in
/// order and together are the whole; a space belongs to the word before it.
pub(super) fn shares<'a>(alone: &[String], said: &'a str) -> Vec<&'a str> {
    let symbols: Vec<(usize, char)> = said.char_indices().collect();
    let owners: Vec<usize> = alone
        .iter()
        .enumerate()
        .flat_map(|(word, sounds)| sounds.chars().filter(|c| !c.is_whitespace()).map(move |_| word))
        .collect();
    let wanted: Vec<char> =
        alone.iter().flat_map(|sounds| sounds.chars()).filter(|c| !c.is_whitespace()).collect();
    // Where each word but the first begins, as an index of `symbols`.
    let mut begins = vec![symbols.len(); alone.len()];
    if wanted.is_empty() || symbols.len().max(wanted.len()) > MOST_SYMBOLS {
        for (word, begin) in begins.iter_mut().enumerate() {
            *begin = word * symbols.len() / alone.len().max(1);
        }
    } else {
        for (at, matched) in matches(&wanted, &symbols).into_iter().enumerate() {
            let word = owners[matched];
            begins[word] = begins[word].min(at);
        }
        // A word without a sound of its own begins where the next one does.
        for word in (0..begins.len().saturating_sub(1)).rev() {
            begins[word] = begins[word].min(begins[word + 1]);
        }
    }
    if let Some(first) = begins.first_mut() {
        *first = 0;
    }
    let byte = |symbol: usize| symbols.get(symbol).map_or(said.len(), |(at, _)| *at);
    let end = |word: usize| begins.get(word + 1).map_or(said.len(), |&begin| byte(begin));
    (0..alone.len()).map(|word| &said[byte(begins[word])..end(word)]).collect()
}

/// For each symbol that was said, the symbol of `wanted` that it stands for: the cheapest way to turn
/// one into the other, a space being said for nothing.
fn matches(wanted: &[char], said: &[(usize, char)]) -> Vec<usize> {
    const GAP: u32 = 2;
    let width = wanted.len() + 1;
    let mut cost = vec![0_u32; width * (said.len() + 1)];
    for (at, cell) in cost[..width].iter_mut().enumerate() {
        *cell = GAP * at as u32;
    }
    let insertion = |symbol: char| if symbol == ' ' { 0 } else { GAP };
    for row in 1..=said.len() {
        let symbol = said[row - 1].1;
        cost[row * width] = cost[(row - 1) * width] + insertion(symbol);
        for column in 1..width {
            let change = if wanted[column - 1] == symbol { 0 } else { 3 };
            cost[row * width + column] = (cost[(row - 1) * width + column - 1] + change)
                .min(cost[(row - 1) * width + column] + insertion(symbol))
                .min(cost[row * width + column - 1] + GAP);
        }
    }
    let mut matched = vec![0; said.len()];
    let (mut row, mut column) = (said.len(), wanted.len());
    while row > 0 {
        let symbol = said[row - 1].1;
        let here = cost[row * width + column];
        // What was put in belongs to the word before it.
        if here == cost[(row - 1) * width + column] + insertion(symbol) {
            matched[row - 1] = column.saturating_sub(1);
            row -= 1;
        } else if column > 0
            && here == cost[(row - 1) * width + column - 1] + if wanted[column - 1] == symbol { 0 } else { 3 }
        {
            matched[row - 1] = column - 1;
            (row, column) = (row - 1, column - 1);
        } else {
            column -= 1;
        }
    }
    matched
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(alone: &[&str], said: &str) -> Vec<String> {
        let alone: Vec<String> = alone.iter().map(|&sounds| sounds.to_owned()).collect();
        shares(&alone, said).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn a_number_keeps_all_of_its_words() {
        let shares = of(&["ʊm", "fˈɪɾtseːn dɾˈaɪsɪç", "ˈuːɾ"], "ʊm fˈɪɾtseːn dɾˈaɪsɪç ˈuːɾ");
        assert_eq!(shares, ["ʊm ", "fˈɪɾtseːn dɾˈaɪsɪç ", "ˈuːɾ"]);
    }

    #[test]
    fn words_that_became_one_are_told_apart_again() {
        let shares = of(&["ˈɒv", "ðˈə", "hˈaʊs"], "ɒvðə hˈaʊs");
        assert_eq!(shares, ["ɒv", "ðə ", "hˈaʊs"]);
    }

    #[test]
    fn nothing_is_lost_whatever_is_said() {
        for (alone, said) in
            [(&["a", "", "b"][..], "a b"), (&["", ""], "x y"), (&["abc"], ""), (&["a", "b", "c"], "zzz")]
        {
            let shares = of(alone, said);
            assert_eq!((shares.len(), shares.concat()), (alone.len(), said.to_owned()));
        }
        let long = "ab ".repeat(1_500);
        let alone = vec!["ab"; 700];
        assert_eq!(of(&alone, &long).concat(), long);
    }
}
