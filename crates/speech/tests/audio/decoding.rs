//! Later.
use crate::signals::{RATE, lag, tone};
use lectern_speech::audio::{resample::resample, *};
#[test]
fn probe() {
    for (from, to) in [
        (24_000u32, 48_000u32),
        (48_000, 24_000),
        (22_050, 24_000),
        (44_100, 24_000),
        (16_000, 24_000),
        (24_000, 22_050),
    ] {
        let n = from as usize;
        let x: Vec<f32> =
            (0..n).map(|i| (std::f64::consts::TAU * 997.0 * i as f64 / from as f64).sin() as f32).collect();
        let y = resample(&x, from, to).unwrap();
        // phase of tone in y by projection
        let (mut s, mut c) = (0.0, 0.0);
        for i in 2000..(y.len() - 2000) {
            let a = std::f64::consts::TAU * 997.0 * i as f64 / to as f64;
            s += y[i] as f64 * a.sin();
            c += y[i] as f64 * a.cos();
        }
        let d = -c.atan2(s) / (std::f64::consts::TAU * 997.0) * to as f64;
        let amp = 2.0 * (s * s + c * c).sqrt() / (y.len() - 4000) as f64;
        println!("{from}->{to}: len {} delay {d:.4} samples amp {amp:.5}", y.len());
    }
    for sig in 0..3 {
        let x = match sig {
            0 => tone(48_000, 997.0, 0.3, 0.0),
            1 => crate::signals::speech(48_000, 11),
            _ => crate::signals::white(48_000, 0.3, 2),
        };
        let f = encode(&x, &EncodeOptions::new(Format::Opus, RATE)).unwrap();
        let y = decode::decode(&f).unwrap().samples;
        let z = crate::outside::ffmpeg(&f, "opus");
        for (name, y) in [("libopus", y), ("ffmpeg", z)] {
            if sig == 0 {
                let (mut s, mut c) = (0.0, 0.0);
                for i in 9000..(y.len() - 9000) {
                    let a = std::f64::consts::TAU * 997.0 * i as f64 / 48_000.0;
                    s += y[i] as f64 * a.sin();
                    c += y[i] as f64 * a.cos();
                }
                println!(
                    "opus {name} delay {:.4} samples@48k",
                    -c.atan2(s) / (std::f64::consts::TAU * 997.0) * 48_000.0
                );
            } else {
                let d = resample(&x, RATE, 48_000).unwrap();
                for w in [0usize, 24_000, 48_000] {
                    println!("opus {sig} {name} lag {}", lag(&d[w..w + 20_000], &y[w..w + 20_000], 300));
                }
            }
        }
    }
}
