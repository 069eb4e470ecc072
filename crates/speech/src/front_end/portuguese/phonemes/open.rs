//! Whether a stressed e or o without a written accent is open: by the ending of the word from that
//! vowel on, and by lists of common words that go against it.

use crate::front_end::romance::word_set::WordSet;

/// Endings with an open vowel.
static ENDINGS: WordSet = WordSet::new(
    "eram ora ela eta eto osa era elo ece esse elas este ola erto erem essa esta eve esso ega osta \
     ete orte ota oto ol oca ecem erno et etos ere osos orta oro olo otas etas erna osas orma esto \
     erta oco ostos ote orda obre osso oda erra estas egue orme ortes op ossa essas opa oz ole obra \
     olas ormas ove ostas essos orre oque eca ernas ertas ecto ernos ess ose ova ossos ovos exo \
     obras ortos erro estre eda ebe erva egra ertos ebra ore olve essem orrem eco ell e olta ovas \
     ossas ogos ostra ersas og ersos ersa orna olho oja erras orge erso erve ortas eguem egas ectos \
     oga opo obres orde olhe esce ervas ebem edas eves ocos estos exas ege ormes oste estra otes \
     eras olos ogue olhos ojas otos oas ocas edra edras ofre olfe etro etros esces erde erdem oques \
     obro oram erço erços estros",
);

/// Words with an open vowel against their ending.
static OPEN: WordSet = WordSet::new(
    "velho velhos velha velhas ovelha telha drogas tropas rocha rochas tarefa tarefas sobe gostam \
     começam levam mostram tornam formam possam olhem sequer quer qualquer mulher quiser tiver \
     estiver der puder fizer houver quaisquer requer vier disser souber chanceler melhor maior \
     pior menor redor mor melhores maiores menores piores arredores pesa quero espero zero \
     considero sincero inveja evangelho peço pego cego ego pele dez começa peça importo mulheres \
     queres caracteres pede impede mede logo testes prestes olha concordo horas senhoras votos \
     leva eva levo modos iorque modo rodas posse perde perdem regras peças merdas podem pode \
     jovem jovens ordem ordens devem deve chefe chefes rock alegre corpos volto esforços sofre \
     tese vozes febre volte podes voltas sofrem fecha serve servem esperam espera mostre foge \
     folga torne complexa complexo complexos cordas force forças crescem cresce espectro revelam \
     entregues sequestro adeptos verbo verbos verba verbas descobrem desprezo doses pesca bordo \
     só nós pés avó ovos povos jogos fogos novos olhos ossos portos mortos postos tijolos corvos \
     miolos poços fornos socorros destroços caroços cheque cheques colher colheres concordam \
     concorda",
);

/// Words with a closed vowel against their ending.
static CLOSED: WordSet = WordSet::new(
    "foram força verde verdes dobro professora editora cantora autora diretora emissora escritora \
     produtora vencedora apresentadora amadora senadora doutora leitora pastora trabalhadora \
     moradora jogadora pela estrela planeta meta preta caneta camiseta borboleta preto prometo \
     esposa raposa modelo cabelo gelo selo pesadelo esse desse nesse interesse pelas estrelas \
     este neste deste serem terem fazerem verem poderem dizerem haverem saberem quererem besta \
     cesta teve esteve manteve obteve chega grega gabinete sorvete bilhete tapete garota gota \
     garoto esgoto boca governo pretos coro soro bolo garotas metas planetas esposas coco soco \
     rostos gorda sobre grosso osso toda todas chegue sopa arroz governos erro seda negra negro \
     negros seco cesto peso medo dedo segredo cedo enredo almoço pescoço moço moça fosso gosto \
     rosto posto agosto desgosto oposto composto sogro sogra cera pera para forno torno jogo fogo \
     lobo bobo globo povo novo ovo olho corvo porco corpo porto morto conforto ouro todo todos \
     lodo iodo folha folhas escolha bolha lagoa pessoa pessoas coroa boa voa boas forças escolhas \
     bolsa bolsas bolso gol gols polvo soltos solto terço terços torre torres",
);

/// Whether the stressed vowel of a word is closed against its ending.
pub(super) fn is_closed(text: &str) -> bool {
    CLOSED.contains(text)
}

/// The ends of pasts whose e is open.
static OPEN_PASTS: WordSet = WordSet::new(
    "fizeram disseram tiveram estiveram puderam quiseram souberam trouxeram vieram deram houveram \
     couberam puseram",
);

/// Whether the stressed e or o at this place is open.
pub(super) fn is_open(text: &str, letters: &[char], at: usize) -> bool {
    if CLOSED.contains(text) {
        return false;
    }
    let ending: String = letters.iter().skip(at).collect();
    // "Receberam" is closed, "fizeram" open: the past of regular verbs against that of others.
    if ending == "eram" && letters.len() > 4 && !OPEN_PASTS.ends(text) {
        return false;
    }
    OPEN.contains(text) || ENDINGS.contains(&ending)
}
