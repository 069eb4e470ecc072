//! The currencies of the world by their Spanish names: signs and codes, as they are written.

use crate::front_end::romance::{figures::Form, grammar::Currency};

const M: Form = Form::Masculine;
const F: Form = Form::Feminine;

pub(super) const CURRENCIES: &[Currency] = &[
    Currency::whole(&["€", "EUR"], ("euro", "euros"), M).with("céntimo", "céntimos"),
    Currency::whole(&["US$", "USD", "U$S", "$US", "$"], ("dólar", "dólares"), M).with("centavo", "centavos"),
    Currency::whole(&["MXN", "MX$", "ARS", "COP", "COP$", "CLP", "CLP$", "UYU"], ("peso", "pesos"), M)
        .with("centavo", "centavos"),
    Currency::whole(&["£", "GBP"], ("libra", "libras"), F).with("penique", "peniques"),
    Currency::whole(&["¥", "JPY"], ("yen", "yenes"), M),
    Currency::whole(&["CNY", "RMB"], ("yuan", "yuanes"), M),
    Currency::whole(&["CHF", "Fr."], ("franco suizo", "francos suizos"), M).with("céntimo", "céntimos"),
    Currency::whole(&["A$", "AUD", "AU$"], ("dólar australiano", "dólares australianos"), M)
        .with("centavo", "centavos"),
    Currency::whole(&["C$", "CAD", "CA$"], ("dólar canadiense", "dólares canadienses"), M)
        .with("centavo", "centavos"),
    Currency::whole(&["HK$", "HKD"], ("dólar de Hong Kong", "dólares de Hong Kong"), M)
        .with("centavo", "centavos"),
    Currency::whole(&["₹", "INR"], ("rupia", "rupias"), F),
    Currency::whole(&["₽", "RUB"], ("rublo", "rublos"), M),
    Currency::whole(&["₺", "TRY"], ("lira turca", "liras turcas"), F),
    Currency::whole(&["₩", "KRW"], ("won", "wones"), M),
    Currency::whole(&["₪"], ("séquel", "séqueles"), M),
    Currency::whole(&["₴", "UAH"], ("grivna", "grivnas"), F),
    Currency::whole(&["₫", "VND"], ("dong", "dongs"), M),
    Currency::whole(&["₱"], ("peso filipino", "pesos filipinos"), M).with("centavo", "centavos"),
    Currency::whole(&["₡", "CRC"], ("colón", "colones"), M).with("céntimo", "céntimos"),
    Currency::whole(&["₲", "PYG", "Gs."], ("guaraní", "guaraníes"), M),
    Currency::whole(&["Bs", "Bs."], ("boliviano", "bolivianos"), M).with("centavo", "centavos"),
    Currency::whole(&["VES"], ("bolívar", "bolívares"), M).with("céntimo", "céntimos"),
    Currency::whole(&["GTQ"], ("quetzal", "quetzales"), M).with("centavo", "centavos"),
    Currency::whole(&["HNL"], ("lempira", "lempiras"), M).with("centavo", "centavos"),
    Currency::whole(&["zł", "PLN"], ("esloti", "eslotis"), M),
    Currency::whole(&["kr", "SEK"], ("corona", "coronas"), F),
    Currency::whole(&["NOK"], ("corona noruega", "coronas noruegas"), F),
    Currency::whole(&["DKK"], ("corona danesa", "coronas danesas"), F),
    Currency::whole(&["Kč", "CZK"], ("corona checa", "coronas checas"), F),
    Currency::whole(&["HUF"], ("forinto", "forintos"), M),
    Currency::whole(&["RON"], ("leu", "leus"), M),
    Currency::whole(&["MAD"], ("dírham", "dírhams"), M),
    Currency::whole(&["ZAR"], ("rand", "rands"), M),
    Currency::whole(&["S/", "S/.", "PEN"], ("sol", "soles"), M).with("céntimo", "céntimos"),
    Currency::whole(&["R$", "BRL"], ("real", "reales"), M).with("centavo", "centavos"),
    Currency::whole(&["₿", "BTC"], ("bitcóin", "bitcoines"), M),
    Currency::whole(&["ptas", "Ptas", "ptas."], ("peseta", "pesetas"), F),
    Currency::whole(&["c€", "¢", "cts.", "cts"], ("céntimo", "céntimos"), M),
];
