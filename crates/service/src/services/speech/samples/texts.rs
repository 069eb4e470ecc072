//! What samples say: a greeting and two sentences in each language that a voice may have, those of
//! voices that users bring among them.

use lectern_types::language::primary;

/// The text of a sample in the primary language of a tag; `None` where there is none.
pub(super) fn text_in(language: &str) -> Option<&'static str> {
    let primary = primary(language);
    TEXTS.iter().find(|(own, _)| *own == primary).map(|(_, text)| *text)
}

/// By primary language.
const TEXTS: &[(&str, &str)] = &[
    (
        "en",
        "Hello. I read books, letters and the small print, at any hour and in any order. Give me a page, \
         and I will give you a voice.",
    ),
    (
        "es",
        "Hola. Leo libros, cartas y la letra pequeña, a cualquier hora y en cualquier orden. Dame una página \
         y yo le daré una voz.",
    ),
    (
        "fr",
        "Bonjour. Je lis des livres, des lettres et les petits caractères, à toute heure et dans n'importe \
         quel ordre. Donnez-moi une page, et je lui donnerai une voix.",
    ),
    (
        "it",
        "Buongiorno. Leggo libri, lettere e le scritte più piccole, a qualsiasi ora e in qualsiasi ordine. \
         Datemi una pagina e io le darò una voce.",
    ),
    (
        "pt",
        "Olá. Eu leio livros, cartas e as letras miúdas, a qualquer hora e em qualquer ordem. Dê-me uma \
         página, e eu darei a ela uma voz.",
    ),
    (
        "ja",
        "こんにちは。本も手紙も小さな文字も、いつでも、どんな順番でもお読みします。一ページくだされば、声にしてお届けします。",
    ),
    ("zh", "你好。我读书、读信，也读小字，什么时候都可以，什么顺序都行。给我一页文字，我就给它一个声音。"),
    (
        "hi",
        "नमस्ते। मैं किताबें, चिट्ठियाँ और छोटे अक्षर भी पढ़ता हूँ, किसी भी समय और किसी भी क्रम में। आप मुझे एक पन्ना दीजिए, \
         मैं उसे आवाज़ दूँगा।",
    ),
    ("ar", "مرحبًا. أقرأ الكتب والرسائل والحروف الصغيرة في أي ساعة وبأي ترتيب. أعطني صفحة وسأعطيها صوتًا."),
    (
        "ca",
        "Hola. Llegeixo llibres, cartes i la lletra petita, a qualsevol hora i en qualsevol ordre. Dona'm una \
         pàgina i jo li donaré una veu.",
    ),
    (
        "cs",
        "Dobrý den. Čtu knihy, dopisy i drobná písmena, v kteroukoli hodinu a v jakémkoli pořadí. Dejte mi \
         stránku a já jí dám hlas.",
    ),
    (
        "da",
        "Hej. Jeg læser bøger, breve og det, der står med småt, på alle tider og i enhver rækkefølge. Giv mig \
         en side, så giver jeg den en stemme.",
    ),
    (
        "de",
        "Guten Tag. Ich lese Bücher, Briefe und das Kleingedruckte, zu jeder Stunde und in jeder Reihenfolge. \
         Geben Sie mir eine Seite, und ich gebe ihr eine Stimme.",
    ),
    (
        "el",
        "Γεια σας. Διαβάζω βιβλία, γράμματα και τα ψιλά γράμματα, οποιαδήποτε ώρα και με οποιαδήποτε σειρά. \
         Δώστε μου μια σελίδα και θα της δώσω μια φωνή.",
    ),
    (
        "fi",
        "Hei. Luen kirjoja, kirjeitä ja pientä pränttiä mihin aikaan tahansa ja missä järjestyksessä tahansa. \
         Anna minulle sivu, niin annan sille äänen.",
    ),
    (
        "hu",
        "Jó napot. Könyveket, leveleket és apró betűket olvasok, bármikor és bármilyen sorrendben. Adjon egy \
         oldalt, és én hangot adok neki.",
    ),
    (
        "nb",
        "Hei. Jeg leser bøker, brev og det som står med liten skrift, når som helst og i hvilken som helst \
         rekkefølge. Gi meg en side, så gir jeg den en stemme.",
    ),
    (
        "nl",
        "Hallo. Ik lees boeken, brieven en de kleine lettertjes, op elk uur en in elke volgorde. Geef mij een \
         bladzijde en ik geef haar een stem.",
    ),
    (
        "no",
        "Hei. Jeg leser bøker, brev og det som står med liten skrift, når som helst og i hvilken som helst \
         rekkefølge. Gi meg en side, så gir jeg den en stemme.",
    ),
    (
        "pl",
        "Dzień dobry. Czytam książki, listy i to, co napisano drobnym drukiem, o każdej porze i w dowolnej \
         kolejności. Daj mi stronę, a ja dam jej głos.",
    ),
    (
        "ro",
        "Bună ziua. Citesc cărți, scrisori și literele mici, la orice oră și în orice ordine. Dați-mi o pagină \
         și îi voi da o voce.",
    ),
    (
        "ru",
        "Здравствуйте. Я читаю книги, письма и мелкий шрифт, в любое время и в любом порядке. Дайте мне \
         страницу, и я дам ей голос.",
    ),
    (
        "sk",
        "Dobrý deň. Čítam knihy, listy aj drobné písmo, v ktorúkoľvek hodinu a v akomkoľvek poradí. Dajte mi \
         stránku a ja jej dám hlas.",
    ),
    (
        "sv",
        "Hej. Jag läser böcker, brev och det finstilta, vid vilken tid som helst och i vilken ordning som \
         helst. Ge mig en sida, så ger jag den en röst.",
    ),
    (
        "tr",
        "Merhaba. Kitapları, mektupları ve küçük yazıları her saatte ve her sırayla okurum. Bana bir sayfa \
         verin, ben de ona bir ses vereyim.",
    ),
    (
        "uk",
        "Добрий день. Я читаю книжки, листи й дрібний шрифт, у будь-який час і в будь-якому порядку. Дайте \
         мені сторінку, і я дам їй голос.",
    ),
    (
        "vi",
        "Xin chào. Tôi đọc sách, thư và cả những dòng chữ nhỏ, vào bất cứ lúc nào và theo bất cứ thứ tự nào. \
         Hãy đưa cho tôi một trang, tôi sẽ cho nó một giọng nói.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_two_or_three_sentences_and_found_by_its_language() {
        for (language, text) in TEXTS {
            let ends = text.chars().filter(|c| matches!(c, '.' | '。' | '।')).count();
            assert_eq!(ends, 3, "{language}: {text}");
            assert_eq!(text_in(language), Some(*text));
        }
        assert_eq!(text_in("pt-BR"), text_in("pt"));
        assert_eq!(text_in("tlh"), None);
    }
}
