use lectern_speech::{pack::Pack, text::Analyzer};

#[test]
fn probe() {
    let analyzer = Analyzer::load(&Pack::open(&Pack::user_voices_dir().unwrap()).unwrap()).unwrap();
    for line in std::io::stdin().lines() {
        let line = line.unwrap().replace("\\n", "\n");
        let out: Vec<String> = analyzer
            .split(&line)
            .iter()
            .filter_map(|piece| analyzer.analyze(&line, piece.range.clone()))
            .map(|sentence| lectern_speech::text::spoken(&sentence))
            .collect();
        println!("{line} ⇒ {}", out.join(" ‖ "));
    }
}
