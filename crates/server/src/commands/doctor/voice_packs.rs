//! `lectern doctor` on voice packs: whether they are whole, and whether their voices really speak.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use lectern_speech::{
    engines::{self, EngineError, Factory, LocalEngine, Speech, Utterance, piper},
    pack::Pack,
    spec::NarrationSpec,
};

use super::Finding;
use crate::output;
use lectern_service::{config::Config, services::speech::voices};

const PACK: &str = "voice pack";
const SPEECH: &str = "speech";
const ADDED: &str = "added voices";

/// The pack that every installation needs, and those of the other engines.
pub(super) fn look(config: &Config) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        engines::LOCAL.iter().flat_map(|engine| look_at(config, engine)).collect();
    findings.extend(brought(config));
    findings
}

/// The voices that users brought: what they need, and whether the first speaks.
fn brought(config: &Config) -> Vec<Finding> {
    let brought = voices::brought(config);
    let listed = brought.list();
    let Some(first) = listed.first() else { return Vec::new() };
    let program = voices::espeak(config);
    let needing: Vec<&str> = brought.in_need_of_espeak().collect();
    if let (None, [_, ..]) = (program.path(), &needing[..]) {
        let detail = format!("{} cannot speak without the program espeak-ng", needing.join(", "));
        return vec![Finding::wrong(ADDED, detail, "install espeak-ng, or set speech.espeak to its path")];
    }
    let spec = NarrationSpec::new(piper::NAME, &first.voice.name, first.voice.languages[0], piper::SPOKEN);
    let factory = voices::piper_factory(config, brought);
    let remove = format!("lectern voices remove {}, then add it again", first.voice.name);
    let speech = speech_of(&factory, spec, "speech of added voices", remove);
    vec![
        Finding::fine(ADDED, format!("{}, in {}", listed.len(), voices::brought_directory(config).display())),
        speech,
    ]
}

fn look_at(config: &Config, engine: &LocalEngine) -> Vec<Finding> {
    let (pack, is_default) = (engine.pack, engine.name == engines::DEFAULT.name);
    let what = |what: &'static str, other: &'static str| if is_default { what } else { other };
    let pack_is = what(PACK, "more voices");
    let folder = voices::directory(config, pack);
    if !pack.is_at(&folder) {
        let looked: Vec<String> =
            voices::places(config).iter().map(|place| place.display().to_string()).collect();
        let missing = format!("there is no voice pack in {}", looked.join(" or "));
        return vec![if is_default {
            Finding::wrong(pack_is, missing, pack.install_command())
        } else {
            let voices = engine.voices.len();
            let detail = format!("the pack {} with {voices} voices is not installed", pack.name());
            Finding::note(pack_is, detail, format!("to have them: {}", pack.install_command()))
        }];
    }
    let whole = Pack::open(&folder, pack).and_then(|pack| pack.check_all().map(|()| pack));
    let pack = match whole {
        Ok(pack) => pack,
        Err(error) => {
            return vec![Finding::wrong(pack_is, output::chain(&error), engine.pack.install_command())];
        }
    };
    let whole = if is_default {
        format!("whole, in {}", folder.display())
    } else {
        format!("{} is whole, in {}", engine.pack.name(), folder.display())
    };
    vec![Finding::fine(pack_is, whole), speech(engine, &pack, what(SPEECH, "speech of more voices"))]
}

fn speech(engine: &LocalEngine, pack: &Pack, what: &'static str) -> Finding {
    let fix = engine.pack.install_command();
    let factory = match engine.load(pack) {
        Ok(factory) => factory,
        Err(error) => return Finding::wrong(what, output::chain(&error), fix),
    };
    let voice = &engine.voices[0];
    let text = "The quick brown fox jumps over the lazy dog.";
    speech_of(&factory, NarrationSpec::new(engine.name, voice.name, voice.languages[0], text), what, fix)
}

/// Whether an engine speaks, and how fast.
fn speech_of(factory: &Factory, spec: NarrationSpec, what: &'static str, fix: String) -> Finding {
    let spec = Arc::new(spec);
    let say = || -> Result<(Speech, Duration), EngineError> {
        let mut engine = factory()?;
        let started = Instant::now();
        let span = engine.plan(&spec.text, 0..spec.text.len(), spec.language)?.into_iter().next();
        let said = span.map_or(Ok(Speech::default()), |span| engine.say(&Utterance::new(&spec, span)))?;
        Ok((said, started.elapsed()))
    };
    match say() {
        Ok((said, spent)) if !said.samples.is_empty() => {
            let audio = said.samples.len() as f64 / f64::from(said.sample_rate_hz);
            let times = audio / spent.as_secs_f64().max(1e-9);
            let precision = usize::from(times < 10.0);
            Finding::fine(what, format!("speaks {times:.precision$} times as fast as real time on one core"))
        }
        Ok(_) => Finding::wrong(what, "the engine said nothing", fix),
        Err(error) => Finding::wrong(what, output::chain(&error), fix),
    }
}
