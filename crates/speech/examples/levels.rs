//! How hard the limiter works: crest, share of frames at the ceiling, and reduction.
//!
//! `cargo run --release --example levels -- [VOICES_DIR]`

#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use std::{error::Error, path::PathBuf, sync::Arc};

use lectern_speech::{
    audio::{
        Loudness,
        loudness::{self, level_to},
    },
    engines::{LOCAL, Utterance},
    pack::Pack,
    recorders::Narration,
    spec::NarrationSpec,
};

const TEXT: &str = "The morning train left the station at seven. Children pressed their faces to the glass, and by \
    noon, when the fog had gone, Dr. Smith had paid five dollars for a map of the river. It showed the roads, the \
    fences and the mill; it did not show the bridge, which was built in 1931. \u{201c}Is there another way \
    across?\u{201d} she asked. Nobody knew. They walked along the bank until the light went, and then they sat down \
    under a tree and waited for the morning.";

/// Frames whose loudest sample is this close to the loudest of all count as being at the ceiling.
const CLOSE_DB: f32 = 0.1;

fn main() -> Result<(), Box<dyn Error>> {
    let voices = std::env::args().nth(1).map(PathBuf::from).or_else(Pack::user_voices_dir);
    let voices = voices.ok_or("no directory of voices")?;
    for engine in LOCAL {
        let Ok(pack) = Pack::open(&voices, engine.pack) else { continue };
        let factory = engine.load(&pack)?;
        for voice in engine
            .voices
            .iter()
            .filter(|voice| ["heart", "alma", "af_heart", "am_michael", "bf_emma"].contains(&voice.name))
        {
            let spec = Arc::new(NarrationSpec::new(engine.name, voice.name, voice.languages[0], TEXT));
            let mut instance = factory()?;
            let mut narration = Narration::new();
            for span in instance.plan(TEXT, 0..TEXT.len(), voice.languages[0])? {
                narration.push(instance.say(&Utterance::new(&spec, span))?)?;
            }
            let rate = narration.sample_rate_hz;
            println!("{}", voice.name);
            report(&narration.samples, rate, f64::from(voice.gain_db))?;
        }
    }
    Ok(())
}

fn report(samples: &[f32], rate: u32, gain_db: f64) -> Result<(), Box<dyn Error>> {
    let (lufs, peak, rms) = about(samples, rate)?;
    println!("  as the voice gives it: {lufs:.1} LUFS, peak {peak:.1}, crest {:.1} dB", peak - rms);
    for target in [Loudness::Standard, Loudness::Broadcast, Loudness::Acx] {
        let mut samples = samples.to_vec();
        let report = level_to(target, &mut samples, rate, gain_db)?;
        let (lufs, peak, rms) = about(&samples, rate)?;
        println!(
            "    {target}: {lufs:.2} LUFS, RMS {rms:.1}, true peak {:.2} dBTP, crest {:.1} dB, gain {:.1}, \
             limited {:.1} dB, {:.2} % of frames at the ceiling",
            report.true_peak_dbtp,
            peak - rms,
            report.gain_db,
            report.limited_db,
            100.0 * at_ceiling(&samples, rate),
        );
    }
    Ok(())
}

/// Loudness, peak and RMS, in dB.
fn about(samples: &[f32], rate: u32) -> Result<(f64, f64, f64), Box<dyn Error>> {
    let power = samples.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / samples.len() as f64;
    let peak = f64::from(samples.iter().fold(0.0_f32, |most, sample| most.max(sample.abs())));
    Ok((loudness::measure(samples, rate)?.lufs, 20.0 * peak.log10(), 10.0 * power.log10()))
}

/// The share of 10 ms frames that reach the loudest sample of all.
fn at_ceiling(samples: &[f32], rate: u32) -> f32 {
    let peak = |samples: &[f32]| samples.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    let ceiling = peak(samples) * 10.0_f32.powf(-CLOSE_DB / 20.0);
    let frames: Vec<&[f32]> = samples.chunks(rate as usize / 100).collect();
    frames.iter().filter(|frame| peak(frame) >= ceiling).count() as f32 / frames.len() as f32
}
