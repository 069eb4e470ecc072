//! English.

use std::collections::HashMap;

use super::{Dashes, Gender, Lexicon, Possessor, genders, set};

pub(super) fn lexicon() -> Lexicon {
    Lexicon {
        marks: &[('“', &['”', '"']), ('"', &['"', '”'])],
        single: true,
        dashes: Dashes::None,
        verbs: set(VERBS),
        phrasal: [
            ("went", "on"),
            ("goes", "on"),
            ("put", "in"),
            ("broke", "in out"),
            ("burst", "out in"),
            ("cut", "in"),
            ("struck", "in"),
            ("chimed", "in"),
            ("called", "out"),
            ("cried", "out"),
            ("sang", "out"),
        ]
        .map(|(verb, particles)| (verb, set(particles)))
        .into(),
        adverbs: set(ADVERBS),
        first: set("i"),
        male: set("he"),
        female: set("she"),
        group: set("they we both all everybody everyone"),
        determiners: set("the a an this that another"),
        possessives: HashMap::from([
            ("his", Possessor::Third(Gender::Male)),
            ("her", Possessor::Third(Gender::Female)),
            ("their", Possessor::Third(Gender::Unknown)),
            ("its", Possessor::Third(Gender::Unknown)),
            ("my", Possessor::First),
            ("our", Possessor::First),
        ]),
        his: set("he his him himself"),
        hers: set("she her hers herself"),
        titles: genders(
            "mr mister sir lord king prince duke count baron uncle brother monsieur m herr signor señor don \
             father friar squire sergeant corporal lieutenant captain admiral",
            "mrs miss ms lady queen princess duchess countess baroness aunt aunty auntie sister madame mme \
             mademoiselle mlle frau fräulein signora señora doña dame mother madam",
            "dr doctor professor prof colonel major general commander judge inspector constable cousin \
             reverend rev bishop officer president master mistress old little young poor",
        ),
        kin: genders(
            "father brother son uncle husband grandfather nephew papa dad grandson lordship",
            "mother sister daughter aunt wife grandmother niece mamma mama mum mom granddaughter lady ladyship",
            "cousin child parent friend companion visitor guest host",
        ),
        spouses: set("wife husband lady"),
        couples: &[("mr", "mrs")],
        parents: set("father mother papa mama mamma dad mum mom"),
        nouns: genders(
            "man boy gentleman lad fellow king prince lord priest monk soldier sailor father uncle brother \
             husband son butler footman sergeant captain curate artilleryman mate waiter landlord coachman \
             policeman host squire duke baron count master chap policeman postman fisherman workman",
            "woman girl lady lass queen princess maid nurse mother aunt sister wife daughter widow nun \
             housekeeper landlady hostess governess duchess countess mistress waitress witch",
            "",
        ),
        generic: set(
            "man woman boy girl gentleman lady fellow person child stranger lad one first second third",
        ),
        crowds: set("men women people children crew crowd others both gentlemen ladies folk mob seamen \
             company audience chorus voices all family party boys girls"),
        things: set(THINGS),
        function: set(FUNCTION),
        prepositions: set(PREPOSITIONS),
        given: genders(MALE_NAMES, FEMALE_NAMES, ""),
        nicknames: NICKNAMES.iter().copied().collect(),
        actions: set(ACTIONS),
        silent: set("assented listened waited hesitated obeyed bowed made"),
        dear: set("dear dearest"),
        and: set("and"),
        who: set("who"),
        that: set("that how whether why what"),
        clauses: set("while but when as whereas until till though although because"),
        copulas: set("was came"),
        to: set("to at"),
        plural_s: true,
    }
}

const VERBS: &str = "said says cried cries asked asks replied replies answered answers exclaimed exclaims \
    whispered whispers shouted shouts called calls murmured muttered observed remarked added adds continued \
    continues returned rejoined retorted began begins inquired enquired demanded declared repeated interrupted \
    resumed proceeded suggested insisted protested admitted agreed explained announced thought growled grumbled \
    sighed sobbed laughed groaned gasped screamed shrieked yelled roared bellowed hissed snapped snarled \
    stammered faltered pleaded begged urged warned ordered commanded responded echoed ejaculated joked chuckled \
    giggled moaned whimpered wailed croaked piped drawled mumbled breathed panted persisted concluded confessed \
    acknowledged assured told quoth spoke spake queried questioned reasoned reflected mused pursued objected \
    offered promised prompted quipped reported scoffed sneered swore thundered vowed \
    volunteered wondered stated sang requested remonstrated predicted noted mentioned lamented jeered \
    intoned hailed grunted chimed complained coaxed confided corrected countered blurted boasted barked babbled \
    apologised apologized argued affirmed asserted advised allowed tell tells speaks say cry ask spluttered \
    sputtered squeaked squealed taunted teased trilled ventured whined rasped rapped purred prayed mocked \
    maintained hinted hazarded harangued granted fumed exulted dictated crowed cooed conceded cautioned cackled \
    bawled beseeched besought entreated implored invited lied nodded smiled grinned shrugged \
    addressed saying crying exclaiming asking adding whispering shouting replying calling muttering murmuring";

