//! German: `„…“`, `»…«` and `«…»`, with tags that are inverted after a quote (`sagte Ines`).

use std::collections::HashMap;

use super::{Gender, Lexicon, Possessor, genders, set};

pub(super) fn lexicon() -> Lexicon {
    Lexicon {
        marks: &[('„', &['“', '”', '"']), ('»', &['«']), ('«', &['»']), ('"', &['"'])],
        verbs: set(
            "sagte fragte rief antwortete erwiderte entgegnete meinte flüsterte murmelte schrie versetzte \
             bemerkte fügte fuhr begann wiederholte erklärte brummte seufzte stammelte unterbrach dachte \
             versicherte bat befahl lachte sprach schloss ergänzte sagt fragt ruft antwortet",
        ),
        adverbs: set("da dann nun leise laut wieder noch auch plötzlich schließlich endlich"),
        first: set("ich"),
        male: set("er"),
        female: set("sie"),
        group: set("wir alle beide"),
        determiners: set("der die das ein eine jener jene dieser diese"),
        possessives: HashMap::from([
            ("sein", Possessor::Third(Gender::Male)),
            ("seine", Possessor::Third(Gender::Male)),
            ("ihr", Possessor::Third(Gender::Female)),
            ("ihre", Possessor::Third(Gender::Female)),
            ("mein", Possessor::First),
            ("meine", Possessor::First),
        ]),
        his: set("er sein seine seinen seinem seiner ihn ihm"),
        hers: set("sie ihr ihre ihren ihrem ihrer"),
        titles: genders(
            "herr onkel graf könig prinz baron vater bruder",
            "frau fräulein tante gräfin königin prinzessin mutter schwester",
            "doktor dr professor prof hauptmann",
        ),
        kin: genders(
            "vater bruder sohn onkel mann großvater vetter freund",
            "mutter schwester tochter tante frau großmutter freundin",
            "",
        ),
        nouns: genders(
            "mann junge knabe könig prinz greis alte soldat wirt bauer vater bruder",
            "frau mädchen königin prinzessin dame magd wirtin mutter schwester",
            "",
        ),
        crowds: set("männer frauen leute kinder anderen beiden alle"),
        function: set(
            "und oder aber denn doch wenn als wie weil daß dass ob so da dann nun nicht kein ja nein ist war \
             sind hat hatte ach oh es du ihr mir mich dich sich was wer wo wann warum hier dort den dem des \
             einen einem einer eines",
        ),
        prepositions: set(
            "in im an am auf aus bei beim mit nach von vom vor zu zum zur über unter durch für gegen ohne um",
        ),
        given: genders(
            "hans karl heinrich friedrich wilhelm peter paul max franz georg johann thomas",
            "anna maria ines clara marie luise margarete katharina helene effi charlotte",
            "",
        ),
        dear: set("liebe lieber liebste liebster"),
        and: set("und"),
        to: set("zu"),
        ..Lexicon::default()
    }
}
