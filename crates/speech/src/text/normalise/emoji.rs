//! Names of common emoji. One that is repeated is named once, with its number; one without a name here says nothing.

use std::borrow::Cow;

use super::Reader;

/// Emoji and what it is called, in the order of the code points.
const NAMES: &[(char, &str)] = &[
    ('☀', "sun"),
    ('☁', "cloud"),
    ('☃', "snowman"),
    ('☎', "telephone"),
    ('☑', "check mark"),
    ('☔', "umbrella"),
    ('☕', "coffee"),
    ('☠', "skull"),
    ('☮', "peace sign"),
    ('☹', "frowning face"),
    ('☺', "smiling face"),
    ('♀', "female sign"),
    ('♂', "male sign"),
    ('♠', "spade"),
    ('♣', "club"),
    ('♥', "heart"),
    ('♦', "diamond"),
    ('♻', "recycling sign"),
    ('⚓', "anchor"),
    ('⚖', "scales"),
    ('⚠', "warning"),
    ('⚡', "lightning"),
    ('⚽', "soccer ball"),
    ('⛄', "snowman"),
    ('⛔', "no entry"),
    ('✅', "check mark"),
    ('✈', "airplane"),
    ('✉', "envelope"),
    ('✊', "raised fist"),
    ('✋', "raised hand"),
    ('✌', "victory sign"),
    ('✏', "pencil"),
    ('✓', "check mark"),
    ('✔', "check mark"),
    ('✖', "cross mark"),
    ('✗', "cross mark"),
    ('✨', "sparkles"),
    ('❄', "snowflake"),
    ('❌', "cross mark"),
    ('❓', "question mark"),
    ('❗', "exclamation mark"),
    ('❤', "heart"),
    ('➕', "plus"),
    ('➖', "minus"),
    ('⬅', "left arrow"),
    ('⬆', "up arrow"),
    ('⬇', "down arrow"),
    ('⭐', "star"),
    ('🌈', "rainbow"),
    ('🌊', "wave"),
    ('🌍', "globe"),
    ('🌎', "globe"),
    ('🌏', "globe"),
    ('🌙', "moon"),
    ('🌞', "sun"),
    ('🌟', "star"),
    ('🌧', "rain"),
    ('🌱', "seedling"),
    ('🌲', "tree"),
    ('🌳', "tree"),
    ('🌴', "palm tree"),
    ('🌷', "tulip"),
    ('🌸', "cherry blossom"),
    ('🌹', "rose"),
    ('🌺', "flower"),
    ('🌻', "sunflower"),
    ('🍀', "four leaf clover"),
    ('🍁', "maple leaf"),
    ('🍂', "fallen leaves"),
    ('🍃', "leaves"),
    ('🍆', "eggplant"),
    ('🍉', "watermelon"),
    ('🍌', "banana"),
    ('🍎', "apple"),
    ('🍓', "strawberry"),
    ('🍔', "hamburger"),
    ('🍕', "pizza"),
    ('🍩', "doughnut"),
    ('🍪', "cookie"),
    ('🍫', "chocolate"),
    ('🍰', "cake"),
    ('🍷', "wine"),
    ('🍺', "beer"),
    ('🍻', "beers"),
    ('🍾', "champagne"),
    ('🎁', "gift"),
    ('🎂', "birthday cake"),
    ('🎃', "pumpkin"),
    ('🎄', "Christmas tree"),
    ('🎅', "Santa Claus"),
    ('🎈', "balloon"),
    ('🎉', "party popper"),
    ('🎊', "confetti"),
    ('🎓', "graduation cap"),
    ('🎤', "microphone"),
    ('🎧', "headphones"),
    ('🎨', "palette"),
    ('🎬', "clapper board"),
    ('🎮', "video game"),
    ('🎯', "bull's eye"),
    ('🎵', "music note"),
    ('🎶', "music notes"),
    ('🎸', "guitar"),
    ('🏀', "basketball"),
    ('🏃', "runner"),
    ('🏆', "trophy"),
    ('🏈', "football"),
    ('🏠', "house"),
    ('🏡', "house"),
    ('🏢', "office"),
    ('🏥', "hospital"),
    ('🏫', "school"),
    ('🐍', "snake"),
    ('🐎', "horse"),
    ('🐐', "goat"),
    ('🐑', "sheep"),
    ('🐔', "chicken"),
    ('🐕', "dog"),
    ('🐘', "elephant"),
    ('🐙', "octopus"),
    ('🐛', "bug"),
    ('🐝', "bee"),
    ('🐟', "fish"),
    ('🐢', "turtle"),
    ('🐣', "chick"),
    ('🐦', "bird"),
    ('🐧', "penguin"),
    ('🐬', "dolphin"),
    ('🐭', "mouse"),
    ('🐮', "cow"),
    ('🐰', "rabbit"),
    ('🐱', "cat"),
    ('🐳', "whale"),
    ('🐴', "horse"),
    ('🐵', "monkey"),
    ('🐶', "dog"),
    ('🐷', "pig"),
    ('🐸', "frog"),
    ('🐻', "bear"),
    ('🐼', "panda"),
    ('👀', "eyes"),
    ('👁', "eye"),
    ('👂', "ear"),
    ('👆', "pointing up"),
    ('👇', "pointing down"),
    ('👈', "pointing left"),
    ('👉', "pointing right"),
    ('👊', "fist"),
    ('👋', "waving hand"),
    ('👌', "OK hand"),
    ('👍', "thumbs up"),
    ('👎', "thumbs down"),
    ('👏', "clapping hands"),
    ('👑', "crown"),
    ('👦', "boy"),
    ('👧', "girl"),
    ('👨', "man"),
    ('👩', "woman"),
    ('👪', "family"),
    ('👶', "baby"),
    ('👻', "ghost"),
    ('👽', "alien"),
    ('👿', "angry devil"),
    ('💀', "skull"),
    ('💃', "dancer"),
    ('💉', "syringe"),
    ('💊', "pill"),
    ('💋', "kiss"),
    ('💍', "ring"),
    ('💎', "gem"),
    ('💐', "bouquet"),
    ('💔', "broken heart"),
    ('💕', "hearts"),
    ('💖', "heart"),
    ('💗', "heart"),
    ('💘', "heart"),
    ('💙', "blue heart"),
    ('💚', "green heart"),
    ('💛', "yellow heart"),
    ('💜', "purple heart"),
    ('💝', "heart"),
    ('💞', "hearts"),
    ('💡', "light bulb"),
    ('💣', "bomb"),
    ('💤', "sleeping"),
    ('💥', "explosion"),
    ('💦', "sweat drops"),
    ('💩', "pile of poo"),
    ('💪', "flexed biceps"),
    ('💬', "speech bubble"),
    ('💭', "thought bubble"),
    ('💯', "one hundred points"),
    ('💰', "money bag"),
    ('💵', "dollar bills"),
    ('💸', "money with wings"),
    ('💻', "laptop"),
    ('💼', "briefcase"),
    ('📅', "calendar"),
    ('📈', "rising chart"),
    ('📉', "falling chart"),
    ('📌', "pin"),
    ('📍', "pin"),
    ('📚', "books"),
    ('📝', "memo"),
    ('📞', "telephone"),
    ('📢', "loudspeaker"),
    ('📣', "megaphone"),
    ('📦', "package"),
    ('📧', "e-mail"),
    ('📱', "phone"),
    ('📷', "camera"),
    ('📸', "camera"),
    ('📺', "television"),
    ('🔍', "magnifying glass"),
    ('🔑', "key"),
    ('🔒', "lock"),
    ('🔔', "bell"),
    ('🔗', "link"),
    ('🔥', "fire"),
    ('🔨', "hammer"),
    ('🔫', "water pistol"),
    ('🔴', "red circle"),
    ('🔵', "blue circle"),
    ('🕐', "one o'clock"),
    ('🖤', "black heart"),
    ('🗑', "wastebasket"),
    ('😀', "grinning face"),
    ('😁', "beaming face"),
    ('😂', "tears of joy"),
    ('😃', "grinning face"),
    ('😄', "grinning face"),
    ('😅', "sweaty grin"),
    ('😆', "laughing face"),
    ('😇', "angel face"),
    ('😈', "smiling devil"),
    ('😉', "winking face"),
    ('😊', "smiling face"),
    ('😋', "yummy face"),
    ('😌', "relieved face"),
    ('😍', "heart eyes"),
    ('😎', "cool face"),
    ('😏', "smirking face"),
    ('😐', "neutral face"),
    ('😒', "unamused face"),
    ('😔', "sad face"),
    ('😕', "confused face"),
    ('😘', "kissing face"),
    ('😙', "kissing face"),
    ('😚', "kissing face"),
    ('😛', "tongue out"),
    ('😜', "winking face with tongue"),
    ('😝', "tongue out"),
    ('😞', "disappointed face"),
    ('😠', "angry face"),
    ('😡', "angry face"),
    ('😢', "crying face"),
    ('😤', "huffing face"),
    ('😥', "sad face"),
    ('😨', "fearful face"),
    ('😩', "weary face"),
    ('😪', "sleepy face"),
    ('😫', "tired face"),
    ('😬', "grimacing face"),
    ('😭', "crying face"),
    ('😮', "surprised face"),
    ('😱', "screaming face"),
    ('😳', "flushed face"),
    ('😴', "sleeping face"),
    ('😵', "dizzy face"),
    ('😷', "masked face"),
    ('🙁', "frowning face"),
    ('🙂', "smiling face"),
    ('🙃', "upside down face"),
    ('🙄', "rolling eyes"),
    ('🙈', "see no evil monkey"),
    ('🙉', "hear no evil monkey"),
    ('🙊', "speak no evil monkey"),
    ('🙌', "raised hands"),
    ('🙏', "folded hands"),
    ('🚀', "rocket"),
    ('🚂', "train"),
    ('🚌', "bus"),
    ('🚑', "ambulance"),
    ('🚒', "fire engine"),
    ('🚓', "police car"),
    ('🚕', "taxi"),
    ('🚗', "car"),
    ('🚨', "siren"),
    ('🚩', "red flag"),
    ('🚫', "prohibited"),
    ('🚲', "bicycle"),
    ('🚶', "walker"),
    ('🛑', "stop sign"),
    ('🛒', "shopping cart"),
    ('🟢', "green circle"),
    ('🤍', "white heart"),
    ('🤎', "brown heart"),
    ('🤐', "zipped mouth"),
    ('🤑', "money face"),
    ('🤒', "sick face"),
    ('🤓', "nerd face"),
    ('🤔', "thinking face"),
    ('🤖', "robot"),
    ('🤗', "hugging face"),
    ('🤘', "rock on"),
    ('🤙', "call me hand"),
    ('🤝', "handshake"),
    ('🤞', "crossed fingers"),
    ('🤟', "love you sign"),
    ('🤡', "clown"),
    ('🤢', "nauseated face"),
    ('🤣', "rolling on the floor laughing"),
    ('🤤', "drooling face"),
    ('🤦', "facepalm"),
    ('🤧', "sneezing face"),
    ('🤩', "star eyes"),
    ('🤪', "zany face"),
    ('🤫', "shushing face"),
    ('🤬', "swearing face"),
    ('🤭', "giggling face"),
    ('🤮', "vomiting face"),
    ('🤯', "exploding head"),
    ('🤷', "shrug"),
    ('🥂', "clinking glasses"),
    ('🥇', "gold medal"),
    ('🥈', "silver medal"),
    ('🥉', "bronze medal"),
    ('🥑', "avocado"),
    ('🥰', "smiling face with hearts"),
    ('🥱', "yawning face"),
    ('🥲', "smiling face with tear"),
    ('🥳', "partying face"),
    ('🥴', "woozy face"),
    ('🥵', "hot face"),
    ('🥶', "cold face"),
    ('🥺', "pleading face"),
    ('🦁', "lion"),
    ('🦄', "unicorn"),
    ('🦅', "eagle"),
    ('🦆', "duck"),
    ('🦉', "owl"),
    ('🦊', "fox"),
    ('🦋', "butterfly"),
    ('🧠', "brain"),
    ('🧡', "orange heart"),
    ('🧵', "thread"),
    ('🫠', "melting face"),
    ('🫡', "saluting face"),
    ('🫶', "heart hands"),
];

