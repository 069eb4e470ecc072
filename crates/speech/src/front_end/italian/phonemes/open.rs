//! Whether a stressed e or o is open: by the ending of the word, and by lists of common words.

use super::is_vowel;
use crate::front_end::romance::word_set::WordSet;

/// Endings whose stressed e is closed.
static CLOSED_E: WordSet = WordSet::new(
    "eva evo evi engono ebbero ettere essero entano escono endono edere edono ede eggere egli ego ega egano \
     engo esce ecchio ecchi ecchie ecchia etono erono essi essa mento menti mente mentre ezza ezze \
     etto etta etti ette evole evoli eta esse evano esco esca eschi ere ete \
     eggio egno egna egni egne eglio eglia ese esa esi eso enti emmo erò efice eccio eccia erto ena \
     eno ella elle",
);

/// Endings whose stressed e is open, which go before the closed ones.
static OPEN_E: WordSet = WordSet::new(
    "esimo esima esimi esime eve este esti eti eri ero era ene emi ema emo ela ele eni eca eda emano esio eto \
     ed ello ella elli elle enza enze ente enti iero iera ieri iere endo endi ende enda ebbe ebbi \
     enne ennero eo ea ei ee istero eria erio erico emico enico elico etico etica etici etiche ense \
     ensi enso ensa esto esta etto erno erna erni erne erso ersa ersi erse erto erta erti erte ervo \
     erva erro erra esso ezzo ezzi estro estra ere ento enta esia elio egio",
);

/// Words with a closed e against these endings, and words with an open one.
static CLOSED_E_WORDS: WordSet = WordSet::new(
    "mentre dei nei quei della delle dello degli nella nelle nello negli stasera legge leggi meno messe \
     stesse promessa interessa commesso smesso trasmesso cresce riesce chiese mesi paesi quello \
     quella quelli quelle questo questa questi queste capello capelli spesso spessa stesso stessa \
     stessi messo messa messi promesso permesso ammesso fermo ferma fermi verde verdi nero nera \
     neri nere vero vera veri vere sera sere intero cera pera paese mela mele neve sete fede rete \
     reti tetto netto stretto stretta detto detta detti dette metto metti mette permette promette \
     benedetto maledetto vende venti trenta dentro lettera lettere vescovo pesce pesci pelo velo \
     cielo seno freno mento spento tempio bevo beve devono credo crede crederò credere vedo vede \
     vedono vetro metro debito sembra sembrano seme tre re che me te se lei degno segno regno \
     legno disegno impegno ingegno sostegno tenere avere potere sapere vedere volere dovere \
     piacere bere segreto segreta discreto inglese francese difesa attesa spesa presa sorpresa \
     preso presi spese scese rese prese offesa fresco fresca tedesco tedesca tedeschi allegro \
     allegra vendetta stella stelle aveva avevo avevi avevano diceva dicevo dicevi dicevano \
     sapeva sapevo sapevi sapevano davvero ovvero ricerca ricerche cerca cerchi cerco cercano \
     scelta scelte scelto scelti scegliere sceglie semplice semplici entro entra entri entrano \
     rientra rientro domenica domenico venne vennero crescita crescere vendita vendite esso essa \
     essi esse cena freddo fredda freddi fredde conferma confermo credito crediti ricevere \
     ricevono dovresti avresti potresti pianeta biglietto biglietti stefano mettono permettono \
     mettersi metterci mettermi permettere cerchio brescia semi debole deboli debiti schermo \
     moneta monete vergine scherzo scherzi pareti parete ripeto ripetere temo fedele veda femmina \
     femmine penna penne sembri secco secca vescovi arcivescovo catene catena vedova maglietta \
     nebbia ginevra scemo sedici molteplici apprezzo mente menti",
);

static OPEN_E_WORDS: WordSet = WordSet::new(
    "effetti progetti aspetti oggetti oggetto diretta perfetta corretta ricetta mantenere \
     sostenere rimanere potrebbe dovrebbe bello completa bene bella belli belle bel sempre tempo \
     tempi certo certa certi certe testa festa terra guerra sette letto petto effetto affetto \
     rispetto aspetto aspetta diretto perfetto progetto concetto ieri cielo pietra piede piedi \
     siede vieni viene tieni tiene bestia presto resto gesto testo onesto modesto molesto foresta \
     tempesta protesta richiesta questione idea museo europeo prego greco metodo medico secolo \
     regola regole cena scena scene tema sistema cinema poema breve lieve greve leggo leggere \
     eccellente ecco vecchio vecchia vecchi specchio meglio gelo gente mente niente lento lenta \
     contento contenta argento evento esperto aperto aperta scoperta coperto deserto concerto \
     merito premio genio media inverno inferno moderno eterno interno esterno governo fratello \
     castello coltello cervello cappello anello perso verso diverso universo terzo scherzo prezzo \
     prezzi mezzo mezza pezzo pezzi essere eri era erano ero adesso successo processo accesso \
     eccesso ingresso congresso progresso interesse professore mestiere quartiere cavaliere \
     bicchiere prete erede sede crebbe ministero mistero impero severo sincero zero sentiero \
     pensiero straniero leggero spero atleta poeta profeta segreteria sei lei pieno piena pieni \
     piene treno treni cento vento venti intervento interventi talento centro centri letti letta \
     lette dietro ben beh peggio peggiore interessi collega colleghi tesi processi eletto eletta \
     eletti elette corretto corretti rappresentano rendono sospetto sospetti attento attenta \
     attenti diretti dirette perfetti perfette pressi concetti eco greci difetto difetti retta \
     dialetto dialetti successi progressi complessi complesso violento violenta accento accenti \
     protetto protetta vangelo parallelo convento accetto insetto insetti eccetto privilegi \
     connessi affetti completo concreto diciassette ventisette trentasette quarantasette \
     cinquantasette sessantasette settantasette ottantasette novantasette centosette metro metri",
);

