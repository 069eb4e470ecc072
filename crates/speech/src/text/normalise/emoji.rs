//! Names of common emoji. One that is repeated is named once; one without a name here says nothing.

use super::Reader;

/// Emoji and what it is called, in the order of the code points.
const NAMES: &[(char, &str)] = &[
    ('☀', "sun"), ('☁', "cloud"), ('☎', "telephone"), ('☑', "check mark"), ('☔', "umbrella"), ('☕', "coffee"), ('☠', "skull"),
    ('☮', "peace sign"), ('☹', "frowning face"), ('☺', "smiling face"), ('♀', "female sign"), ('♂', "male sign"), ('♠', "spade"),
    ('♣', "club"), ('♥', "heart"), ('♦', "diamond"), ('♻', "recycling sign"), ('⚓', "anchor"), ('⚖', "scales"), ('⚠', "warning"),
    ('⚡', "lightning"), ('⚽', "soccer ball"), ('⛄', "snowman"), ('⛔', "no entry"), ('✅', "check mark"), ('✈', "airplane"),
    ('✉', "envelope"), ('✊', "raised fist"), ('✋', "raised hand"), ('✌', "victory sign"), ('✏', "pencil"), ('✓', "check mark"),
    ('✔', "check mark"), ('✖', "cross mark"), ('✗', "cross mark"), ('✨', "sparkles"), ('❄', "snowflake"), ('❌', "cross mark"),
    ('❓', "question mark"), ('❗', "exclamation mark"), ('❤', "heart"), ('➕', "plus"), ('➖', "minus"), ('⬅', "left arrow"),
    ('⬆', "up arrow"), ('⬇', "down arrow"), ('⭐', "star"), ('🌈', "rainbow"), ('🌊', "wave"), ('🌍', "globe"), ('🌎', "globe"),
    ('🌏', "globe"), ('🌙', "moon"), ('🌞', "sun"), ('🌟', "star"), ('🌧', "rain"), ('🌱', "seedling"), ('🌲', "tree"), ('🌳', "tree"),
    ('🌴', "palm tree"), ('🌷', "tulip"), ('🌸', "cherry blossom"), ('🌹', "rose"), ('🌺', "flower"), ('🌻', "sunflower"),
    ('🍀', "four leaf clover"), ('🍁', "maple leaf"), ('🍂', "fallen leaves"), ('🍃', "leaves"), ('🍆', "eggplant"), ('🍉', "watermelon"),
    ('🍌', "banana"), ('🍎', "apple"), ('🍓', "strawberry"), ('🍔', "hamburger"), ('🍕', "pizza"), ('🍩', "doughnut"), ('🍪', "cookie"),
    ('🍫', "chocolate"), ('🍰', "cake"), ('🍷', "wine"), ('🍺', "beer"), ('🍻', "beers"), ('🍾', "champagne"), ('🎁', "gift"), ('🎂', "birthday cake"),
    ('🎃', "pumpkin"), ('🎄', "Christmas tree"), ('🎅', "Santa Claus"), ('🎈', "balloon"), ('🎉', "party popper"), ('🎊', "confetti"),
    ('🎓', "graduation cap"), ('🎤', "microphone"), ('🎧', "headphones"), ('🎨', "palette"), ('🎬', "clapper board"), ('🎮', "video game"),
    ('🎯', "bull's eye"), ('🎵', "music note"), ('🎶', "music notes"), ('🎸', "guitar"), ('🏀', "basketball"), ('🏃', "runner"), ('🏆', "trophy"),
    ('🏈', "football"), ('🏠', "house"), ('🏡', "house"), ('🏢', "office"), ('🏥', "hospital"), ('🏫', "school"), ('🐍', "snake"), ('🐎', "horse"),
    ('🐐', "goat"), ('🐑', "sheep"), ('🐔', "chicken"), ('🐕', "dog"), ('🐘', "elephant"), ('🐙', "octopus"), ('🐛', "bug"), ('🐝', "bee"),
    ('🐟', "fish"), ('🐢', "turtle"), ('🐣', "chick"), ('🐦', "bird"), ('🐧', "penguin"), ('🐬', "dolphin"), ('🐭', "mouse"), ('🐮', "cow"),
    ('🐰', "rabbit"), ('🐱', "cat"), ('🐳', "whale"), ('🐴', "horse"), ('🐵', "monkey"), ('🐶', "dog"), ('🐷', "pig"), ('🐸', "frog"), ('🐻', "bear"),
    ('🐼', "panda"), ('👀', "eyes"), ('👁', "eye"), ('👂', "ear"), ('👆', "pointing up"), ('👇', "pointing down"), ('👈', "pointing left"),
    ('👉', "pointing right"), ('👊', "fist"), ('👋', "waving hand"), ('👌', "OK hand"), ('👍', "thumbs up"), ('👎', "thumbs down"),
    ('👏', "clapping hands"), ('👑', "crown"), ('👨', "man"), ('👩', "woman"), ('👪', "family"), ('👦', "boy"), ('👧', "girl"), ('👶', "baby"),
    ('👻', "ghost"), ('👽', "alien"), ('👿', "angry devil"), ('💀', "skull"), ('💃', "dancer"), ('💉', "syringe"), ('💊', "pill"), ('💋', "kiss"),
    ('💍', "ring"), ('💎', "gem"), ('💐', "bouquet"), ('💔', "broken heart"), ('💕', "hearts"), ('💖', "heart"), ('💗', "heart"), ('💘', "heart"),
    ('💙', "blue heart"), ('💚', "green heart"), ('💛', "yellow heart"), ('💜', "purple heart"), ('💝', "heart"), ('💞', "hearts"), ('💡', "light bulb"),
    ('💣', "bomb"), ('💤', "sleeping"), ('💥', "explosion"), ('💦', "sweat drops"), ('💩', "pile of poo"), ('💪', "flexed biceps"), ('💬', "speech bubble"),
    ('💭', "thought bubble"), ('💯', "one hundred points"), ('💰', "money bag"), ('💵', "dollar bills"), ('💸', "money with wings"), ('💻', "laptop"),
    ('💼', "briefcase"), ('📅', "calendar"), ('📈', "rising chart"), ('📉', "falling chart"), ('📌', "pin"), ('📍', "pin"), ('📚', "books"), ('📝', "memo"),
    ('📞', "telephone"), ('📢', "loudspeaker"), ('📣', "megaphone"), ('📦', "package"), ('📧', "e-mail"), ('📱', "phone"), ('📷', "camera"),
    ('📸', "camera"), ('📺', "television"), ('🔍', "magnifying glass"), ('🔑', "key"), ('🔒', "lock"), ('🔔', "bell"), ('🔗', "link"), ('🔥', "fire"),
    ('🔨', "hammer"), ('🔫', "water pistol"), ('🔴', "red circle"), ('🔵', "blue circle"), ('🕐', "one o'clock"), ('🖤', "black heart"), ('🗑', "wastebasket"),
    ('😀', "grinning face"), ('😁', "beaming face"), ('😂', "tears of joy"), ('😃', "grinning face"), ('😄', "grinning face"), ('😅', "sweaty grin"),
    ('😆', "laughing face"), ('😇', "angel face"), ('😈', "smiling devil"), ('😉', "winking face"), ('😊', "smiling face"), ('😋', "yummy face"),
    ('😌', "relieved face"), ('😍', "heart eyes"), ('😎', "cool face"), ('😏', "smirking face"), ('😐', "neutral face"), ('😒', "unamused face"),
    ('😔', "sad face"), ('😕', "confused face"), ('😘', "kissing face"), ('😙', "kissing face"), ('😚', "kissing face"), ('😛', "tongue out"),
    ('😜', "winking face with tongue"), ('😝', "tongue out"), ('😞', "disappointed face"), ('😠', "angry face"), ('😡', "angry face"), ('😢', "crying face"),
    ('😤', "huffing face"), ('😥', "sad face"), ('😨', "fearful face"), ('😩', "weary face"), ('😪', "sleepy face"), ('😫', "tired face"), ('😬', "grimacing face"),
    ('😭', "crying face"), ('😮', "surprised face"), ('😱', "screaming face"), ('😳', "flushed face"), ('😴', "sleeping face"), ('😵', "dizzy face"),
    ('😷', "masked face"), ('🙁', "frowning face"), ('🙂', "smiling face"), ('🙃', "upside down face"), ('🙄', "rolling eyes"), ('🙈', "see no evil monkey"),
    ('🙉', "hear no evil monkey"), ('🙊', "speak no evil monkey"), ('🙌', "raised hands"), ('🙏', "folded hands"), ('🚀', "rocket"), ('🚂', "train"), ('🚌', "bus"),
    ('🚑', "ambulance"), ('🚒', "fire engine"), ('🚓', "police car"), ('🚕', "taxi"), ('🚗', "car"), ('🚨', "siren"), ('🚩', "red flag"), ('🚫', "prohibited"),
    ('🚲', "bicycle"), ('🚶', "walker"), ('🛑', "stop sign"), ('🛒', "shopping cart"), ('🟢', "green circle"), ('🤍', "white heart"), ('🤎', "brown heart"),
    ('🤐', "zipped mouth"), ('🤑', "money face"), ('🤒', "sick face"), ('🤓', "nerd face"), ('🤔', "thinking face"), ('🤖', "robot"), ('🤗', "hugging face"),
    ('🤘', "rock on"), ('🤙', "call me hand"), ('🤝', "handshake"), ('🤞', "crossed fingers"), ('🤟', "love you sign"), ('🤡', "clown"), ('🤢', "nauseated face"),
    ('🤣', "rolling on the floor laughing"), ('🤤', "drooling face"), ('🤦', "facepalm"), ('🤧', "sneezing face"), ('🤩', "star eyes"), ('🤪', "zany face"),
    ('🤫', "shushing face"), ('🤬', "swearing face"), ('🤭', "giggling face"), ('🤮', "vomiting face"), ('🤯', "exploding head"), ('🤷', "shrug"), ('🥂', "clinking glasses"),
    ('🥇', "gold medal"), ('🥈', "silver medal"), ('🥉', "bronze medal"), ('🥑', "avocado"), ('🥰', "smiling face with hearts"), ('🥱', "yawning face"),
    ('🥲', "smiling face with tear"), ('🥳', "partying face"), ('🥴', "woozy face"), ('🥵', "hot face"), ('🥶', "cold face"), ('🥺', "pleading face"), ('🦁', "lion"),
    ('🦄', "unicorn"), ('🦅', "eagle"), ('🦆', "duck"), ('🦉', "owl"), ('🦊', "fox"), ('🦋', "butterfly"), ('🧠', "brain"), ('🧡', "orange heart"),
    ('🧵', "thread"), ('🫠', "melting face"), ('🫡', "saluting face"), ('🫶', "heart hands"),
];

/// Reads the emoji that comes next, with the skin tones and repetitions behind it.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    if regional(c).is_some() {
        return flag(r);
    }
    let Ok(index) = NAMES.binary_search_by_key(&c, |(emoji, _)| *emoji) else { return false };
    let mut end = r.at + c.len_utf8();
    while let Some(next) = r.t[end..].chars().next().filter(|next| *next == c || is_tone(*next)) {
        end += next.len_utf8();
    }
    r.say(NAMES[index].1, end);
    true
}

fn is_tone(c: char) -> bool {
    ('\u{1F3FB}'..='\u{1F3FF}').contains(&c)
}

fn regional(c: char) -> Option<char> {
    (c as u32).checked_sub(0x1F1E6).filter(|index| *index < 26).and_then(|index| char::from_u32('A' as u32 + index))
}

/// Two regional letters: "US flag".
fn flag(r: &mut Reader<'_>) -> bool {
    let mut letters = r.rest().chars().take(2).map(regional);
    let (Some(Some(first)), Some(Some(second))) = (letters.next(), letters.next()) else { return false };
    r.say(&format!("{first}{second} flag"), r.at + 8);
    true
}
