//! The first pass over a book: who speaks in it, by which names, and how it prints speech.

use super::{
    layout::{Layout, vocatives},
    lexicon::{Gender, Lexicon},
    names::{Seen, Survey},
    phrases::{Phrase, name_or_owner, subject},
    tags::{self, Strength, Tag},
    words::Words,
};

/// Collects the names of one paragraph. `lead` is the tag at the end of the paragraph before; that
/// of this one is returned.
pub(super) fn read(
    survey: &mut Survey,
    layout: &Layout,
    lead: Option<&Tag>,
    lexicon: &Lexicon,
) -> Option<Tag> {
    if let Some(lead) = lead
        && layout.quotes.first().is_some_and(|quote| quote.is_speech && quote.after.is_none())
    {
        survey.see(&lead.phrase, Seen::Tag, lexicon);
    }
    for narration in &layout.narration {
        mentions(survey, narration, lexicon);
    }
    for quote in layout.quotes.iter().filter(|quote| quote.is_speech) {
        let tags = [&quote.before, &quote.after].into_iter().flatten();
        for tag in tags.filter(|tag| tag.strength == Strength::Tag) {
            survey.see(&tag.phrase, Seen::Tag, lexicon);
            if let Some(to) = &tag.to {
                survey.see(to, Seen::Mention, lexicon);
            }
        }
        for (phrase, is_sure) in vocatives(quote.inner, lexicon) {
            let seen = if is_sure { Seen::Vocative } else { Seen::Mention };
            survey.see(&phrase, seen, lexicon);
        }
    }
    let last = layout.narration.last()?;
    tags::lead(last, lexicon).filter(|tag| tag.strength == Strength::Tag)
}

fn mentions(survey: &mut Survey, words: &Words, lexicon: &Lexicon) {
    // The subject of the sentence before.
    let mut before: Option<usize> = None;
    for sentence in words.sentences(lexicon) {
        let mut at = sentence.start;
        while at < sentence.end {
            match name_or_owner(words, at, sentence.end, lexicon) {
                Some((phrase, end)) => {
                    // At the start, any word has a capital letter; the subject is counted below.
                    if at > sentence.start || words.words[at].text.contains('.') {
                        survey.see(&phrase, Seen::Mention, lexicon);
                    }
                    at = end.max(at + 1);
                }
                None => at += 1,
            }
        }
        let Some((phrase, after)) = subject(words, sentence.start, sentence.end, lexicon) else {
            before = None;
            continue;
        };
        if let Phrase::Pronoun(gender) = phrase {
            if let Some(form) = before.take() {
                survey.vote(form, gender);
            }
            continue;
        }
        before = survey.see(&phrase, Seen::Mention, lexicon);
        let rest = &words.words[after.min(sentence.end)..sentence.end];
        let shown = rest.iter().find_map(|word| {
            let lower = &*word.lower;
            if lexicon.his.contains(lower) {
                Some(Gender::Male)
            } else if lexicon.hers.contains(lower) {
                Some(Gender::Female)
            } else {
                None
            }
        });
        if let (Some(form), Some(gender)) = (before, shown) {
            survey.vote(form, gender);
        }
    }
}