const THINGS: &str = "voice head face hand eye heart mind tone note countenance lip mouth shoulder arm finger \
    brow breath letter telegram book paper message sign word door wind clock bell song story look smile silence \
    return temptation gallantry reply answer question speech thought surprise moment time way air matter manner \
    subject rest same other whole end pause minute while turn point attention opinion conversation";

/// Irregular pasts of actions: a word after a noun that begins the predicate.
const ACTIONS: &str = "got put took went came gave made stood sat rose fell ran held kept left lay led let lost \
    met paid set shook shot shut slid spun stuck struck swung threw woke wore drew drove ate felt found flew grew \
    knew bent bit blew brought built caught chose clung crept dealt dug drank forgot froze hid hit hung leapt lit \
    rang rode saw sank sent shone slept sought spent sprang stole strode swam swept taught tore trod understood \
    wept won wound looks looked seemed seems turns sits stands takes goes comes gives puts";

const ADVERBS: &str = "then now again once only also even still at last first just never soon had has \
    always often quite rather almost half did would could here presently suddenly however indeed too though \
    ever simply merely seemed to slowly aloud softly himself herself";

const FUNCTION: &str = "and or but nor so yet for if when while as because since until till though although \
    that which who whom whose what where why how than then there here not no yes now it is was were are \
    be been being am has have had do does did will would shall should can could may might must one some any \
    each every both few more most other such you your yours him them us me it its himself herself themselves \
    myself itself ourselves yourself this these those oh ah well o eh chapter book part volume section letter \
    once again indeed perhaps never always ever also even just only still soon let good god lord heaven heavens \
    sunday monday tuesday wednesday thursday friday saturday january february march april may june july august \
    september october november december english french german american italian spanish irish scotch christmas easter";

const PREPOSITIONS: &str = "of to in on at by with from into upon over under about after before behind \
    between beyond through during without within against among around across along toward towards near off \
    out up down beside besides like unlike except despite amid amidst concerning regarding round past";

const MALE_NAMES: &str = "john william james charles george thomas henry robert edward joseph richard david \
    peter paul arthur frank albert fred frederick walter harry jack tom will bill jim joe sam samuel ben \
    benjamin daniel michael andrew philip stephen simon martin mark luke matthew anthony francis hugh ralph \
    roger oliver oscar edgar ernest alfred herbert harold hector victor leonard louis lewis max adam alan alex \
    alexander archie basil bob bobby carl christopher clive colin denis dick donald douglas edmund edwin eric \
    eugene felix gerald gilbert gregory guy horace humphrey ian isaac jacob jerry jonathan julian kenneth \
    laurence lawrence leo miles mike nathaniel neil nicholas nigel patrick percy ronald rupert sebastian \
    sherlock sidney silas stanley theodore timothy tim tobias vincent wilfred ned ted pip huck";

const FEMALE_NAMES: &str = "mary anne ann anna elizabeth jane sarah margaret catherine katherine kate emma \
    alice ellen emily charlotte lucy harriet caroline louisa maria martha susan sophia sophie julia helen \
    eleanor elinor marianne fanny isabella lydia kitty amy beth meg jo agnes ada amelia annie barbara beatrice \
    bertha bessie betsy betty bridget cecilia celia clara constance cora daisy diana dora dorothy edith eliza \
    elsie esther ethel eva eve evelyn florence flora frances georgiana gertrude grace hannah hester hilda ida \
    irene ines jenny jessie joan josephine judith laura lily linda lizzie lizzy lois mabel madeline maggie maud \
    may mildred millicent minnie miriam molly nancy nellie nelly nora olive olivia patience peggy penelope \
    phoebe polly rachel rebecca rosa rosamond rose ruth sally selina sibyl stella susanna sylvia theresa \
    ursula vera victoria violet virginia winifred wendy zoe";

const NICKNAMES: &[(&str, &str)] = &[
    ("lizzy", "elizabeth"),
    ("lizzie", "elizabeth"),
    ("eliza", "elizabeth"),
    ("beth", "elizabeth"),
    ("betsy", "elizabeth"),
    ("tom", "thomas"),
    ("will", "william"),
    ("bill", "william"),
    ("bob", "robert"),
    ("dick", "richard"),
    ("jim", "james"),
    ("joe", "joseph"),
    ("ned", "edward"),
    ("ted", "edward"),
    ("fred", "frederick"),
    ("sam", "samuel"),
    ("ben", "benjamin"),
    ("kate", "catherine"),
    ("kitty", "catherine"),
    ("maggie", "margaret"),
    ("meg", "margaret"),
    ("peggy", "margaret"),
    ("nelly", "ellen"),
    ("nellie", "ellen"),
    ("jenny", "jane"),
    ("harry", "henry"),
    ("jack", "john"),
    ("tim", "timothy"),
];
