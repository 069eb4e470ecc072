//! Which vowel of a word is stressed: by its written accent, by its ending, else the last but one.

use super::is_vowel;
use crate::front_end::romance::word_set::WordSet;

/// The place of the stressed vowel among the letters of a word. `None` when it has no vowel.
pub(super) fn of(text: &str, letters: &[char]) -> Option<usize> {
    let accented = |c: &char| "àèéìíòóùú".contains(*c);
    if let Some(at) = letters.iter().rposition(accented) {
        return Some(at);
    }
    let nuclei = nuclei(text, letters);
    let count = nuclei.len();
    let from_end = |place: usize| nuclei.get(count.saturating_sub(place)).copied();
    if count < 2 {
        return nuclei.first().copied().or_else(|| letters.iter().position(|&c| is_vowel(c) || c == 'y'));
    }
    // "Andai", "noi", "colui": the last two letters are a diphthong with the stress.
    let ends_in_diphthong = letters.len() > 2
        && letters.last() == Some(&'i')
        && letters.get(letters.len() - 2).is_some_and(|&c| matches!(c, 'a' | 'e' | 'o' | 'u'));
    // Words that end in a consonant are foreign or cut short: "signor", "amor", "computer".
    let ends_in_consonant = letters.last().is_some_and(|&c| !is_vowel(c));
    if ends_in_diphthong {
        return from_end(1);
    }
    if ends_in_consonant {
        return from_end(if is_cut_short(text) { 1 } else { 2 });
    }
    let place = match () {
        () if is_preproparoxytone(text) => 4,
        () if is_proparoxytone(text) => 3,
        () => 2,
    };
    from_end(place.min(count))
}

/// The places of the vowels that form syllables: not an i or u that glides into another vowel.
fn nuclei(text: &str, letters: &[char]) -> Vec<usize> {
    let own = stressed_i(text);
    let at = |index: usize| letters.get(index).copied().unwrap_or(' ');
    let mut found = Vec::new();
    for (index, &c) in letters.iter().enumerate() {
        if !is_vowel(c) {
            continue;
        }
        let before = index.checked_sub(1).map_or(' ', at);
        let next = at(index + 1);
        let glides = match c {
            // "Via", "teoria": the i is stressed.
            'i' if own && index + 2 == letters.len() => false,
            // "Seguire", "quindi".
            'i' if before == 'u' && index > 1 && matches!(at(index - 2), 'q' | 'g') => is_vowel(next),
            // "Cardiaco", "austriaco".
            'i' if is_in_iaco(text) && index + 4 == letters.len() => false,
            // "Costruire": only after a, e and o is it the end of a diphthong.
            'i' => is_vowel(next) || (matches!(before, 'a' | 'e' | 'o') && !own_after(text)),
            'u' if matches!(before, 'q' | 'g') => is_vowel(next),
            'u' if matches!(text, "suo" | "sua" | "sue" | "tuo" | "tua" | "tue" | "bue" | "gru") => false,
            // "Centouno", "milleuno".
            'u' if text.ends_with("uno") && index + 3 == letters.len() => false,
            // "Ventidue".
            'u' if text.ends_with("due") && index + 2 == letters.len() => false,
            'u' => is_vowel(next) || (is_vowel(before) && before != 'i' && !own_after(text)),
            _ => false,
        };
        if !glides {
            found.push(index);
        }
    }
    found
}

fn is_in_iaco(text: &str) -> bool {
    ["iaco", "iaca", "iaci"].iter().any(|ending| text.ends_with(ending)) && !text.starts_with("ubriac")
}

/// Words whose i or u after a vowel is a syllable of its own.
fn own_after(text: &str) -> bool {
    [
        "paur", "baul", "balaustr", "aiut", "egoism", "egoist", "eroism", "eroin", "ruin", "rovin", "suicid",
        "fluid", "gratuit", "druid", "heroin", "reit",
    ]
    .iter()
    .any(|stem| text.starts_with(stem))
        && !["aiut", "fluid", "gratuit", "ruin", "druid"]
            .iter()
            .any(|stem| text.starts_with(stem) && stem.len() == 4)
}

