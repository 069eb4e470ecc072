//! The currencies of the world by their Portuguese names: signs and codes, as they are written.

use crate::front_end::romance::{figures::Form, grammar::Currency};

const M: Form = Form::Masculine;
const F: Form = Form::Feminine;

pub(super) const CURRENCIES: &[Currency] = &[
    Currency::whole(&["R$", "BRL"], ("real", "reais"), M).with("centavo", "centavos"),
    Currency::whole(&["€", "EUR"], ("euro", "euros"), M).with("centavo", "centavos"),
    Currency::whole(&["US$", "USD", "U$", "U$S", "$"], ("dólar", "dólares"), M).with("centavo", "centavos"),
    Currency::whole(&["£", "GBP"], ("libra", "libras"), F).with("pêni", "pence"),
    Currency::whole(&["¥", "JPY"], ("iene", "ienes"), M),
    Currency::whole(&["CNY", "RMB"], ("yuan", "yuans"), M),
    Currency::whole(&["CHF", "Fr."], ("franco suíço", "francos suíços"), M),
    Currency::whole(&["A$", "AUD", "AU$"], ("dólar australiano", "dólares australianos"), M)
        .with("centavo", "centavos"),
    Currency::whole(&["C$", "CAD", "CA$"], ("dólar canadense", "dólares canadenses"), M)
        .with("centavo", "centavos"),
    Currency::whole(&["HK$", "HKD"], ("dólar de Hong Kong", "dólares de Hong Kong"), M),
    Currency::whole(&["ARS", "MXN", "CLP", "UYU"], ("peso", "pesos"), M).with("centavo", "centavos"),
    Currency::whole(&["₲", "PYG", "Gs."], ("guarani", "guaranis"), M),
    Currency::whole(&["₹", "INR"], ("rúpia", "rúpias"), F),
    Currency::whole(&["₽", "RUB"], ("rublo", "rublos"), M),
    Currency::whole(&["₺", "TRY"], ("lira turca", "liras turcas"), F),
    Currency::whole(&["₩", "KRW"], ("won", "wons"), M),
    Currency::whole(&["₪"], ("shekel", "shekels"), M),
    Currency::whole(&["₴", "UAH"], ("hryvnia", "hryvnias"), F),
    Currency::whole(&["₫", "VND"], ("dong", "dongs"), M),
    Currency::whole(&["₱"], ("peso filipino", "pesos filipinos"), M),
    Currency::whole(&["zł", "PLN"], ("zloty", "zlotys"), M),
    Currency::whole(&["kr", "SEK"], ("coroa", "coroas"), F),
    Currency::whole(&["NOK"], ("coroa norueguesa", "coroas norueguesas"), F),
    Currency::whole(&["DKK"], ("coroa dinamarquesa", "coroas dinamarquesas"), F),
    Currency::whole(&["Kč", "CZK"], ("coroa tcheca", "coroas tchecas"), F),
    Currency::whole(&["HUF"], ("florim", "florins"), M),
    Currency::whole(&["Cr$", "CR$"], ("cruzeiro", "cruzeiros"), M).with("centavo", "centavos"),
    Currency::whole(&["Kz", "AOA"], ("kwanza", "kwanzas"), M),
    Currency::whole(&["MZN"], ("metical", "meticais"), M),
    Currency::whole(&["ZAR"], ("rand", "rands"), M),
    Currency::whole(&["₿", "BTC"], ("bitcoin", "bitcoins"), M),
    Currency::whole(&["¢"], ("centavo", "centavos"), M),
];
