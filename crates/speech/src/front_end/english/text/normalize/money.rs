//! Amounts of money: the sign before or after, cents, thousands and millions, ranges.

use super::{
    Reader, amounts, magnitudes, rates, reading,
    scan::{self, Quantity},
    shillings, units,
};

struct Currency {
    sign: &'static str,
    one: &'static str,
    many: &'static str,
    /// The hundredth part, singular and plural; empty where there is none.
    cent: &'static str,
    cents: &'static str,
}

const fn currency(
    sign: &'static str,
    one: &'static str,
    many: &'static str,
    cent: &'static str,
    cents: &'static str,
) -> Currency {
    Currency { sign, one, many, cent, cents }
}

/// Longer signs before their endings.
const CURRENCIES: &[Currency] = &[
    currency("US$", "US dollar", "US dollars", "cent", "cents"),
    currency("A$", "Australian dollar", "Australian dollars", "cent", "cents"),
    currency("AU$", "Australian dollar", "Australian dollars", "cent", "cents"),
    currency("C$", "Canadian dollar", "Canadian dollars", "cent", "cents"),
    currency("CA$", "Canadian dollar", "Canadian dollars", "cent", "cents"),
    currency("NZ$", "New Zealand dollar", "New Zealand dollars", "cent", "cents"),
    currency("HK$", "Hong Kong dollar", "Hong Kong dollars", "cent", "cents"),
    currency("S$", "Singapore dollar", "Singapore dollars", "cent", "cents"),
    currency("R$", "real", "reais", "centavo", "centavos"),
    currency("$", "dollar", "dollars", "cent", "cents"),
    currency("£", "pound", "pounds", "penny", "pence"),
    currency("€", "euro", "euros", "cent", "cents"),
    currency("¥", "yen", "yen", "", ""),
    currency("₹", "rupee", "rupees", "paisa", "paise"),
    currency("₩", "won", "won", "", ""),
    currency("₽", "ruble", "rubles", "kopek", "kopeks"),
    currency("₺", "lira", "lira", "kurush", "kurush"),
    currency("₪", "shekel", "shekels", "agora", "agorot"),
    currency("₴", "hryvnia", "hryvnias", "", ""),
    currency("₫", "dong", "dong", "", ""),
    currency("฿", "baht", "baht", "satang", "satang"),
    currency("₱", "peso", "pesos", "centavo", "centavos"),
    currency("₿", "bitcoin", "bitcoin", "", ""),
    currency("¢", "cent", "cents", "", ""),
    currency("USD", "US dollar", "US dollars", "cent", "cents"),
    currency("EUR", "euro", "euros", "cent", "cents"),
    currency("GBP", "pound", "pounds", "penny", "pence"),
    currency("JPY", "yen", "yen", "", ""),
    currency("INR", "rupee", "rupees", "paisa", "paise"),
    currency("CHF", "Swiss franc", "Swiss francs", "centime", "centimes"),
    currency("CAD", "Canadian dollar", "Canadian dollars", "cent", "cents"),
    currency("AUD", "Australian dollar", "Australian dollars", "cent", "cents"),
    currency("Rs.", "rupee", "rupees", "paisa", "paise"),
    currency("Rs", "rupee", "rupees", "paisa", "paise"),
    currency("kr", "krone", "kroner", "", ""),
    currency("zł", "zloty", "zlotys", "grosz", "groszy"),
    currency("Kč", "koruna", "korunas", "", ""),
    currency("PLN", "Polish zloty", "Polish zlotys", "grosz", "groszy"),
    currency("CZK", "Czech koruna", "Czech korunas", "", ""),
    currency("SEK", "Swedish krona", "Swedish kronor", "", ""),
    currency("NOK", "Norwegian krone", "Norwegian kroner", "", ""),
    currency("DKK", "Danish krone", "Danish kroner", "", ""),
    currency("CNY", "Chinese yuan", "Chinese yuan", "", ""),
    currency("RMB", "renminbi", "renminbi", "", ""),
    currency("NZD", "New Zealand dollar", "New Zealand dollars", "cent", "cents"),
    currency("HKD", "Hong Kong dollar", "Hong Kong dollars", "cent", "cents"),
    currency("SGD", "Singapore dollar", "Singapore dollars", "cent", "cents"),
    currency("BRL", "Brazilian real", "Brazilian reais", "centavo", "centavos"),
    currency("MXN", "Mexican peso", "Mexican pesos", "centavo", "centavos"),
    currency("ZAR", "South African rand", "South African rand", "cent", "cents"),
];

