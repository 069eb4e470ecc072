//! How long captions stay: long enough to be read where the audio lets them. A caption that is too
//! short is extended into the silence around it, shares words with a neighbor, or joins it.

use super::{
    Cue,
    lines::{self, Token},
};

/// The most time from the first word of a caption to the end of its last.
pub(super) const MAX_CUE_MS: u64 = 6_000;
/// A pause this long ends a caption.
pub(super) const PAUSE_MS: u64 = 700;

/// A caption stays this long when the next one lets it.
const COMFORTABLE_MS: u64 = 1_000;

/// A caption that is shorter shares the time of its neighbors.
const MIN_CUE_MS: u64 = 700;

/// No caption stays longer, however long its one word is spoken.
const LONGEST_MS: u64 = 7_000;

/// One column takes this long to read: 25 a second, or half as many Chinese characters.
const COLUMN_MS: u64 = 40;

/// A caption may come this long before its first word.
const LEAD_MS: u64 = 500;

/// Captions of these groups of words, in order, none overlapping the next.
pub(super) fn timed(mut groups: Vec<Vec<Token>>) -> Vec<Cue> {
    share(&mut groups);
    let mut cues: Vec<Cue> = groups
        .iter()
        .filter_map(|tokens| {
            let (first, last) = (tokens.first()?, tokens.last()?);
            let end_ms = last.end_ms.max(first.start_ms.saturating_add(1));
            Some(Cue { start_ms: first.start_ms, end_ms, lines: lines::lines(tokens) })
        })
        .collect();
    extend(&mut cues);
    cues
}

/// How long a caption of a width should stay.
fn needed_ms(columns: usize) -> u64 {
    (columns as u64 * COLUMN_MS).max(MIN_CUE_MS)
}

/// How much longer a group should stay than until `next_ms`, where the next one comes.
fn lack_ms(tokens: &[Token], next_ms: u64) -> u64 {
    let start = tokens.first().map_or(0, |first| first.start_ms);
    needed_ms(lines::columns_of(tokens)).saturating_sub(next_ms.saturating_sub(start))
}

/// Until when a group may stay: until the next one comes; the last one, until its words end.
fn limit_ms(groups: &[Vec<Token>], at: usize) -> u64 {
    let next = groups.get(at + 1).and_then(|next| next.first()).map(|next| next.start_ms);
    next.or_else(|| groups.get(at)?.last().map(|last| last.end_ms)).unwrap_or(0)
}

/// Moves words between neighbors, or joins them, where one is too short to be read.
fn share(groups: &mut Vec<Vec<Token>>) {
    let mut at = 0;
    while at < groups.len() {
        let next_ms = limit_ms(groups, at);
        if lack_ms(&groups[at], next_ms) == 0 {
            at += 1;
            continue;
        }
        // With the caption after it, or with the one before it, whichever leaves less to be wished
        // for.
        let both = [Some(at), at.checked_sub(1)];
        let pairs = both.into_iter().flatten().filter(|&first| first + 1 < groups.len());
        let best = pairs.filter_map(|first| {
            let (split, gain) = better(groups, first)?;
            Some((gain, first, split))
        });
        let Some((_, first, split)) = best.max_by_key(|(gain, ..)| *gain) else {
            at += 1;
            continue;
        };
        let mut tokens = std::mem::take(&mut groups[first]);
        tokens.append(&mut groups[first + 1]);
        groups[first + 1] = tokens.split_off(split);
        groups[first] = tokens;
        if groups[first + 1].is_empty() {
            // What is one caption now may still be too short.
            groups.remove(first + 1);
            at = first;
        } else {
            at += 1;
        }
    }
}

/// A better boundary between two neighbors, and by how much it reduces the time that the two lack;
/// `None` when there is none. A long pause between them stays at the boundary: words after it are
/// not shown before it.
fn better(groups: &[Vec<Token>], first: usize) -> Option<(usize, u64)> {
    let (before, after) = (&groups[first], &groups[first + 1]);
    if after.first()?.start_ms.saturating_sub(before.last()?.end_ms) >= PAUSE_MS {
        return None;
    }
    let next_ms = limit_ms(groups, first + 1);
    let tokens: Vec<Token> = before.iter().chain(after).cloned().collect();
    let short = |tokens: &[Token]| match tokens {
        [first, .., last] => last.end_ms.saturating_sub(first.start_ms) <= MAX_CUE_MS && lines::fit(tokens),
        _ => true,
    };
    let lack = |split: usize| {
        let (before, after) = tokens.split_at(split);
        let Some(start) = after.first() else { return lack_ms(before, next_ms) };
        lack_ms(before, start.start_ms).saturating_add(lack_ms(after, next_ms))
    };
    let now = lack(before.len());
    let splits = (1..=tokens.len()).filter(|&split| short(&tokens[..split]) && short(&tokens[split..]));
    // Of those that are as good, the one that moves the fewest words.
    let best = splits.min_by_key(|&split| (lack(split), split.abs_diff(before.len())))?;
    (lack(best) < now).then(|| (best, now - lack(best)))
}

/// Lets captions stay into the silence after them, and come into the silence before them where that
/// is not enough.
fn extend(cues: &mut [Cue]) {
    let needed: Vec<u64> = cues
        .iter()
        .map(|cue| {
            needed_ms(cue.lines.iter().map(|line| lines::columns(line)).sum::<usize>() + cue.lines.len() - 1)
        })
        .collect();
    let spoken: Vec<u64> = cues.iter().map(|cue| cue.end_ms).collect();
    for at in 0..cues.len() {
        let next = cues.get(at + 1).map(|next| next.start_ms);
        let cue = &mut cues[at];
        let start = cue.start_ms;
        // The last one of all may end with the audio: its words' end is kept.
        let wanted = match next {
            Some(_) => start.saturating_add(needed[at].max(COMFORTABLE_MS)),
            None => cue.end_ms,
        };
        let end = cue.end_ms.max(wanted).min(start.saturating_add(LONGEST_MS));
        cue.end_ms = next.map_or(end, |next| end.min(next.max(start.saturating_add(1))));
    }
    for at in 1..cues.len() {
        let lack = needed[at].saturating_sub(cues[at].end_ms - cues[at].start_ms).min(LEAD_MS);
        let before = &cues[at - 1];
        let free = spoken[at - 1].max(before.start_ms.saturating_add(needed[at - 1].max(1)));
        let lead = lack.min(cues[at].start_ms.saturating_sub(free));
        if lead > 0 {
            cues[at].start_ms -= lead;
            let start = cues[at].start_ms;
            cues[at - 1].end_ms = cues[at - 1].end_ms.min(start);
        }
    }
}
