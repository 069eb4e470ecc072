//! How far the pitch moves at the ends of questions: the lines of a table, `kind ⇥ text`, are spoken and
//! measured. `cargo run --release --example questions -- [--voice NAME] [--language TAG] [--voices-dir DIR]
//! [--table FILE] [--wav FOLDER] [--unbent]`. Without a table it takes that of the tests. With `--unbent` the
//! voice does as it would by itself.
//!
//! What is measured: `final_rise` of the tests' tracker, over the last 250 ms that sound before the end of
//! the question's last word.
#![expect(clippy::print_stdout, reason = "a command for people and scripts")]

#[path = "../tests/engines/tracker.rs"]
#[expect(dead_code, reason = "the tests need more of it")]
mod tracker;

use std::{collections::BTreeMap, error::Error, path::PathBuf, sync::Arc};

use lectern_speech::{
    engines::{Utterance, local_voice},
    front_end::questions,
    language::Language,
    pack::Pack,
    spec::{Delivered, Delivery, NarrationSpec, Pitch},
};

const TABLE: &str = include_str!("../tests/golden/questions/spoken.tsv");

fn main() -> Result<(), Box<dyn Error>> {
    let given = |option: &str| std::env::args().skip_while(|argument| argument != option).nth(1);
    let name = given("--voice").unwrap_or_else(|| "heart".to_owned());
    let (engine, voice) = local_voice(&name).ok_or("there is no such voice")?;
    let language: Language = given("--language").map_or(Ok(voice.languages[0]), |tag| tag.parse())?;
    let folder = given("--voices-dir").map(PathBuf::from).or_else(Pack::user_voices_dir);
    let pack = Pack::open(&folder.ok_or("no home directory")?, engine.pack)?;
    let mut speaker = engine.load(&pack)?()?;
    let table = given("--table").map_or_else(|| Ok(TABLE.to_owned()), std::fs::read_to_string)?;
    let wav = given("--wav").map(PathBuf::from);
    let unbent = std::env::args().any(|argument| argument == "--unbent");
    let mut by_kind: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (number, line) in table.lines().enumerate() {
        let (kind, text) = line.split_once('\t').ok_or("a line is kind, tab, text")?;
        let mut spec =
            NarrationSpec { seed: 1, ..NarrationSpec::new(engine.name, voice.name, language, text) };
        if unbent {
            // A pitch that the text asks for goes first; nobody hears this one.
            let pitch = Pitch { semitones: 1e-6, ..Pitch::default() };
            let delivery = Delivery { pitch, ..Delivery::default() };
            spec.deliveries = vec![Delivered { range: 0..text.len(), delivery }].into();
        }
        let spec = Arc::new(spec);
        let (mut samples, mut rate) = (Vec::new(), 1);
        let mut rise = None;
        for span in speaker.plan(text, 0..text.len(), language)? {
            let asked = questions::find(text, span.range.clone(), language);
            let speech = speaker.say(&Utterance::new(&spec, span))?;
            if let Some(question) = asked.last() {
                // Of a choice, the first part.
                let place = question.rises.first().map_or(&question.range, |rise| &rise.range);
                let end = tracker::end_of(&speech, place);
                rise = tracker::final_rise(&speech, end);
            }
            rate = speech.sample_rate_hz;
            samples.extend(speech.samples);
        }
        if let Some(folder) = &wav {
            std::fs::create_dir_all(folder)?;
            let path = folder.join(format!("{number:03}.wav"));
            let format = hound::WavSpec {
                channels: 1,
                sample_rate: rate,
                bits_per_sample: 16,
                sample_format: hound::SampleFormat::Int,
            };
            let mut file = hound::WavWriter::create(path, format)?;
            for sample in &samples {
                file.write_sample((sample * 20_000.0).clamp(-32_000.0, 32_000.0) as i16)?;
            }
            file.finalize()?;
        }
        match rise {
            Some(rise) => {
                println!("{rise:+6.1} st  {kind:<12} {text}");
                by_kind.entry(kind).or_default().push(rise);
            }
            None => println!("     – st  {kind:<12} {text}"),
        }
    }
    println!("\n{:<12} {:>9} {:>10} {:>8}", "kind", "questions", "rise > 1.5", "median");
    for (kind, mut rises) in by_kind {
        rises.sort_by(f64::total_cmp);
        let rising = rises.iter().filter(|rise| **rise > 1.5).count();
        println!("{kind:<12} {:>9} {rising:>10} {:>+8.1}", rises.len(), rises[rises.len() / 2]);
    }
    Ok(())
}