/// Words before an amount that describes something: "our $5-a-month plan".
const DETERMINERS: [&str; 14] = [
    "another", "each", "every", "her", "his", "its", "last", "my", "our", "that", "the", "their", "this",
    "your",
];

/// What is called by its price: "his $20 bill". "His $20 went" has a verb.
const PRICED: &[&str] = &[
    "bet",
    "bill",
    "bonus",
    "bottle",
    "budget",
    "car",
    "card",
    "charge",
    "check",
    "cheque",
    "coin",
    "contract",
    "cut",
    "deal",
    "deposit",
    "discount",
    "dress",
    "fee",
    "fine",
    "fund",
    "gift",
    "grant",
    "home",
    "house",
    "increase",
    "investment",
    "jacket",
    "loan",
    "lunch",
    "mansion",
    "meal",
    "note",
    "payment",
    "plan",
    "prize",
    "program",
    "project",
    "ransom",
    "reward",
    "salary",
    "shirt",
    "ticket",
    "tip",
    "voucher",
    "wager",
    "wall",
    "watch",
];

/// Whether what is called by its price follows.
fn is_priced(t: &str, at: usize) -> bool {
    let next = scan::word(t, scan::past_space(t, at));
    scan::tail(t, at).starts_with(' ')
        && (PRICED.contains(&next) || next.strip_suffix('s').is_some_and(|one| PRICED.contains(&one)))
}

fn currency_at(t: &str, at: usize) -> Option<&'static Currency> {
    let rest = scan::tail(t, at);
    CURRENCIES
        .iter()
        .filter(|currency| rest.starts_with(currency.sign))
        .max_by_key(|currency| currency.sign.len())
}

/// Whether an amount with its sign in front starts here.
pub(super) fn at(t: &str, at: usize) -> bool {
    amount_at(t, at).is_some()
}

fn amount_at(t: &str, at: usize) -> Option<(&'static Currency, Quantity<'_>)> {
    let currency = currency_at(t, at)?;
    let end = at + currency.sign.len();
    let start = scan::past_space(t, end);
    Some((currency, scan::continental(t, start).or_else(|| scan::quantity(t, start))?))
}

/// `$5.50`, `£3.2 billion`, `$20–30`, `USD 5`.
pub(super) fn signed(r: &mut Reader<'_>) -> bool {
    let Some((currency, first)) = amount_at(r.t, r.at) else { return negative(r) || rate(r) };
    let start = r.at;
    if let Some((_, second)) = second_amount(r.t, currency, &first) {
        let described = ["a", "an", "A", "An"].contains(&r.word_before())
            && second.fraction.is_empty()
            && magnitudes::of_money(r.t, second.end).is_none()
            && noun_follows(r.t, second.end);
        let cents = (first.fraction.len() == 2).then(|| first.fraction.parse::<u64>().ok()).flatten();
        let words = match cents {
            Some(cents) if !currency.cent.is_empty() => {
                format!("{} to", with_cents(r, currency, &first, cents))
            }
            _ => format!("{} to", reading::reading(r, &first, false)),
        };
        r.say(&words, first.end);
        if described {
            r.skip(second.start);
            let words = format!("{} {}", reading::reading(r, &second, false), currency.one);
            r.say(&words, second.end);
            return true;
        }
        r.skip(second.start);
        amount(r, second.start, currency, &second);
        return true;
    }
    amount(r, start, currency, &first);
    true
}

/// `$/kWh`: a price without its number.
fn rate(r: &mut Reader<'_>) -> bool {
    let Some(currency) = currency_at(r.t, r.at) else { return false };
    let slash = r.at + currency.sign.len();
    let Some(unit) = units::at(r.t, slash + 1).filter(|_| scan::tail(r.t, slash).starts_with('/')) else {
        return false;
    };
    r.say(currency.many, slash);
    r.say(&format!("per {}", unit.one), unit.end);
    true
}

/// A unit or a currency after an amount and a slash: `£9.99/mo`, `1.08 USD/EUR`.
fn per(r: &mut Reader<'_>) {
    if r.rest().starts_with('/')
        && let Some(currency) = currency_at(r.t, r.at + 1)
        && scan::edge(r.t, r.at + 1 + currency.sign.len())
    {
        let end = r.at + 1 + currency.sign.len();
        r.say(&format!("per {}", currency.one), end);
    } else {
        rates::per(r);
    }
}