/// Whether the i of -ia, -io, -ie, -ii at the end is stressed.
fn stressed_i(text: &str) -> bool {
    static WORDS: WordSet = WordSet::new(
        "via vie stia tuttavia invia avvia ossia giuria giurie agenzia agenzie pulizia pulizie \
         romania tunisia bulgaria scrivania scrivanie zio zia zii zie mio mia mie dio dia pio pia \
         rio rii spia spie scia sia fia lio io addio oblio brio trio fruscio mormorio ronzio brusio \
         pendio leggio rinvio invio avvio pigolio calpestio cigolio balbettio desio restio natio \
         tardio stantio solatio scintillio luccichio chiacchierio lavorio logorio addii rinvii \
         pendii mormorii malattia malattie bugia bugie magia magie follia follie polizia polizie \
         pazzia pazzie maria lucia sofia fantasia fantasie poesia poesie cortesia cortesie gelosia \
         gelosie ipocrisia eresia eresie frenesia compagnia compagnie signoria signorie maestria \
         energia energie strategia strategie allergia allergie nostalgia terapia terapie utopia \
         utopie empatia simpatia simpatie antipatia apatia garanzia garanzie diplomazia burocrazia \
         democrazia democrazie aristocrazia farmacia farmacie mania manie armonia armonie ironia \
         sinfonia sinfonie agonia economia economie autonomia anatomia geografia filosofia \
         filosofie fotografia fotografie biografia biografie periferia periferie teoria teorie \
         categoria categorie fattoria fattorie trattoria trattorie allegoria euforia cavalleria \
         libreria librerie pizzeria pizzerie galleria gallerie batteria batterie segreteria \
         lotteria osteria osterie scuderia macelleria pasticceria tabaccheria fanteria artiglieria \
         ferrovia ferrovie allegria carestia monarchia gerarchia anarchia ungheria lombardia \
         normandia turchia tirannia sinergia chirurgia liturgia elegia borghesia foresteria \
         drogheria gastronomia astronomia pediatria psichiatria geometria simmetria idolatria \
         razzia alchimia anemia epidemia pandemia leucemia bigamia bonomia fisionomia tassonomia \
         razzie epidemie anomalia anomalie melodia melodie parodia parodie ortodossia profezia \
         profezie codardia sodomia restia arpia arpie fuggia avia saria isaia elia tobia geremia \
         zaccaria mattia pavia bahia elettricita bulimia anoressia asfissia epilessia dislessia \
         gengia prodromia mezzania etnia etnie badia abbazia abbazie sacrestia amnistia eucarestia \
         dinastia dinastie pirateria infermeria tesoreria birreria gelateria",
    );
    static ENDINGS: WordSet = WordSet::new(
        "logia logie grafia grafie nomia nomie sofia metria metrie crazia crazie archia filia fobia \
         fobie scopia tomia patia patie fonia fonie eria erie gogia",
    );
    static NOT: WordSet = WordSet::new(
        "materia materie miseria miserie arteria arterie serie siberia algeria liberia iberia \
         nigeria criteria intemperie progenie sicilia famiglia seria aeria ceria cerie feria ferie \
         macerie valeria imperia congerie",
    );
    WORDS.contains(text) || (ENDINGS.ends(text) && !NOT.contains(text))
}

/// Words with the stress on the fourth vowel from the end: verbs such as "telefonano".
fn is_preproparoxytone(text: &str) -> bool {
    static VERBS: WordSet = WordSet::new(
        "abitano agitano anticipano applicano caricano celebrano classificano collaborano \
         comunicano considerano criticano dedicano desiderano determinano dimenticano dominano \
         dubitano edificano elaborano eliminano esaminano esercitano evitano fabbricano generano \
         giudicano giustificano identificano illuminano immaginano implicano indicano limitano \
         litigano meritano modificano moltiplicano navigano nominano obbligano occupano operano \
         ordinano ospitano partecipano pianificano praticano predicano pubblicano qualificano \
         recitano recuperano replicano seminano semplificano significano sottolineano superano \
         telefonano terminano tollerano verificano visitano abitino desiderino",
    );
    VERBS.contains(text)
}

