//! The form in which e-mail addresses are compared. One host has many spellings (UTS 46):
//! `BÜCHER.example`, `bücher.example` and `xn--bcher-kva.example` are the same host, and addresses
//! at any of them belong to the same account.
//!
//! Accounts that are older than this rule are found by their original spelling. Two old accounts
//! whose addresses are the same under this rule stay two accounts.

/// An address in the form in which it is compared: in lower case, its host in ASCII. A string that
/// is not an address is only trimmed and put in lower case.
pub fn canonical(email: &str) -> String {
    let email = email.trim();
    match email.rsplit_once('@') {
        Some((local, host)) => format!("{}@{}", local.to_lowercase(), ascii_host(host)),
        None => email.to_lowercase(),
    }
}

/// An address in the form in which mail is sent to it: its host in ASCII, the rest unchanged.
pub fn for_mail(email: &str) -> String {
    match email.rsplit_once('@') {
        Some((local, host)) if !host.is_ascii() => format!("{local}@{}", ascii_host(host)),
        _ => email.to_owned(),
    }
}

/// A host's name in ASCII and lower case; a string that is not a name stays as it is.
pub fn ascii_host(host: &str) -> String {
    idna::domain_to_ascii(host).unwrap_or_else(|_| host.to_lowercase())
}

/// The keys under which an address may be stored, in order of precedence: the spelling itself,
/// which is the key of accounts older than the canonical form; the canonical form; and the
/// canonical form with its host in Unicode.
pub(crate) fn keys(email: &str) -> [String; 3] {
    let email = email.trim();
    let canonical = canonical(email);
    let unicode = match canonical.rsplit_once('@') {
        Some((local, host)) => format!("{local}@{}", idna::domain_to_unicode(host).0),
        None => canonical.clone(),
    };
    [email.to_lowercase(), canonical, unicode]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_host_are_one_address() {
        for spelling in [
            "u@bücher.example",
            "U@BÜCHER.Example",
            "u@xn--bcher-kva.example",
            "u@XN--BCHER-KVA.example",
            " u@bu\u{308}cher.example ",
            "u@ｂücher。example",
        ] {
            assert_eq!(canonical(spelling), "u@xn--bcher-kva.example", "{spelling}");
            assert!(keys(spelling).contains(&"u@bücher.example".to_owned()), "{spelling}");
        }
        assert_eq!(canonical("Jörg@straße.example"), "jörg@xn--strae-oqa.example");
        assert_eq!(canonical("x@localhost"), "x@localhost");
        assert_eq!(canonical("no address"), "no address");
        assert_eq!(for_mail("Ada@BÜCHER.example"), "Ada@xn--bcher-kva.example");
        assert_ne!(canonical("a@bücher.example"), canonical("a@bucher.example"));
    }
}
