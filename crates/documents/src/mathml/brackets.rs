//! The symbols that open and close brackets.

/// The closing symbol of an opening one.
pub(super) fn pair(open: &str) -> Option<&'static str> {
    Some(match open {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        "⟨" | "〈" | "❬" => "⟩",
        "⌊" => "⌋",
        "⌈" => "⌉",
        "⦅" => "⦆",
        _ => return None,
    })
}

pub(super) fn opens(text: &str) -> bool {
    pair(text).is_some() || is_bar(text)
}

pub(super) fn closes(text: &str) -> bool {
    matches!(text, ")" | "]" | "}" | "⟩" | "〉" | "❭" | "⌋" | "⌉" | "⦆")
}

pub(super) fn is_bar(text: &str) -> bool {
    matches!(text, "|" | "∣" | "❘" | "‖" | "∥" | "||")
}