/// Endings of words whose stress is on the last but two.
const ENDINGS: &[&str] = &[
    // "Dimmelo", "dammela".
    "mmelo", "mmela", "mmeli", "mmele", "ccelo", "ccela", "glielo", "gliela", "tevelo",
    // Adjectives and nouns.
    "abile", "abili", "ibile", "ibili", "ubile", "ubili", "evole", "evoli", "issimo", "issima", "issimi",
    "issime", "esimo", "esima", "esimi", "esime", "udine", "udini", "aggine", "aggini", "igine", "igini",
    "edine", "edini", "agine", "agini", "ologo", "ologa", "ologhi", "ologi", "ografo", "ografa", "ografi",
    "ometro", "ometri", "imetro", "imetri", "ofono", "ofoni", "ofago", "ogeno", "ogena", "ogeni", "igeno",
    "ifero", "ifera", "ifici", "ivoro", "ivori", "onomo", "onoma", "onomi", "odromo", "ocrate", "ocrati",
    "oscopo", "ottero", "otteri", "oide", "oidi", "acqueo", // "Medico", "logica", "politiche".
    "ico", "ica", "ici", "iche", "aco", "iaco", "iaci", "aca", // "Rapido", "valida".
    "ido", "ida", "idi", "ide", // "Ultimo", "anima".
    "imo", "ima", "imi", "ime", // "Popolo", "tavola", "piccolo", "regole".
    "colo", "cola", "coli", "cole", "golo", "gola", "goli", "gole", "tolo", "tola", "toli", "tole", "polo",
    "poli", "bolo", "boli", "volo", "vola", "voli", "vole", "dolo", "dola", "dule", "dulo", "sola", "sole",
    "isolo", // Verbs: "parlavano", "andarono", "fossero", "avrebbero".
    "avano", "evano", "ivano", "arono", "erono", "irono", "ebbero", "assero", "essero", "issero", "ossero",
    "dero", "sero", "cquero", "nnero", "ssero", "rsero", "tero",
    // "Dicono", "prendono", and infinitives such as "prendere".
    "ono", "ere", "ersi", "ermi", "erti", "erci", "ervi", "erlo", "erla", "erli", "erle", "erne",
    // "Contemporaneo", "aerea".
    "aneo", "anea", "anei", "anee", "eneo", "enea", "enei", "enee", "oneo", "onea", "onei", "aceo", "acea",
    "acei", "ureo", "urea", "areo", "area", "aree", "oreo", "ineo", "inea", "inee", "inei", "igneo",
    "emporeo", // "Debito", "subito" are a list's; "spirito", "compito".
    "erito", "eriti", "edito", "editi", "ebito", "ebiti", "abito", "abiti", "ubito", "mbito", "mbiti",
    "pirito", "piriti",
];

/// Whether a word is stressed on the last vowel but two.
fn is_proparoxytone(text: &str) -> bool {
    if PAROXYTONES.contains(text) {
        return false;
    }
    if PROPAROXYTONES.contains(text) {
        return true;
    }
    // "Ebraico", "stoica": the i belongs to the vowel before it.
    let diphthong = ["ico", "ica", "ici", "iche"]
        .iter()
        .any(|ending| text.strip_suffix(ending).is_some_and(|stem| stem.ends_with(['a', 'o'])));
    if diphthong {
        return false;
    }
    // "Raccogliere", against "mestiere".
    if text.ends_with("gliere") {
        return true;
    }
    // "Pensiero", "bandiera" and infinitives with a stressed -ere.
    if text.ends_with("iere") || text.ends_with("iero") || text.ends_with("ieri") || text.ends_with("iera") {
        return false;
    }
    if text.ends_with("ano") {
        return is_verb_in_ano(text);
    }
    if text.ends_with("ino") && verbs_in_ino(text) {
        return true;
    }
    // "Mandarlo", "dirmi": an infinitive with a pronoun keeps its stress.
    if LONG_INFINITIVES.iter().any(|stem| {
        let rest = text.strip_prefix(stem).or_else(|| text.split_once(stem).map(|(_, rest)| rest));
        rest.is_some_and(|rest| {
            matches!(rest, "e" | "si" | "mi" | "ti" | "ci" | "vi" | "lo" | "la" | "li" | "le" | "ne")
        })
    }) {
        return false;
    }
    ENDINGS.iter().any(|ending| text.ends_with(ending))
}

