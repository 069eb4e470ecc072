use super::{Formula, worth_saying};
use crate::xml::{Event, Events};

fn spoken(markup: &str) -> String {
    let mut formula = Formula::new();
    for event in Events::lenient(&format!("<math>{markup}</math>")) {
        match event {
            Event::Open(element) => {
                let attributes: Vec<(&str, Option<String>)> =
                    ["open", "close", "separators", "linethickness", "notation", "linebreak"]
                        .map(|name| (name, element.attribute(name)))
                        .into();
                formula.open(element.name(), |name| {
                    attributes.iter().find(|(known, _)| *known == name)?.1.as_deref()
                });
            }
            Event::Close(_) => drop(formula.close()),
            Event::Text(text) => formula.text(&text),
        }
    }
    formula.spoken()
}

/// Expands short notation: letters, numbers and signs become tokens, the rest is passed through.
fn row(formula: &str) -> String {
    let mut markup = String::new();
    let mut rest = formula;
    while let Some(c) = rest.chars().next() {
        if c == '<' {
            let end = rest.find('>').unwrap_or(rest.len() - 1) + 1;
            markup.push_str(&rest[..end]);
            rest = &rest[end..];
            // An explicit token.
            if markup.ends_with("<mi>") || markup.ends_with("<mo>") || markup.ends_with("<mtext>") {
                let text = rest.find('<').unwrap_or(rest.len());
                markup.push_str(&rest[..text]);
                rest = &rest[text..];
            }
            continue;
        }
        rest = &rest[c.len_utf8()..];
        let name = match c {
            ' ' => continue,
            c if c.is_alphabetic() => "mi",
            c if c.is_numeric() => "mn",
            _ => "mo",
        };
        for piece in ["<", name, ">", c.encode_utf8(&mut [0; 4]), "</", name, ">"] {
            markup.push_str(piece);
        }
    }
    spoken(&markup)
}

#[track_caller]
fn says(formula: &str, expected: &str) {
    assert_eq!(row(formula), expected, "{formula}");
}

#[test]
fn the_quadratic_formula_is_said_as_a_teacher_says_it() {
    says(
        "x=<mfrac><mrow>−b±<msqrt><msup>b2</msup>−4ac</msqrt></mrow><mrow>2a</mrow></mfrac>",
        "x equals the fraction minus b plus or minus the square root of b squared minus 4 a c end root, over 2 a end \
         fraction",
    );
}

#[test]
fn fractions() {
    says("<mfrac>12</mfrac>", "one half");
    says("<mfrac>34</mfrac>", "3 quarters");
    says("1<mfrac>12</mfrac>", "1 and one half");
    says("<mfrac>ab</mfrac>+c", "a over b plus c");
    says("<mfrac><mrow>dy</mrow><mrow>dx</mrow></mfrac>", "d y over d x");
    says("<mfrac>1<mrow>a+b</mrow></mfrac>", "the fraction 1 over a plus b end fraction");
    says("<mfrac><mrow>a+b</mrow>c</mfrac>", "the fraction a plus b, over c end fraction");
    says("<mo>(</mo><mfrac linethickness='0'>nk</mfrac><mo>)</mo>", "n choose k");
    // Missing parts are not invented.
    says("<mfrac>1</mfrac>", "1");
}

#[test]
fn roots() {
    says("<msqrt>2</msqrt>", "the square root of 2");
    says("<msqrt>a+b</msqrt>", "the square root of a plus b end root");
    says("<mroot>x3</mroot>", "the cube root of x end root");
    says("<mroot>x4</mroot>", "the 4th root of x end root");
    says("<mroot><mrow>a+b</mrow>n</mroot>", "the nth root of a plus b end root");
    says("<menclose notation='radical'>x</menclose>", "the square root of x");
}

#[test]
fn powers_and_indices() {
    says("<msup>x2</msup>", "x squared");
    says("<msup>x3</msup>+1", "x cubed plus 1");
    says("<msup>xn</msup>", "x to the power n");
    says("<msup>e<mrow>−<msup>x2</msup></mrow></msup>", "e to the power minus x squared end power");
    says("<msup>x<mrow>−1</mrow></msup>", "x to the power minus 1");
    says("<msub>x1</msub>", "x sub 1");
    says("<msub>a<mrow>ij</mrow></msub>", "a sub i j");
    says("<msub>x<mrow>i+1</mrow></msub>", "x sub i plus 1 end sub");
    says("<msubsup>x12</msubsup>", "x sub 1 squared");
    says("<msup>f′</msup>(x)", "f prime of x");
    says("<msup><mn>90</mn>∘</msup>", "90 degrees");
    says("<msup>A⊤</msup>", "A transpose");
    says("<msup>5<mtext>th</mtext></msup>", "5th");
    says("<msup>x+</msup>", "x superscript plus");
    // MathType attaches the exponent to the closing bracket.
    says("(a+b<msup>)2</msup>", "open parenthesis a plus b close parenthesis squared");
}