/// Endings whose stressed o is closed, and words with a closed o.
static CLOSED_O_ENDINGS: WordSet = WordSet::new(
    "ognuno osto ovano orma orme ome orse olge oscono orna onne onzo ontri ottere one oni ona ore \
     ori ora orre oso ose ondo onda ondi onde onte onti onto onta ontro opra oltre orso orsi orno \
     onna ombra ombre oce oci orni ogno ogna ondere oscere oio oia oi or",
);

static CLOSED_O_WORDS: WordSet = WordSet::new(
    "dodici quattordici sono dono nome nomi come dove ora ore ancora allora loro solo sola soli \
     sole volo voto molto molta molti molte ascolto raccolto sepolto colto colpa colpe polvere \
     sordo bordo forse corso corsa soccorso discorso ricorso percorso rosso rossa rossi rosse \
     fosse fossero corte forma forme torre torri correre corre occorre sotto rotto rotta condotto \
     condotta prodotto prodotti dopo conto conti pronto pronta fronte monte monti ponte mondo \
     secondo tondo fondo risponde rispondere nascosto posto posti mostra mostro conosco conosce \
     bocca tocca doccia goccia gola coda sogno bisogno ogni signora signore amore dolce pollo \
     bollo folla colle moglie figliolo giorno giorni ritorno intorno attorno contorno croce voce \
     noce foce noi voi somma tomba bomba ombra gonna sonno autunno compro compra rompe rompere \
     polso polpo forno sera orso borsa sbocco non con lo roma giovane giovani risposta risposte \
     proposta proposte composta composto composti disposto disposti opposta opposto sottoposti \
     imposto voti votare vota colpo colpi numeroso insomma londra doppio doppia doppi doppie \
     compito compiti ordini ordine volto volti sogni scorsa scorso scorsi scorse mosca famoso \
     famosa famosi famose conosci conoscere altrove religioso religiosa religiosi religiose \
     pericoloso pericolosa lavora lavorano perdono dolci nipote nipoti ridotto ridotta tradotto \
     tradotta introdotto prodotta incontra incontro incontrano orgoglio ove riconoscere compiere \
     borgo bisogni corto corta corti bombe golfo sorge capolavoro gomma risorsa risorse bolla \
     formano colombo pozzo pozzi nascosta interrotto interrotta rispondono interrompere somme \
     ottobre boschi mostri maggior miglior signor peggior voli",
);

/// Words with an open o against those endings.
static OPEN_O_WORDS: WordSet = WordSet::new(
    "cosa cose donna donne madonna nonno nonna nonni nonne zona zone piuttosto norma norme costo costi \
     grosso grossa grossi grosse posta poste mossa mosse mosso mossi rosa rose riposo soci socio tono \
     toni dose dosi dorme dormono sposo sposa sposi trono",
);

/// Whether the stressed e at this place is open.
pub(super) fn is_open_e(text: &str, letters: &[char], at: usize) -> bool {
    if CLOSED_E_WORDS.contains(text) {
        return false;
    }
    // "Trecento", "milleduecento": as the number alone.
    if OPEN_E_WORDS.contains(text) || text.ends_with("cento") {
        return true;
    }
    let before = at.checked_sub(1).and_then(|at| letters.get(at)).copied().unwrap_or(' ');
    // "Dietro", "piede".
    if before == 'i' && at > 1 {
        return true;
    }
    let ending: String = letters.iter().skip(at).collect();
    let vowels = ending.chars().filter(|&c| is_vowel(c)).count();
    // "Mentre" and adverbs; "-mento".
    if before == 'm' && (ending == "ente" || ending == "ento" || ending == "enti") && letters.len() > 5 {
        return false;
    }
    if OPEN_E.contains(&ending) {
        return !matches!(ending.as_str(), "etto" | "ere" | "ento");
    }
    if CLOSED_E.contains(&ending) {
        return false;
    }
    // Before the last but one syllable an e is open: "medico", "genere".
    vowels > 2 || ending.len() > 3
}

/// Whether the stressed o at this place is open.
pub(super) fn is_open_o(text: &str, letters: &[char], at: usize) -> bool {
    if CLOSED_O_WORDS.contains(text) {
        return false;
    }
    if OPEN_O_WORDS.contains(text) {
        return true;
    }
    let before = at.checked_sub(1).and_then(|at| letters.get(at)).copied().unwrap_or(' ');
    if before == 'u' {
        return true;
    }
    let ending: String = letters.iter().skip(at).collect();
    // "Canto": -ono of verbs is not stressed, so this is a noun's.
    !CLOSED_O_ENDINGS.contains(&ending)
}