/// Infinitives in a stressed -ere, without their last vowel. Others are stressed before it.
static LONG_INFINITIVES: WordSet = WordSet::new(
    "aver saper poter dover voler veder tener rimaner ber cader seder temer goder tacer piacer \
     valer parer mantener ottener contener sostener appartener trattener riveder preveder provveder \
     posseder dispiacer accader decader persuader giacer dissuader permaner compiacer intrattener \
     detener astener ritener soler doler prevaler riaver mester equivaler",
);

/// Whether a word in -ano is a verb of the third person, "parlano", and not a noun or an adjective.
fn is_verb_in_ano(text: &str) -> bool {
    // Of words in -iano most are adjectives: "italiano".
    static VERBS: WordSet = WordSet::new(
        "siano abbiano facciano vogliano possiano diano stiano sappiano debbiano cambiano studiano \
         cominciano lasciano mangiano iniziano viaggiano cacciano baciano odiano lanciano rischiano \
         invecchiano svegliano tagliano sbagliano pigliano scoppiano copiano raddoppiano annunciano \
         denunciano pronunciano rinunciano finanziano ringraziano negoziano premiano risparmiano \
         soffiano gonfiano sfidano minacciano abbracciano intrecciano muoiano appaiano paiano \
         umiliano consigliano somigliano assomigliano meravigliano conciliano appoggiano \
         festeggiano poggiano",
    );
    static NOUNS: WordSet = WordSet::new(
        "umano romano piano mano lontano sano strano vano capitano urbano sovrano veterano vulcano \
         americano africano messicano repubblicano napoletano toscano padano milano aeroplano \
         divano villano grano nano invano uragano pagano altopiano montano cubano metropolitano \
         decano germano francescano domenicano giordano gaetano napolitano musulmano luterano \
         puritano ciarlatano pantano tulipano malsano profano arcano vaticano ottomano lucano \
         cagliaritano palermitano pastrano catalano castellano isolano popolano paesano mezzano \
         nostrano insano disumano bolzano silvano merano lugano murano legnano baciamano brano \
         sovrumano suburbano interurbano anglicano gallicano publicano pelicano pellicano scrivano \
         ortolano ruffiano gargano fano sagrestano cappellano guardiano tutsano anconetano pisano \
         aretano padovano mantovano afgano tebano troiano",
    );
    if text.ends_with("iano") {
        return VERBS.contains(text) || text.ends_with("eggiano");
    }
    !NOUNS.contains(text)
}

/// "Uomini", "pagine" and subjunctives such as "parlino".
fn verbs_in_ino(text: &str) -> bool {
    matches!(
        text,
        "parlino"
            | "pensino"
            | "trovino"
            | "arrivino"
            | "portino"
            | "restino"
            | "tornino"
            | "passino"
            | "lavorino"
            | "asino"
            | "acino"
            | "cassino."
    )
}

/// Whether a word that ends in a consonant has lost its last vowel: "signor", "andar". Others are
/// foreign, and most of those are stressed before their last vowel.
fn is_cut_short(text: &str) -> bool {
    static WORDS: WordSet = WordSet::new(
        "aver poter saper veder voler dover tener piacer rimaner pensier mestier cavalier qualcun \
         alcun nessun ciascun ognun cammin hotel robot madrid signor maggior miglior peggior minor \
         kebab menu bidet buffet cabaret",
    );
    const FOREIGN: &[&str] = &[
        "horror", "victor", "junior", "senior", "sponsor", "tutor", "monitor", "motor", "oscar", "radar",
        "dollar",
    ];
    WORDS.contains(text)
        || (!FOREIGN.contains(&text) && ["ar", "ir", "or"].iter().any(|ending| text.ends_with(ending)))
}