/// Reads the emoji or flag that comes next, and how often it is repeated: "rocket, three times".
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(run) = run(r.rest()) else { return false };
    let name = match r.char().and_then(name) {
        Some(name) => Cow::Borrowed(name),
        None => Cow::Owned(flag(r.rest())),
    };
    let end = r.at + run.bytes;
    let said = match run.count {
        1 => name.into_owned(),
        2 => format!("{name}, twice"),
        count => format!("{name}, {} times", r.figures.number(count as u64)),
    };
    r.say(&said, end);
    if run.count > 1 && r.rest().trim_start().starts_with(char::is_alphanumeric) {
        r.out.comma(end..end);
    }
    true
}

/// One emoji or flag, as often as it stands in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::text) struct Run {
    /// Bytes of all of it.
    pub(in crate::text) bytes: usize,
    /// How often it stands there.
    pub(in crate::text) count: usize,
}

/// The run of one emoji that a text starts with. Skin tones, variation selectors and single spaces between two of them
/// do not end it.
pub(in crate::text) fn run(text: &str) -> Option<Run> {
    let first = unit(text)?;
    let mut run = Run { bytes: adorned(text, first.len()), count: 1 };
    loop {
        let rest = &text[run.bytes..];
        let spaces = usize::from(rest.starts_with(' '));
        if !rest[spaces..].starts_with(first) || unit(&rest[spaces..]) != Some(first) {
            return Some(run);
        }
        run.bytes += spaces + adorned(&rest[spaces..], first.len());
        run.count += 1;
    }
}