/// `$-5`.
fn negative(r: &mut Reader<'_>) -> bool {
    let Some(currency) = currency_at(r.t, r.at) else { return false };
    let sign_at = r.at + currency.sign.len();
    if bracketed(r, currency, sign_at) {
        return true;
    }
    let Some(sign) = scan::char_at(r.t, sign_at).filter(|c| matches!(c, '-' | '−')) else { return false };
    let start = sign_at + sign.len_utf8();
    let Some(quantity) = scan::quantity(r.t, start).filter(|_| scan::digit_at(r.t, start)) else {
        return false;
    };
    r.say("minus", start);
    amount(r, start, currency, &quantity);
    true
}

/// `$(4.1) million`: a loss, as accounts write it.
fn bracketed(r: &mut Reader<'_>, currency: &Currency, at: usize) -> bool {
    let Some(quantity) = scan::quantity(r.t, at + 1).filter(|_| scan::digit_at(r.t, at + 1)) else {
        return false;
    };
    if !scan::tail(r.t, at).starts_with('(') || !scan::tail(r.t, quantity.end).starts_with(')') {
        return false;
    }
    r.say("minus", at + 1);
    amount_to(r, currency, &quantity, quantity.end + 1);
    true
}

/// The upper end of a range; its sign may be repeated.
fn second_amount<'a>(t: &'a str, currency: &Currency, first: &Quantity<'_>) -> Option<(usize, Quantity<'a>)> {
    let dash = scan::past_space(t, first.end);
    let sign = scan::char_at(t, dash).filter(|c| matches!(c, '-' | '–' | '—'))?;
    let at = scan::past_space(t, dash + sign.len_utf8());
    let at = if scan::tail(t, at).starts_with(currency.sign) { at + currency.sign.len() } else { at };
    let second = scan::quantity(t, at).filter(|second| scan::digit_at(t, second.start))?;
    Some((at, second))
}

/// `5€`, `50¢`, `20 USD`, `99p`.
pub(super) fn after(r: &mut Reader<'_>) -> bool {
    let with_comma = scan::continental(r.t, r.at)
        .filter(|quantity| currency_at(r.t, scan::past_space(r.t, quantity.end)).is_some());
    // `12 500 kr`, but not "12 500 € notes".
    let spaced = scan::spaced_thousands(r.t, r.at).filter(|quantity| {
        let sign = scan::past_space(r.t, quantity.end);
        currency_at(r.t, sign).is_some_and(|currency| {
            let end = sign + currency.sign.len();
            currency.sign != "$" && scan::edge(r.t, end) && !amounts::are_packs(r.t, end)
        })
    });
    let Some(quantity) = with_comma.or(spaced).or_else(|| scan::quantity(r.t, r.at)) else { return false };
    let start = scan::past_space(r.t, quantity.end);
    // `100k$`, `5M€`.
    if start == quantity.end
        && let Some((name, end)) = magnitudes::of_money(r.t, start).filter(|(_, end)| end - start <= 2)
        && let Some(currency) =
            currency_at(r.t, end).filter(|currency| !currency.sign.is_ascii() || currency.sign == "$")
        && scan::edge(r.t, end + currency.sign.len())
    {
        let number = reading::reading(r, &quantity, false);
        r.say(&format!("{number} {name} {}", currency.many), end + currency.sign.len());
        return true;
    }
    // `13p/min`
    if scan::tail(r.t, quantity.end).starts_with("p/")
        && quantity.whole.len() <= 3
        && units::at(r.t, quantity.end + 2).is_some()
    {
        let number = reading::reading(r, &quantity, false);
        r.say(&number, quantity.end);
        r.say("p", quantity.end + 1);
        rates::per(r);
        return true;
    }
    let Some(currency) = currency_at(r.t, start) else { return false };
    let end = start + currency.sign.len();
    // `5 $10 bills`: the sign belongs to the number after it. `kr` and `Rs` are signs only when
    // they stand alone.
    if !scan::edge(r.t, end) || (start > quantity.end && currency.sign == "$") {
        return false;
    }
    amount_to(r, currency, &quantity, end);
    // The stop of a short form, within a sentence: "12 500 kr. today".
    if currency.sign.is_ascii()
        && r.rest().starts_with(". ")
        && scan::tail(r.t, r.at + 2).starts_with(char::is_lowercase)
    {
        r.skip(r.at + 1);
    }
    true
}

fn amount(r: &mut Reader<'_>, start: usize, currency: &Currency, quantity: &Quantity<'_>) {
    r.skip(start);
    amount_to(r, currency, quantity, quantity.end);
}