/// Words stressed on the last vowel but one although their ending is that of the others.
static PAROXYTONES: WordSet = WordSet::new(
    "consigliere consiglieri pallavolo reality bastarda inseriti trasferiti reperti condivide \
     condivido condividi omicidi suicidi dapprima anteprima autostima uffici ufficio edifici \
     benefici sacrifici artifici orifici indizi ingegnere ingegneri messaggere romanziere barbiere \
     droghiere ostacolare divertiti informati vestiti amico amica amici amiche nemico nemica nemici \
     nemiche antico antica antichi antiche fatica fatiche dico dica dici fico fichi vico aprico \
     pudico ombelico lombrico formica formiche mendico rubrica rubriche vescica ortica ortiche \
     federico enrico ludovico federica mollica radici cornici felici infelici attrici narici \
     cicatrici pernici vernici appendici benedico maledico intrico caduco opaco opaca ubriaco \
     ubriaca ubriachi fuoco poco gioco cuoco luogo roco baco lumaca lumache vaga cloaca giacca \
     faraco guida guide guidi sfida sfide grida grido gridi nido nidi lido lidi fido fida infido \
     rido ride ridi sorrido sorride divido divide decido decide uccido uccide confido confida \
     affida suicida omicida corrida florida madrid bastida vide previde rivide provvide deride \
     incide coincide recide elide collide corrode esplode gode lode mode sode primo prima primi \
     prime mimo stimo stima stime sublime concime regime regimi rima rime cima cime lima clima \
     climi enzima enzimi esprimo esprime opprime imprime sopprime deprime redime pantomima lime \
     dirime intime reprime comprime parola parole pistola pistole scuola scuole figliola figliolo \
     figlioli spagnolo spagnola spagnoli spagnole sola sole solo soli gola gole mola cola volo voli \
     vola polo poli dolo molo viola viole aiuola aiuole consola crivola riso suola suole stola \
     stole spola carriola capriola capriole usignolo tovagliolo lenzuolo fagioli fagiolo nocciola \
     nocciole braciola pignolo petrolio orzaiolo montagnola girasole girasoli parasole tagliola \
     sottosuolo romagnolo campagnolo boscaiolo ruolo ruoli stuolo suolo duolo assolo sono buono \
     dono doni tono suono trono perdono abbandono frastuono condono tuono cono nono abbono corono \
     patrono colono ragiono funziono prono icono ozono sera sere vera vere intere nere cere pere \
     mere severe sincere galere chimere preghiere primavere atmosfere sfere fiere miniere tere \
     avere sapere potere dovere volere vedere tenere rimanere bere cadere sedere temere godere \
     tacere piacere valere parere mantenere ottenere contenere sostenere appartenere trattenere \
     rivedere prevedere provvedere possedere dispiacere accadere decadere persuadere giacere \
     dissuadere permanere compiacere ritenere intravedere stravedere soggiacere scadere ricadere \
     intrattenere detenere astenere dolere condolere prevalere equivalere riavere podere poderi \
     carabiniere straniere intero messere verdi sopraere versi persi diversi immersi dispersi \
     emersi erti esperti aperti coperti offerti scoperti deserti certi incerti merci inverni \
     inferni governi moderni nervi cervi servi riservi conservi fermi termi schermi germi inermi \
     caserme vermi perla perle merlo merla ferie universi terne lanterne caserne taverne caverne \
     eterne interne esterne moderne lucerne superne concerne discerne controversi trasversi \
     perversi sommersi detersi tersi concerti alberti sofferti berti mistero misteri ministero \
     ministeri impero imperi severo severi sincero sinceri zero davvero spero interi altero \
     cimitero cimiteri monastero monasteri clero preferisero vero veri nero neri pero peri mero \
     cero hotel stero battistero linee enea idea marea galea assemblea trincea ghinea prinea corea \
     ateo capito finito partito udito dito spedito vestito sito rito lito ardito mito invito unito \
     stupito colpito uscito sentito servito marito mariti ferito feriti preferito preferiti \
     trasferito inserito suggerito riferito perito periti guarito chiarito sparito reperito \
     conferito interferito aderito patito vietato gradito tradito impedito ubbidito obbedito \
     stabilito abolito candito bandito banditi ordito inaudito erudito",
);

