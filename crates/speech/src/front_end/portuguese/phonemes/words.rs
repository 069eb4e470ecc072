//! Function words, and words that are not read as they are written.

use super::Loudness;
use crate::front_end::romance::word_set::WordSet;

/// Function words, which are stressed only before a pause.
static UNSTRESSED: WordSet = WordSet::new(
    "de a o que e do da é um com no se na por os eu as dos mas foi ao me ser seu tem são das ou nos \
     meu vai seus nas vou há aos sou faz às nós pra la num têm meus tu vão lo fui los las lhe lhes \
     te vos uns à",
);

/// Function words of two syllables or more, of which one is heard more.
static SECONDARY: WordSet = WordSet::new(
    "para não uma como você sua ele está ela até pode ter fazer minha era este onde estão esse eles \
     tenho foram sempre esta suas nunca nossa estou será qualquer desde tinha estava nosso podem \
     estar vamos vocês poder dele numa seria temos teve dela esses elas estamos neste posso nossos \
     deles essa essas nossas minhas umas",
);

/// Pronouns that lean on the verb before them.
pub(super) fn is_clitic(text: &str) -> bool {
    matches!(
        text,
        "me" | "te"
            | "se"
            | "lhe"
            | "lhes"
            | "o"
            | "a"
            | "os"
            | "as"
            | "lo"
            | "la"
            | "los"
            | "las"
            | "no"
            | "na"
            | "nos"
            | "nas"
            | "vos"
    )
}

/// How loud a word is when another word follows it.
pub(super) fn loudness(text: &str) -> Loudness {
    if UNSTRESSED.contains(text) {
        Loudness::None
    } else if SECONDARY.contains(text) {
        Loudness::Secondary
    } else {
        Loudness::Primary
    }
}

/// Words in which the u of qu is heard before e and i.
pub(super) fn has_kw(text: &str) -> bool {
    static STEMS: WordSet = WordSet::new(
        "frequent frequênc consequent consequênc subsequent sequênc sequenc eloquen eloquên delinqu \
         cinquent tranquil equestre equino aquífero ubiqu",
    );
    STEMS.is_inside(text)
}

/// Words in which x between vowels is ks.
pub(super) fn has_ks(text: &str) -> bool {
    static STEMS: WordSet = WordSet::new(
        "táxi taxi fix sex anex complex reflex nex conex flex ortodox paradox tóxic toxic intoxic \
         oxig oxid óxid axi clímax crucifix prefix sufix léxic lexic boxe maxil prolix asfix \
         heterodox perplex convex tórax látex maxila galáxia profilax saxof texan inox",
    );
    STEMS.is_inside(text) && !text.starts_with("paix")
}

/// The phonemes of a word that is not read as it is written.
pub(super) fn said(text: &str) -> Option<&'static str> {
    WORDS
        .binary_search_by_key(&text, |(word, _)| *word)
        .ok()
        .and_then(|at| WORDS.get(at))
        .map(|(_, said)| *said)
}

