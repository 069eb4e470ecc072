//! Says what a network gave in another time, at the same pitch: what is left of a speed when symbols cannot be shorter.

use libsonic::SonicStream;

use crate::engines::neural::{features::rescaled, speed::CLOSE};

/// A sound becomes at most this many times as long, and not shorter than this part of it, whatever its network says of itself.
const MOST: f32 = 2.0;

/// What a network makes of a row.
#[derive(Debug)]
pub(super) struct Sound {
    pub(super) samples: Vec<f32>,
    /// Samples of each symbol, where the network tells.
    pub(super) lengths: Option<Vec<usize>>,
}

/// The same sound in a share of its time. Whole periods of the voice are taken out or repeated: where that brings it no nearer, the
/// sound stays as it is.
pub(super) fn in_share(sound: Sound, share: f32, rate_hz: u32) -> Sound {
    if !share.is_finite() || (share - 1.0).abs() < CLOSE {
        return sound;
    }
    let Ok(mut stream) = SonicStream::new(rate_hz, 1) else { return sound };
    stream.set_speed(1.0 / share.clamp(1.0 / MOST, MOST));
    stream.write_f32(&sound.samples);
    stream.flush();
    let samples = stream.read_f32(stream.available_frames());
    let wanted = (sound.samples.len() as f32 * share) as usize;
    if samples.len().abs_diff(wanted) >= sound.samples.len().abs_diff(wanted) {
        return sound;
    }
    let lengths = sound.lengths.map(|lengths| rescaled(&lengths, sound.samples.len(), samples.len()));
    Sound { samples, lengths }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;

    const RATE_HZ: u32 = 22_050;

    /// A tone of 150 Hz with overtones, as long as its lengths say.
    fn tone(lengths: &[usize]) -> Sound {
        let at = |sample: usize| {
            let phase = sample as f32 / RATE_HZ as f32 * 150.0 * TAU;
            (1..6_u8).map(|harmonic| (phase * f32::from(harmonic)).sin() / f32::from(harmonic)).sum::<f32>()
                * 0.2
        };
        Sound { samples: (0..lengths.iter().sum()).map(at).collect(), lengths: Some(lengths.to_vec()) }
    }

    #[test]
    fn a_sound_lasts_its_share_and_keeps_its_pitch() {
        let lengths = [5_000, 12_000, 9_000, 18_100];
        let rises =
            |samples: &[f32]| samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
        for share in [0.75_f32, 0.9, 0.98, 1.1, 1.3] {
            let sound = in_share(tone(&lengths), share, RATE_HZ);
            let reached = sound.samples.len() as f32 / 44_100.0;
            assert!((reached / share - 1.0).abs() < 0.005, "{reached} for {share}");
            let pitch_hz = rises(&sound.samples) as f32 / (sound.samples.len() as f32 / RATE_HZ as f32);
            assert!((pitch_hz - 150.0).abs() < 3.0, "{pitch_hz} Hz");
            let told = sound.lengths.unwrap();
            assert_eq!(told.iter().sum::<usize>(), sound.samples.len());
            assert!((told[1] as f32 / 12_000.0 / share - 1.0).abs() < 0.005);
        }
        let samples = tone(&lengths).samples;
        assert_eq!(in_share(tone(&lengths), 1.0, RATE_HZ).samples, samples);
    }

    #[test]
    fn short_sounds_and_noise_do_no_harm() {
        for length in [0, 1, 10, 300, 677, 678, 679, 1_400, 5_000] {
            for share in [0.1, 0.5, 0.501, 0.9, 1.5, 2.0, 5.0, f32::NAN, f32::INFINITY] {
                let samples: Vec<f32> = (0..length).map(|at| (at as f32 * 12.9898).sin() * 4.0).collect();
                let sound = in_share(Sound { samples, lengths: None }, share, 16_000);
                assert!(sound.samples.iter().all(|sample| sample.is_finite()));
                assert!(sound.samples.len() <= 2 * length + 1);
            }
        }
    }
}