/// The emoji or flag that a text starts with, without what adorns it.
fn unit(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if regional(first).is_some() {
        return chars.next().and_then(regional).map(|_| &text[..2 * first.len_utf8()]);
    }
    name(first).map(|_| &text[..first.len_utf8()])
}

/// The bytes of an emoji of `bytes` with the skin tones and variation selectors behind it.
fn adorned(text: &str, bytes: usize) -> usize {
    let adorns = |c: char| is_tone(c) || matches!(c, '\u{FE0E}' | '\u{FE0F}');
    let rest = &text[bytes..];
    bytes + rest.find(|c| !adorns(c)).unwrap_or(rest.len())
}

fn name(emoji: char) -> Option<&'static str> {
    NAMES.binary_search_by_key(&emoji, |(emoji, _)| *emoji).ok().map(|index| NAMES[index].1)
}

fn is_tone(c: char) -> bool {
    ('\u{1F3FB}'..='\u{1F3FF}').contains(&c)
}

fn regional(c: char) -> Option<char> {
    (c as u32)
        .checked_sub(0x1F1E6)
        .filter(|index| *index < 26)
        .and_then(|index| char::from_u32('A' as u32 + index))
}

/// The name of a flag, which is two regional letters: "US flag".
fn flag(text: &str) -> String {
    let mut name: String = text.chars().take(2).filter_map(regional).collect();
    name.push_str(" flag");
    name
}

#[cfg(test)]
mod tests {
    use super::{NAMES, Run, run};

    // Seen to fail: the family once stood before its children.
    #[test]
    fn emoji_are_in_the_order_that_the_search_needs() {
        assert!(NAMES.is_sorted_by(|(one, _), (next, _)| one < next));
    }

    #[test]
    fn a_run_is_one_emoji_however_it_is_adorned_and_spaced() {
        let of = |text: &str| run(text).map(|Run { bytes, count }| (text.len() - bytes, count));
        assert_eq!(of("😂😂😂!"), Some((1, 3)));
        assert_eq!(of("👍🏽👍 👍🏿"), Some((0, 3)));
        assert_eq!(of("❤\u{FE0F}❤\u{FE0F}"), Some((0, 2)));
        assert_eq!(of("🇫🇷🇫🇷🇩🇪"), Some((8, 2)));
        assert_eq!(of("😂🚀"), Some((4, 1)));
        assert_eq!(of("🇫"), None);
        assert_eq!(of("x😂"), None);
    }
}