#[test]
fn sums_integrals_products_and_limits_say_their_bounds() {
    says(
        "<munderover>∑<mrow>n=1</mrow>∞</munderover><mfrac>1<msup>n2</msup></mfrac>",
        "the sum from n equals 1 to infinity of the fraction 1 over n squared end fraction",
    );
    says("<msubsup>∫01</msubsup><msup>x2</msup>dx", "the integral from 0 to 1 of x squared d x");
    says("∫f(x)dx", "the integral of f of x d x");
    says("<munder>∏i</munder><msub>xi</msub>", "the product over i of x sub i");
    says("<munder><mo>lim</mo><mrow>x→0</mrow></munder>f(x)", "the limit as x approaches 0 of f of x");
    says("f:A→B", "f: A goes to B");
    says("<munder><mi>max</mi>x</munder>f(x)", "the maximum over x of f of x");
    says("<msub>∮C</msub>F", "the contour integral over C of F");
}

#[test]
fn functions_and_names() {
    says("<mi>sin</mi>x", "sine of x");
    says(
        "<msup><mi>sin</mi>2</msup>θ+<msup><mi>cos</mi>2</msup>θ=1",
        "sine squared of theta plus cosine squared of theta equals 1",
    );
    says("<msup><mi>sin</mi><mrow>−1</mrow></msup>x", "sine inverse of x");
    says("<msub><mi>log</mi>2</msub>8=3", "log base 2 of 8 equals 3");
    says("<mi>ln</mi>(x)", "natural log of x");
    says("f(x,y)=z", "f of x, y equals z");
    says("f(x+1)", "f of open parenthesis x plus 1 close parenthesis");
    says("a(b+c)", "a open parenthesis b plus c close parenthesis");
    says("a<mo>\u{2061}</mo>(b)", "a of b");
    says("2<mo>\u{2062}</mo>x", "2 x");
    says("E=m<msup>c2</msup>", "E equals m c squared");
    says("Δx≥<mfrac>ℏ2</mfrac>", "capital delta x is greater than or equal to h bar over 2");
    says("x∈ℝ", "x is an element of the real numbers");
    says("<mi>𝑥</mi>+<mi>𝐲</mi>", "x plus y");
    says("<mi>speed</mi>=<mn>−5.5</mn>", "speed equals minus 5.5");
    says("n!", "n factorial");
    says("x<mtext>if</mtext>y", "x if y");
}

