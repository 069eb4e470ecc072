//! The currencies of the world by their Italian names: signs and codes, as they are written.

use crate::front_end::romance::{figures::Form, grammar::Currency};

const M: Form = Form::Masculine;
const F: Form = Form::Feminine;

pub(super) const CURRENCIES: &[Currency] = &[
    Currency::whole(&["€", "EUR"], ("euro", "euro"), M).with("centesimo", "centesimi"),
    Currency::whole(&["$", "US$", "USD"], ("dollaro", "dollari"), M).with("centesimo", "centesimi"),
    Currency::whole(&["£", "GBP"], ("sterlina", "sterline"), F).with("penny", "pence"),
    Currency::whole(&["¥", "JPY"], ("yen", "yen"), M),
    Currency::whole(&["CNY", "RMB"], ("yuan", "yuan"), M),
    Currency::whole(&["CHF", "Fr.", "fr."], ("franco svizzero", "franchi svizzeri"), M)
        .with("centesimo", "centesimi"),
    Currency::whole(&["A$", "AUD", "AU$"], ("dollaro australiano", "dollari australiani"), M)
        .with("centesimo", "centesimi"),
    Currency::whole(&["C$", "CAD", "CA$"], ("dollaro canadese", "dollari canadesi"), M)
        .with("centesimo", "centesimi"),
    Currency::whole(&["HK$", "HKD"], ("dollaro di Hong Kong", "dollari di Hong Kong"), M),
    Currency::whole(&["₹", "INR"], ("rupia", "rupie"), F),
    Currency::whole(&["₽", "RUB"], ("rublo", "rubli"), M),
    Currency::whole(&["₺", "TRY"], ("lira turca", "lire turche"), F),
    Currency::whole(&["₩", "KRW"], ("won", "won"), M),
    Currency::whole(&["₪"], ("shekel", "shekel"), M),
    Currency::whole(&["₴", "UAH"], ("grivnia", "grivnie"), F),
    Currency::whole(&["₫", "VND"], ("dong", "dong"), M),
    Currency::whole(&["MXN", "ARS", "CLP", "₱"], ("peso", "pesos"), M),
    Currency::whole(&["R$", "BRL"], ("real", "real"), M),
    Currency::whole(&["zł", "PLN"], ("zloty", "zloty"), M),
    Currency::whole(&["kr", "SEK"], ("corona", "corone"), F),
    Currency::whole(&["NOK"], ("corona norvegese", "corone norvegesi"), F),
    Currency::whole(&["DKK"], ("corona danese", "corone danesi"), F),
    Currency::whole(&["Kč", "CZK"], ("corona ceca", "corone ceche"), F),
    Currency::whole(&["HUF"], ("fiorino", "fiorini"), M),
    Currency::whole(&["RON"], ("leu", "lei"), M),
    Currency::whole(&["MAD"], ("dirham", "dirham"), M),
    Currency::whole(&["ZAR"], ("rand", "rand"), M),
    Currency::whole(&["Lit.", "£it.", "ITL"], ("lira", "lire"), F),
    Currency::whole(&["₿", "BTC"], ("bitcoin", "bitcoin"), M),
    Currency::whole(&["c€", "¢", "cent.", "cts"], ("centesimo", "centesimi"), M),
];