/// Words stressed on the last vowel but two without an ending that shows it.
static PROPAROXYTONES: WordSet = WordSet::new(
    "portalo portala portami guardalo guardala guardami prendilo prendila lasciami lascialo \
     aiutami ascoltami chiamami parlami seguimi scrivimi sabato video meteo siano subito periodo \
     periodi linea linee tramite paolo paola area aree dollaro dollari festival scegliere \
     esercito eserciti fenomeno fenomeni immagino immagina veneto veneta occupa occupo obbligo \
     obbligano obbliga dibattito abito esteri estero estera comodo comoda anticipo anticipa \
     canada elena sintomo sintomi partecipa partecipo veicolo veicoli auguro augura console arabo \
     arabi araba aquila diagnosi incubo incubi preoccupa preoccupo vigili vigile cadavere \
     cadaveri canone canoni italo filosofo filosofi telefono telefoni vedova vedove vedovo valuta \
     valutano carichi provoca satira paragrafo paragrafi arcivescovo incarichi deficit interprete \
     interpreti rinascita ettaro ettari ordina disputa dispute telecamera fotocamera trappola \
     trappole necessita ligure liguri apposito apposita appositi parroco parroci celebra cuneo \
     adige libano satana eccetera indigeno indigeni stereotipo stereotipi pesaro agito demone \
     demoni smettila fatevi fatemi fatelo ditemi datemi scusami ricordati fidati eccomi eccoci \
     lampada lampade svizzera svizzero svizzeri collabora delibera nausea cucciolo cuccioli \
     ceneri domina fossile fossili fecero farcela andarsene michelangelo contemporanei compiere \
     gomena tossico logico medici comici tecnici carcere esule esuli suddito ebano timpano \
     balsamo platino cembalo mestolo sciopero recondito sibilo esamino cerebro lievito lieviti \
     utero polline vincolo vincoli discepolo discepoli scrupolo scrupoli patibolo preambolo \
     ippodromo aerodromo sinonimo omonimo ovulo cumulo tumulo accumulo accumula stimola simula \
     regolano regola popola illumino ululo oculo maiuscolo minuscolo minuscola muscoli ridicolo \
     ridicola ridicoli agricolo agricola edicola edicole matricola particola clavicola vertebra \
     vertebre fibula fistula rotula spatola vipera vipere pustola molecola molecole cocomero \
     papavero papaveri pulpito decrepito strepito fremito gemito gemiti alito anelito serafico \
     alibi ebbero seppero vollero dissero misero presero scrissero chiesero risposero videro \
     persero vinsero corsero lessero vissero nacquero piacquero caddero tennero vennero rimasero \
     scesero accesero risero dettero stettero fossero facessero dessero stessero camera camere \
     lettera lettere opera opere povero povera poveri povere libero libera liberi libere genere \
     generi numero numeri albero alberi essere esseri vivere cenere polvere carceri carattere \
     caratteri venere tempera zucchero fiammifero fiammiferi ombrellifere papera maschera \
     maschere gambero tenero tenera teneri misera miseri umero omero passero passeri ricovero \
     scioperi desidero considero desidera considera desideri consideri supero supera genera \
     tollera accelera recupero recupera ponderi viscere viscera uomini termine termini ordine \
     ordini immagine immagini giovane giovani pagina pagine macchina macchine origine origini \
     femmina femmine lamina vergine vergini margine margini cardine cardini fulmine fulmini \
     crimine crimini esamina elimina termina nomina semina determina illumina asino asini \
     disordine indagine indagini vertigine vertigini argine argini voragine ruggine fuliggine \
     caligine culmine limine esamine carmine stamina visita visite visito visiti nascita nascite \
     vendita vendite perdita perdite crescita rendita abiti abita debito debiti credito crediti \
     merito meriti merita esito esiti limite limiti limita limito edito spirito spiriti compito \
     compiti solito solita soliti solite insolito recita agita orbita orbite evita evito medita \
     ospita ospite ospiti palpita dubita dubito dubiti bibite bibita semita satellite satelliti \
     gomito gomiti vomito ambito ambiti ebete comico deposito depositi proposito propositi \
     sproposito implicito esplicito esplicita tacito tacita lecito illecito domito reddito \
     redditi circuito gratuito gratuita intuito fortuito transito prestito prestiti vincita \
     vincite licito facile facili difficile difficili simile simili utile utili inutile inutili \
     mobile mobili immobile immobili fragile fragili agile agili fertile fertili abile abili \
     debole deboli sterile missile missili umile umili nobile nobili docile docili rettile \
     rettili tessile tessili futile futili duttile labile automobile automobili versatile \
     volatile portatile contrattile ignobile inabile verosimile dissimile proiettile proiettili \
     stabile pensile stabili fabbrica fabbriche isola isole tavola tavole tavolo tavoli piccolo \
     piccola piccoli piccole bambola bambole nuvola nuvole favola favole pillola pillole fragola \
     fragole cellula cellule formula formule regole scatola scatole pentola pentole gondola \
     gondole mandorla penisola insula stimolo stimoli brufolo brufoli garofano garofani semola \
     mammola trottola bussola briciola briciole lucciola lucciole gocciola ciotola ciotole \
     frottola metodo metodi esodo sinodo catodo nomade nomadi despota despoti profugo profughi \
     naufrago naufraghi analogo analoga catalogo cataloghi dialogo dialoghi prologo epilogo \
     omologo monologo sarcofago esofago prodigo sindaco sindaci monaco monaci stomaco farmaco \
     farmaci medico portico tecnica cantico attimo attimi lacrima lacrime vittima vittime anima \
     anime intimo intima ultimo massimo minimo ottimo prossimo pessimo decimo settimo anonimo \
     legittimo marittimo sinonimi centesimo cattolico principe principi complice complici giudice \
     giudici indice indici vertice vertici codice codici semplice semplici calice salice dodici \
     undici tredici quattordici quindici sedici pollice pollici duplice triplice artefice \
     artefici pontefice orefice carnefice forbici sudditi celebre celebri funebre lugubre alacre \
     integro fegato sabati pelago fascino vescovo vescovi cattedra tenebra tenebre palpebra \
     palpebre algebra mandibola parabola metafora metafore anfora pecora pecore folgore arbitro \
     arbitri titolo articolo articoli angelo angeli diavolo diavoli popolo popoli secolo secoli \
     angolo angoli ostacolo spettacolo miracolo pericolo muscolo circolo vicolo calcolo oracolo \
     idolo simbolo simboli capitolo mercoledi scandalo scandali sandalo sandali crepuscolo modulo \
     moduli nucleo nuclei petalo petali pascolo pascoli vandalo bufalo bufala cavolo cavoli \
     stupido stupida acido acidi brivido brividi arido solido liquido liquidi edera tessera \
     tessere chiacchiera chiacchiere suocera suocero genero viscido cinema aereo aerei aerea \
     aeree oceano oceani organo organi orfano orfani stefano cofano sedano africa america musica \
     politica pratica logica critica fisica chimica tecnico traffico pubblico pubblica elettrico \
     unico unica storico incredibile terribile napoli modena genova padova mantova taranto \
     otranto brindisi rimini bergamo teramo trapani cagliari sassari cantaro cesare attila ercole \
     socrate euripide agamennone priamo ettore ippolito lazzaro debora barbara monica angela \
     domenico giacomo girolamo procida barbaro barbari zingaro zingari canapa tartaro baratro \
     polipo manico cronaca cronache monaca monache toraci indaco farmaceutico panico fanatico \
     fantastico valico carico carica scarico incarico mitico attico ritmico comica grafico \
     traffica conifera calorifero vocifera mammifero mammiferi sulfureo etereo funereo cereo \
     plumbeo erculeo marmoreo corporeo temporaneo subacqueo vitreo cutaneo calcareo idoneo \
     erroneo litoraneo sotterraneo estraneo estranei estranea momentaneo istantaneo istantanea \
     omogeneo eterogeneo virgineo sanguineo fulmineo consanguineo femmineo apollineo rettilineo \
     longilineo curvilineo pallido timido rapido umido lucido splendido candido orrido torrido \
     avido livido vivido gelido valido ruvido rigido turgido fervido placido tiepido insipido \
     limpido trepido squallido gravido morbido torbido sordido splendida luride tragico classico \
     sillaba sillabe epoca epoche modica mitica replica repubblica repubbliche domenica domeniche \
     manica maniche basilica predica polemica polemiche lirica tunica tonica supplica polizza \
     sciabola vegeto cupola cupole tegola tegole virgola virgole fiaccola macula nebula clausola \
     clausole ipotesi sintesi analisi genesi parentesi protesi diocesi enfasi estasi metropoli \
     acropoli necropoli tripoli fosforo bosforo zefiro satiro martire martiri porpora tempora \
     anatra anatre dattero datteri ridere piangere correre leggere scrivere mettere credere \
     perdere vendere prendere chiedere rispondere macabro calibro feretro perimetro diametro \
     parametro parametri chilometro chilometri centimetro centimetri millimetro termometro \
     barometro cronometro semaforo semafori canfora chiocciola chiocciole",
);