#[test]
fn brackets_say_what_they_mean() {
    says("|x|", "the absolute value of x end absolute value");
    says(
        "|x|+|y|",
        "the absolute value of x end absolute value plus the absolute value of y end absolute value",
    );
    says("‖v‖", "the norm of v end norm");
    says("⌊x⌋", "the floor of x end floor");
    says("[0,1)", "open bracket 0, 1 close parenthesis");
    says("{x|x>0}", "the set x such that x is greater than 0 end set");
    says("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "open parenthesis a, b close parenthesis");
    says("f<mfenced><mi>x</mi></mfenced>", "f of x");
    says("<mfenced open='|' close='|'><mi>x</mi></mfenced>", "the absolute value of x end absolute value");
    says("(a", "open parenthesis a");
    says("a)", "a close parenthesis");
    says("P(A|B)", "P of open parenthesis A vertical bar B close parenthesis");
}

const TWO_BY_TWO: &str =
    "<mtable><mtr><mtd>a</mtd><mtd>b</mtd></mtr><mtr><mtd>c</mtd><mtd>d</mtd></mtr></mtable>";

#[test]
fn matrices_vectors_and_cases() {
    says(&format!("({TWO_BY_TWO})"), "the 2 by 2 matrix, row 1: a, b; row 2: c, d; end matrix");
    says(
        &format!("|{TWO_BY_TWO}|"),
        "the determinant of the 2 by 2 matrix, row 1: a, b; row 2: c, d; end determinant",
    );
    says(TWO_BY_TWO, "a table of 2 rows and 2 columns, row 1: a, b; row 2: c, d; end table");
    says(
        "(<mtable><mtr><mtd>1</mtd></mtr><mtr><mtd>2</mtd></mtr></mtable>)",
        "the column vector 1, 2, end vector",
    );
    says(
        "|x|={<mtable><mtr><mtd>x</mtd><mtd>x≥0</mtd></mtr><mtr><mtd>−x</mtd><mtd><mtext>otherwise</mtext></mtd></mtr>\
         </mtable>",
        "the absolute value of x end absolute value equals 2 cases, case 1: x, x is greater than or equal to 0; case 2: \
         minus x, otherwise; end cases",
    );
    says(
        "<mtable><mtr><mtd>2x</mtd><mtd>=4</mtd></mtr><mtr><mtd>x</mtd><mtd>=2</mtd></mtr></mtable>",
        "2 x equals 4; x equals 2",
    );
    says("<mtable><mtr><mtd>a+b</mtd></mtr></mtable>", "a plus b");
}

#[test]
fn marks_over_and_under() {
    says("<mover>xˆ</mover>", "x hat");
    says("<mover>x¯</mover>", "x bar");
    says("<mover>v→</mover>", "v vector");
    says("<mover><mrow>AB</mrow>¯</mover>", "bar over A B end bar");
    says("<munder><munder><mrow>a+b</mrow>⏟</munder>n</munder>", "a plus b with n below");
    says("<mover>→f</mover>", "goes to with f above");
    says(
        "<mmultiscripts>C<none/><none/><mprescripts/>6<mn>14</mn></mmultiscripts>",
        "left superscript 14 left subscript 6 C",
    );
    says("<mmultiscripts>H2<none/></mmultiscripts>O", "H sub 2 O");
}

#[test]
fn what_is_hidden_is_not_said_and_presentation_goes_before_content() {
    says("a<mphantom>+b</mphantom>", "a");
    says(
        "<semantics><mrow>x+1</mrow><annotation>x+1</annotation><annotation-xml><apply/></annotation-xml></semantics>",
        "x plus 1",
    );
    says("<menclose notation='updiagonalstrike'>x</menclose>", "crossed out x end crossed out");
    says("", "");
    says("<mrow></mrow>", "");
    assert_eq!(spoken("<mo>\u{2212}<!-- minus --> </mo><mi> \u{221E} </mi>"), "minus infinity");
}

#[test]
fn an_alternative_is_kept_when_somebody_wrote_it() {
    for real in ["x squared plus 1", "the area of a circle", "x"] {
        assert_eq!(worth_saying(Some(real)), Some(real));
    }
    for placeholder in [
        "",
        "  ",
        "Alternative text not available",
        "formula",
        "[Equation]",
        "Equation 12",
        "equation image",
        "eq-12.png",
        "images/f12.SVG",
        "\\frac{1}{2}",
        "{\\displaystyle x}",
        "x^2",
        "—",
    ] {
        assert_eq!(worth_saying(Some(placeholder)), None, "{placeholder}");
    }
    assert_eq!(worth_saying(None), None);
}

/// Negative control: without the bound on depth this overflowed the stack.
#[test]
fn deep_and_giant_formulas_are_said_within_bounds() {
    for (open, close) in [
        ("<mfrac><mn>1</mn><mrow><mn>1</mn><mo>+</mo>", "</mrow></mfrac>"),
        ("<msqrt>", "</msqrt>"),
        ("<msup><mi>x</mi>", "</msup>"),
        ("<mrow><mo>(</mo>", "<mo>)</mo></mrow>"),
        ("<mfenced>", "</mfenced>"),
        ("<mo>|</mo><mo>(</mo>", ""),
    ] {
        let deep = format!("{}<mi>y</mi>{}", open.repeat(4_000), close.repeat(4_000));
        let words = spoken(&deep);
        assert!(words.contains('y') && words.len() < 400_000, "{open}: {}", words.len());
    }
    let giant = spoken(&"<mi>x</mi><mo>+</mo>".repeat(60_000));
    assert!(giant.starts_with("x plus x plus") && giant.len() < 600_000);
}

/// Negative control: without `MAX_TOKEN_BYTES` the first of these took four million bytes of
/// speech.
#[test]
fn giant_tokens_are_said_within_bounds() {
    // Spoken signs, letters that need no lookup, signs without a name, and nodes beyond all bounds.
    for sign in ["∑", "x", "\u{1D465}", "☃", "\u{FE00}"] {
        for token in ["mi", "mo", "mn"] {
            let giant = spoken(&format!("<{token}>{}</{token}>", sign.repeat(2_000_000)));
            assert!(giant.len() < 20_000, "{sign} in {token}: {}", giant.len());
        }
    }
    let many = format!("<mi>{}</mi>", "∑".repeat(1_000)).repeat(1_000);
    assert!(spoken(&many).len() < 1_100_000);
    let rest = spoken(&format!("{}<mi>{}</mi>", "<mn>1</mn>".repeat(50_000), "y".repeat(5_000_000)));
    assert!(rest.len() < 2_500_000, "{}", rest.len());
    // Words are not symbols.
    assert!(spoken(&format!("<mtext>{}</mtext>", "word ".repeat(10_000))).len() > 49_000);
}
