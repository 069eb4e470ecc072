//! The currencies of the world by their French names: signs and codes, as they are written.

use crate::front_end::romance::{figures::Form, grammar::Currency};

const M: Form = Form::Masculine;
const F: Form = Form::Feminine;

pub(super) const CURRENCIES: &[Currency] = &[
    Currency::whole(&["€", "EUR"], ("euro", "euros"), M).with("centime", "centimes"),
    Currency::whole(&["$", "US$", "USD", "$US", "$ US"], ("dollar", "dollars"), M).with("cent", "cents"),
    Currency::whole(&["$CA", "CAD", "CA$", "C$", "$ CA"], ("dollar canadien", "dollars canadiens"), M),
    Currency::whole(&["A$", "AUD", "AU$"], ("dollar australien", "dollars australiens"), M),
    Currency::whole(&["HK$", "HKD"], ("dollar de Hong Kong", "dollars de Hong Kong"), M),
    Currency::whole(&["£", "GBP"], ("livre", "livres"), F).with("penny", "pence"),
    Currency::whole(&["¥", "JPY"], ("yen", "yens"), M),
    Currency::whole(&["CNY", "RMB"], ("yuan", "yuans"), M),
    Currency::whole(&["CHF", "Fr.", "SFr.", "fr."], ("franc suisse", "francs suisses"), M)
        .with("centime", "centimes"),
    Currency::whole(&["FF", "F"], ("franc", "francs"), M).with("centime", "centimes"),
    Currency::whole(&["FCFA", "XOF", "XAF", "F CFA"], ("franc CFA", "francs CFA"), M),
    Currency::whole(&["₹", "INR"], ("roupie", "roupies"), F),
    Currency::whole(&["₽", "RUB"], ("rouble", "roubles"), M),
    Currency::whole(&["₺", "TRY"], ("livre turque", "livres turques"), F),
    Currency::whole(&["₩", "KRW"], ("won", "wons"), M),
    Currency::whole(&["₪"], ("shekel", "shekels"), M),
    Currency::whole(&["₴", "UAH"], ("hryvnia", "hryvnias"), F),
    Currency::whole(&["₫", "VND"], ("dong", "dongs"), M),
    Currency::whole(&["₱"], ("peso philippin", "pesos philippins"), M),
    Currency::whole(&["MXN", "ARS", "CLP"], ("peso", "pesos"), M),
    Currency::whole(&["R$", "BRL"], ("réal", "réaux"), M),
    Currency::whole(&["zł", "PLN"], ("zloty", "zlotys"), M),
    Currency::whole(&["kr", "SEK"], ("couronne", "couronnes"), F),
    Currency::whole(&["NOK"], ("couronne norvégienne", "couronnes norvégiennes"), F),
    Currency::whole(&["DKK"], ("couronne danoise", "couronnes danoises"), F),
    Currency::whole(&["Kč", "CZK"], ("couronne tchèque", "couronnes tchèques"), F),
    Currency::whole(&["HUF"], ("forint", "forints"), M),
    Currency::whole(&["RON"], ("leu", "lei"), M),
    Currency::whole(&["MAD", "DH", "DHS"], ("dirham", "dirhams"), M),
    Currency::whole(&["DZD", "DA"], ("dinar", "dinars"), M),
    Currency::whole(&["TND"], ("dinar", "dinars"), M),
    Currency::whole(&["ZAR"], ("rand", "rands"), M),
    Currency::whole(&["₿", "BTC"], ("bitcoin", "bitcoins"), M),
    Currency::whole(&["c€", "¢", "cts", "cts."], ("centime", "centimes"), M),
];
