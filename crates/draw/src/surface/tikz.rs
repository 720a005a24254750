//! Conversion of a sketch to TikZ, for `\input` in LaTeX with `\usepackage{tikz}`. A pixel of the
//! picture is 0.75 points.

use std::fmt::Write as _;

use crate::ink::{Ink, Tone};
use crate::sketch::{Label, Side, Sketch, Stroke, Surface, Target};
use crate::svg::number;

struct TikzWriter {
    body: String,
    used: Vec<Tone>,
}

/// Returns the sketch as a TikZ picture. A dark picture includes its background.
pub(crate) fn tikz(sketch: &Sketch, dark: bool) -> String {
    let mut writer = TikzWriter {
        body: String::new(),
        used: Vec::new(),
    };
    if dark {
        const MARGIN: f64 = 12.0;
        let [left, top, right, bottom] = sketch.bounds();
        let place = [
            left - MARGIN,
            top - MARGIN,
            right - left + 2.0 * MARGIN,
            bottom - top + 2.0 * MARGIN,
        ];
        writer.rect(place, 0.0, Ink::bare(Tone::Paper));
    }
    sketch.write_on(&mut writer);
    let mut out =
        String::from("% needs \\usepackage{tikz}\n\\begin{tikzpicture}[x=0.75pt, y=-0.75pt]\n");
    // The colours are defined here, before the body in the output. The body is written first,
    // because it determines the colours that are used.
    for tone in &writer.used {
        let hex = tone.colour(dark).trim_start_matches('#').to_uppercase();
        let _ = writeln!(
            out,
            "\\definecolor{{grundy-{}}}{{HTML}}{{{hex}}}",
            tone.name()
        );
    }
    out + &writer.body + "\\end{tikzpicture}\n"
}

impl TikzWriter {
    fn tone(&mut self, tone: Tone) -> String {
        // A list keeps the colours in a stable order. There are few, so searching it is fast.
        if !self.used.contains(&tone) {
            self.used.push(tone);
        }
        format!("grundy-{}", tone.name())
    }

    /// Returns the TikZ options of a shape, or `None` if the shape is invisible.
    fn ink(&mut self, ink: Ink) -> Option<String> {
        let mut options = Vec::new();
        if let Some(tone) = ink.fill {
            options.push(format!("fill={}", self.tone(tone)));
        }
        if let Some(tone) = ink.stroke {
            options.push(format!("draw={}", self.tone(tone)));
            // A CSS pixel is 0.75 points.
            options.push(format!("line width={}pt", number(0.75 * ink.width)));
            if let [on, off] = ink.dashes {
                let [on, off] = [on, off].map(|&length| number(0.75 * f64::from(length)));
                options.push(format!("dash pattern=on {on}pt off {off}pt"));
            }
        }
        (!options.is_empty()).then(|| options.join(", "))
    }
}

fn point([x, y]: [f64; 2]) -> String {
    format!("({}, {})", number(x), number(y))
}

/// Escapes the special characters of LaTeX in a text.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '…' => out.push_str("\\dots{}"),
            '×' => out.push_str("$\\times$"),
            '≈' => out.push_str("$\\approx$"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(letter);
            }
            '<' | '>' | '|' => _ = write!(out, "${letter}$"),
            '"' => out.push_str("\\char34{}"),
            control if control.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

impl Surface for TikzWriter {
    fn rect(&mut self, [x, y, width, height]: [f64; 4], radius: f64, ink: Ink) {
        let Some(mut options) = self.ink(ink) else {
            return;
        };
        if radius > 0.0 {
            let _ = write!(options, ", rounded corners={}pt", number(0.75 * radius));
        }
        let (from, to) = (point([x, y]), point([x + width, y + height]));
        let _ = writeln!(self.body, "\\path[{options}] {from} rectangle {to};");
    }

    fn circle(&mut self, centre: [f64; 2], radius: f64, ink: Ink, _: Option<u32>) {
        let Some(options) = self.ink(ink) else {
            return;
        };
        let (centre, radius) = (point(centre), number(0.75 * radius));
        let _ = writeln!(
            self.body,
            "\\path[{options}] {centre} circle[radius={radius}pt];"
        );
    }

    fn path(&mut self, strokes: &[Stroke], ink: Ink) {
        let Some(options) = self.ink(ink) else {
            return;
        };
        let mut path = String::new();
        for stroke in strokes {
            match *stroke {
                Stroke::Move(to) => _ = write!(path, " {}", point(to)),
                Stroke::Line(to) => _ = write!(path, " -- {}", point(to)),
                Stroke::Curve(a, b, to) => {
                    let _ = write!(
                        path,
                        " .. controls {} and {} .. {}",
                        point(a),
                        point(b),
                        point(to)
                    );
                }
                Stroke::Close => path.push_str(" -- cycle"),
            }
        }
        let _ = writeln!(
            self.body,
            "\\path[line cap=round, line join=round, {options}]{path};"
        );
    }

    fn text(&mut self, label: &Label) {
        let anchor = match label.side {
            Side::Start => "west",
            Side::Middle => "center",
        };
        let (tone, at, text) = (self.tone(label.tone), point(label.at), escape(&label.text));
        let size = number(0.75 * label.size);
        let line = number(0.9 * label.size);
        let _ = writeln!(
            self.body,
            "\\node[anchor={anchor}, inner sep=0pt, text={tone}, font=\\sffamily\\fontsize{{{size}}}{{{line}}}\\selectfont] \
             at {at} {{{text}}};"
        );
    }

    fn open(&mut self, _: &Target) {}

    fn close(&mut self) {}
}