/// Words, in the order of their bytes.
const WORDS: &[(&str, &str)] = &[
    ("a", "ˈa"),
    ("aguentar", "ˌaɡwAŋtˈar"),
    ("ainda", "aˈiŋdæ"),
    ("alan", "ˈalɐ̃ŋ"),
    ("angeles", "ˈɐ̃ʒelis"),
    ("ao", "ˈW"),
    ("aos", "ˈWs"),
    ("as", "ˈas"),
    ("assembleia", "ˌasAmblˈɛɪæ"),
    ("auxiliar", "Wsiljˈar"),
    ("auxílio", "Wsˈiljʊ"),
    ("b", "bˈe"),
    ("bilíngue", "bilˈiŋɡwy"),
    ("bitcoin", "bitkˈoɪŋ"),
    ("bitcoins", "bitkˈoɪŋs"),
    ("blog", "blˈɔɡ"),
    ("byte", "bˈIʧy"),
    ("bytes", "bˈIʧys"),
    ("bê", "bˈe"),
    ("c", "sˈe"),
    ("caindo", "kaˈiŋdʊ"),
    ("caiu", "kaˈiʊ"),
    ("campus", "kˈɐ̃mpus"),
    ("celsius", "sˈɛʊsius"),
    ("cinquenta", "siŋkwˈAŋtæ"),
    ("consequência", "kˌoŋsekwˈAŋsjæ"),
    ("consequências", "kˌoŋsekwˈAŋsjæs"),
    ("coreia", "kˌoɾˈɛɪæ"),
    ("cuidado", "kuɪdˈadʊ"),
    ("cãibra", "kˈɐ̃ɪbræ"),
    ("cétera", "sˈɛteɾæ"),
    ("cê", "sˈe"),
    ("d", "dˈe"),
    ("david", "dAvˈiʤ"),
    ("de", "ʤˈy"),
    ("delinquente", "deliŋkwˈAŋʧy"),
    ("design", "dezˈIn"),
    ("do", "dˈʊ"),
    ("dos", "dˈʊs"),
    ("download", "dWŋlˈowʤy"),
    ("dê", "dˈe"),
    ("e", "ˈi"),
    ("e-mail", "imˈAw"),
    ("e-mails", "imˈAws"),
    ("eloquente", "elokwˈAŋʧy"),
    ("email", "imˈAw"),
    ("equestre", "ekwˈɛstry"),
    ("esse", "ˈesi"),
    ("esses", "ˈesis"),
    ("estreia", "ˌestrˈɛɪæ"),
    ("et", "ˈɛʧ"),
    ("etc", "ˌeʦˈɛteɾæ"),
    ("europeia", "ˌeʊɾopˈɛɪæ"),
    ("ex", "ˈes"),
    ("exame", "ezˈɐ̃my"),
    ("exato", "ezˈatʊ"),
    ("experiência", "ˌespeɾjˈAŋsjæ"),
    ("experiências", "ˌespeɾjˈAŋsjæs"),
    ("exército", "ezˈɛɾəsitʊ"),
    ("f", "ˈɛfy"),
    ("facebook", "fˌAsybˈuk"),
    ("fahrenheit", "fˈaɾeŋxAʧy"),
    ("fluido", "flˈuɪdʊ"),
    ("frequente", "frekwˈAŋʧy"),
    ("frequência", "frekwˈAŋsjæ"),
    ("g", "ʒˈe"),
    ("game", "ɡˈAmy"),
    ("games", "ɡˈAmys"),
    ("gay", "ɡˈA"),
    ("gays", "ɡˈAs"),
    ("geleia", "ʒelˈɛɪæ"),
    ("gigabyte", "ʒˌiɡabˈIʧy"),
    ("gigabytes", "ʒˌiɡabˈIʧys"),
    ("google", "ɡˈuɡow"),
    ("gratuito", "ɡrˌatˈuɪtʊ"),
    ("h", "aɡˈa"),
    ("hardware", "xˌaɾədwˈɛr"),
    ("hashtag", "xˌaʃtˈɛɡy"),
    ("hertz", "xˈɛɾəʦ"),
    ("hexágono", "ezˈaɡonʊ"),
    ("hip", "xˈipy"),
    ("hop", "xˈɔpy"),
    ("hífen", "ˈifAŋ"),
    ("hífens", "ˈifAŋs"),
    ("i", "ˈi"),
    ("ibope", "ˌibˈɔpi"),
    ("ideia", "ˌidˈɛɪæ"),
    ("ideias", "ˌidˈɛɪæs"),
    ("iene", "iˈeny"),
    ("ienes", "iˈenys"),
    ("inpe", "ˈimpi"),
    ("instagram", "ˈiŋstaɡrɐ̃m"),
    ("internet", "ˌiŋteɾənˈɛʧ"),
    ("intuito", "ˌiŋtˈuɪtʊ"),
    ("iphone", "IfˈoŋI"),
    ("j", "ʒˈɔtæ"),
    ("james", "ʤˈAmys"),
    ("jazz", "ʒˈɛs"),
    ("jeans", "ʤˈiŋs"),
    ("john", "ʤˈɔŋ"),
    ("juiz", "ʒuˈis"),
    ("juíza", "ʒuˈizæ"),
    ("k", "kˈa"),
    ("l", "ˈɛly"),
    ("lhe", "ljˈy"),
    ("lhes", "ljˈys"),
    ("linguiça", "liŋɡwˈisæ"),
    ("linguística", "liŋɡwˈisʧikæ"),
    ("lo", "lˈʊ"),
    ("los", "lˈʊs"),
    ("lápis", "lˈapis"),
    ("m", "ˈemy"),
    ("marketing", "mˈaɾəkeʧiŋ"),
    ("masp", "mˈaspi"),
    ("me", "mˈy"),
    ("megabyte", "mˌɛɡabˈIʧy"),
    ("megabytes", "mˌɛɡabˈIʧys"),
    ("michael", "mˈIkow"),
    ("moinho", "moˈiɲʊ"),
    ("muita", "mwˈiŋtæ"),
    ("muitas", "mwˈiŋtæs"),
    ("muito", "mwˈiŋtʊ"),
    ("muitos", "mwˈiŋtʊs"),
    ("máxima", "mˈasimæ"),
    ("máximo", "mˈasimʊ"),
    ("mãe", "mˈɐ̃y"),
    ("mães", "mˈɐ̃ys"),
    ("n", "ˈeny"),
    ("nelson", "nˈɛʊsoŋ"),
    ("new", "njˈu"),
    ("no", "nˈʊ"),
    ("nos", "nˈʊs"),
    ("o", "ˈʊ"),
    ("obsequioso", "obsekiˈozʊ"),
    ("obséquio", "obsˈɛkjʊ"),
    ("odisseia", "ˌoʤisˈɛɪæ"),
    ("ok", "ɔkˈA"),
    ("okei", "okˈA"),
    ("online", "oŋlˈIŋ"),
    ("onu", "ˈonu"),
    ("os", "ˈʊs"),
    ("p", "pˈe"),
    ("para", "pˈaɾæ"),
    ("país", "paˈis"),
    ("pela", "pˈelæ"),
    ("pelo", "pˈelʊ"),
    ("período", "pˌeɾˈiʊdʊ"),
    ("períodos", "pˌeɾˈiʊdʊs"),
    ("pinguim", "piŋɡwˈiŋ"),
    ("pixel", "pˈiksɛʊ"),
    ("pixels", "pˈiksɛʊs"),
    ("pizza", "pˈiʦæ"),
    ("pizzas", "pˈiʦæs"),
    ("plateia", "plˌatˈɛɪæ"),
    ("pop", "pˈɔpy"),
    ("pra", "prˈa"),
    ("pro", "prˈʊ"),
    ("próxima", "prˈɔsimæ"),
    ("próximas", "prˈɔsimæs"),
    ("próximo", "prˈɔsimʊ"),
    ("próximos", "prˈɔsimʊs"),
    ("q", "kˈe"),
    ("que", "kˈy"),
    ("quê", "kˈe"),
    ("r", "ˈɛxy"),
    ("rainha", "xaˈiɲæ"),
    ("raiz", "xaˈis"),
    ("ranking", "xˈɐ̃ŋkiŋɡ"),
    ("rashtégui", "xˌaʃtˈɛɡi"),
    ("rock", "xˈɔk"),
    ("ruim", "xuˈiŋ"),
    ("s", "ˈɛsy"),
    ("saindo", "saˈiŋdʊ"),
    ("saiu", "saˈiʊ"),
    ("sarah", "sˈaɾæ"),
    ("se", "sˈy"),
    ("sequência", "sekwˈAŋsjæ"),
    ("sesc", "sˈɛski"),
    ("shakespeare", "ʃˈAkspir"),
    ("shopping", "ʃˈɔpiŋ"),
    ("show", "ʃˈow"),
    ("shows", "ʃˈows"),
    ("site", "sˈIʧy"),
    ("sites", "sˈIʧys"),
    ("skate", "skˈAʧy"),
    ("smart", "smˈaɾəʧy"),
    ("smartphone", "smˌaɾəʧfˈony"),
    ("software", "sˌɔftwˈɛr"),
    ("status", "stˈatus"),
    ("subsolo", "subsˈolʊ"),
    ("subsídio", "subsˈiʤjʊ"),
    ("super", "sˈuper"),
    ("t", "tˈe"),
    ("te", "ʧˈy"),
    ("tranquila", "trɐ̃ŋkwˈilæ"),
    ("tranquilo", "trɐ̃ŋkwˈilʊ"),
    ("transe", "trˈɐ̃ŋsy"),
    ("trouxe", "trˈowsy"),
    ("trouxer", "trowsˈɛr"),
    ("trouxeram", "trˌowsˈɛɾɐ̃ʊ̃"),
    ("trânsito", "trˈɐ̃ŋzitʊ"),
    ("twitter", "twˈiter"),
    ("tê", "tˈe"),
    ("tênis", "tˈenis"),
    ("u", "ˈu"),
    ("uaifai", "wIfˈI"),
    ("ubiquidade", "ubˌikwidˈaʤy"),
    ("uerj", "ˌuˈɛɾəʒi"),
    ("um", "ˈu\u{303}ŋ"),
    ("unicamp", "unikˈɐ̃mpi"),
    ("unicâmpi", "unikˈɐ̃mpi"),
    ("usp", "ˈuspi"),
    ("v", "vˈe"),
    ("victor", "vˈiktor"),
    ("vê", "vˈe"),
    ("vídeo", "vˈiʤjʊ"),
    ("vídeos", "vˈiʤjʊs"),
    ("vírus", "vˈiɾus"),
    ("w", "dˈabliʊ"),
    ("walter", "vˈWter"),
    ("washington", "wˈɔʃiŋtoŋ"),
    ("watt", "wˈaʧy"),
    ("watts", "wˈaʦ"),
    ("whatsapp", "wˌaʦˈapy"),
    ("wifi", "wIfˈI"),
    ("x", "ʃˈis"),
    ("y", "ˈipsiloŋ"),
    ("york", "jˈɔɾək"),
    ("youtube", "jˌutˈubi"),
    ("z", "zˈe"),
    ("zê", "zˈe"),
    ("à", "ˈaː"),
    ("às", "ˈaːs"),
    ("é", "ˈɛ"),
    ("ípsilon", "ˈipsiloŋ"),
    ("ó", "ˈɔ"),
    ("ônibus", "ˈonibus"),
];