/// Speaks an amount whose number and currency sign end at `end`.
fn amount_to(r: &mut Reader<'_>, currency: &Currency, quantity: &Quantity<'_>, end: usize) {
    let article = ["a", "an", "A", "An"].contains(&r.word_before());
    let before = r.word_before().to_lowercase();
    let determined = article || before.ends_with("'s") || DETERMINERS.contains(&before.as_str());
    let the = r.word_before().eq_ignore_ascii_case("the");
    if let Some((magnitude, end)) = magnitudes::of_money(r.t, end) {
        let number = reading::reading(r, quantity, false);
        let hyphened = scan::tail(r.t, end).starts_with('-');
        let series = scan::tail(r.t, end).starts_with(" Series ");
        let described = (article && (series || noun_follows(r.t, end)))
            || (determined && is_priced(r.t, end))
            || (the && deal_follows(r.t, end));
        let unit = if hyphened || described { currency.one } else { currency.many };
        // `$5bn-$7bn`; "a £2m-£3m house"
        let dash = scan::char_at(r.t, end).filter(|c| matches!(c, '-' | '–')).map_or(0, char::len_utf8);
        if dash > 0 && at(r.t, end + dash) {
            let unit = if article { "" } else { currency.many };
            r.say(format!("{number} {magnitude} {unit}").trim_end(), end);
            r.say("to", end + dash);
            return;
        }
        // "$3 million dollars" names the currency twice.
        let twice = scan::word(r.t, scan::past_space(r.t, end)) == currency.many;
        let unit = if twice { "" } else { unit };
        r.say(format!("{number} {magnitude} {unit}").trim_end(), end);
        named_again(r, currency, hyphened);
        per(r);
        return;
    }
    let cents = (quantity.fraction.len() == 2 && !currency.cent.is_empty())
        .then(|| quantity.fraction.parse::<u64>().ok())
        .flatten();
    let words = if let Some(cents) = cents {
        let is_small = quantity.whole.bytes().all(|digit| digit == b'0') && cents > 0;
        if is_small && article && noun_follows(r.t, end) {
            // "a $0.05 mint"
            format!("{} {}", r.language.figures.number(cents), currency.cent)
        } else {
            with_cents(r, currency, quantity, cents)
        }
    } else {
        let tied = scan::word(r.t, end + 1);
        let tied_on = scan::tail(r.t, end).starts_with('-');
        // `costs $5-a-day`, but `a $5-a-day habit`.
        let hyphened = tied_on && (determined || !["", "a", "an", "per"].contains(&tied));
        let one = quantity.is_one()
            || hyphened
            || (article && noun_follows(r.t, end))
            || (determined && is_priced(r.t, end));
        format!("{} {}", reading::reading(r, quantity, false), if one { currency.one } else { currency.many })
    };
    r.say(&words, end);
    if currency.sign == "£" && quantity.fraction.is_empty() {
        shillings::after(r);
    }
    if r.rest().starts_with('+') {
        r.say("plus", r.at + 1);
    }
    reading::hyphen_to_space(r);
    per(r);
}

fn named_again(r: &mut Reader<'_>, currency: &Currency, hyphened: bool) {
    if hyphened && scan::word(r.t, r.at + 1) == currency.one {
        r.skip(r.at + 1 + currency.one.len());
    }
    reading::hyphen_to_space(r);
}

fn with_cents(r: &Reader<'_>, currency: &Currency, quantity: &Quantity<'_>, cents: u64) -> String {
    let whole = r.language.figures.cardinal(&quantity.whole);
    let unit = if quantity.whole == "1" { currency.one } else { currency.many };
    let cents_words = format!(
        "{} {}",
        r.language.figures.number(cents),
        if cents == 1 { currency.cent } else { currency.cents }
    );
    let nothing = quantity.whole.chars().all(|digit| digit == '0');
    match (nothing, cents) {
        (_, 0) => format!("{whole} {unit}"),
        (true, _) => cents_words,
        _ => format!("{whole} {unit} and {cents_words}"),
    }
}

/// Whether a noun that the amount describes follows: `a $5 bill`.
fn noun_follows(t: &str, at: usize) -> bool {
    scan::tail(t, at).starts_with(' ') && reading::is_noun_like(scan::word(t, at + 1))
}

/// Whether what is named by its price follows: `the $2.5 billion merger`. "The $2 million raised" has a verb.
fn deal_follows(t: &str, at: usize) -> bool {
    const DEALS: [&str; 22] = [
        "acquisition",
        "bailout",
        "bid",
        "bill",
        "budget",
        "contract",
        "deal",
        "facility",
        "fine",
        "fund",
        "grant",
        "investment",
        "lawsuit",
        "loan",
        "merger",
        "package",
        "plan",
        "plant",
        "program",
        "project",
        "settlement",
        "takeover",
    ];
    scan::tail(t, at).starts_with(' ') && DEALS.contains(&scan::word(t, at + 1))
}
