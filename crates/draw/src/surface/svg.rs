//! Conversion of a sketch to SVG. Shapes are styled only by presentation attributes and class
//! names.

use std::fmt::Write as _;

use crate::ink::{Ink, Tone};
use crate::sketch::{Label, Side, Sketch, Stroke, Surface, Target};
use crate::svg::{escape, number, shortened};

struct SvgWriter {
    body: String,
    dark: bool,
}

/// Returns the sketch as an SVG document, with a margin around it.
pub(crate) fn svg(sketch: &Sketch, dark: bool, title: &str, about: &str) -> String {
    const MARGIN: f64 = 12.0;
    let mut writer = SvgWriter {
        body: String::new(),
        dark,
    };
    sketch.write_on(&mut writer);
    let [left, top, right, bottom] = sketch.bounds();
    // Sizes are rounded to integers, so that tiny changes of the content do not change the size of
    // the picture.
    let (x, y) = (left.floor() - MARGIN, top.floor() - MARGIN);
    let (width, height) = (right.ceil() - x + MARGIN, bottom.ceil() - y + MARGIN);
    let [x, y, width, height] = [x, y, width, height].map(number);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" class=\"grundy {}\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{x} {y} {width} {height}\">\n<title>{}</title>\n<desc>{}</desc>\n",
        if dark { "dark" } else { "light" },
        escape(&shortened(title)),
        escape(&shortened(about)),
    );
    let _ = writeln!(
        out,
        "<rect class=\"fill-paper scenery\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
        Tone::Paper.colour(dark)
    );
    out + &writer.body + "</svg>\n"
}

impl SvgWriter {
    /// Returns the classes and the presentation attributes of a shape.
    fn ink(&self, ink: Ink) -> String {
        let mut classes = vec![ink.class.to_owned()];
        let mut attributes = String::new();
        match ink.fill {
            None => attributes.push_str(" fill=\"none\""),
            Some(tone) => {
                classes.push(format!("fill-{}", tone.name()));
                let _ = write!(attributes, " fill=\"{}\"", tone.colour(self.dark));
            }
        }
        if let Some(tone) = ink.stroke {
            classes.push(format!("stroke-{}", tone.name()));
            let (colour, width) = (tone.colour(self.dark), number(ink.width));
            let _ = write!(attributes, " stroke=\"{colour}\" stroke-width=\"{width}\"");
            if !ink.dashes.is_empty() {
                let dashes: Vec<String> = ink.dashes.iter().map(u8::to_string).collect();
                let _ = write!(attributes, " stroke-dasharray=\"{}\"", dashes.join(" "));
            }
        // An invisible shape must still receive clicks.
        } else if ink.fill.is_none() {
            attributes.push_str(" pointer-events=\"all\"");
        }
        format!("class=\"{}\"{attributes}", classes.join(" "))
    }
}

impl Surface for SvgWriter {
    fn rect(&mut self, place: [f64; 4], radius: f64, ink: Ink) {
        let [x, y, width, height] = place.map(number);
        let round = match radius {
            0.0 => String::new(),
            radius => format!(" rx=\"{}\"", number(radius)),
        };
        let ink = self.ink(ink);
        let _ = writeln!(
            self.body,
            "<rect {ink} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{round}/>"
        );
    }

    fn circle(&mut self, centre: [f64; 2], radius: f64, ink: Ink, vertex: Option<u32>) {
        let ([x, y], radius, ink) = (centre.map(number), number(radius), self.ink(ink));
        let vertex = vertex.map_or(String::new(), |vertex| format!(" data-vertex=\"{vertex}\""));
        let _ = writeln!(
            self.body,
            "<circle {ink}{vertex} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"
        );
    }

    fn path(&mut self, strokes: &[Stroke], ink: Ink) {
        let point = |[x, y]: [f64; 2]| format!("{} {}", number(x), number(y));
        let pieces: Vec<String> = strokes
            .iter()
            .map(|stroke| match *stroke {
                Stroke::Move(to) => format!("M {}", point(to)),
                Stroke::Line(to) => format!("L {}", point(to)),
                Stroke::Curve(a, b, to) => format!("C {}, {}, {}", point(a), point(b), point(to)),
                Stroke::Close => "Z".to_owned(),
            })
            .collect();
        let round = if ink.stroke.is_some() {
            " stroke-linecap=\"round\" stroke-linejoin=\"round\""
        } else {
            ""
        };
        let (ink, d) = (self.ink(ink), pieces.join(" "));
        let _ = writeln!(self.body, "<path {ink} d=\"{d}\"{round}/>");
    }

    fn text(&mut self, label: &Label) {
        let anchor = match label.side {
            Side::Start => "start",
            Side::Middle => "middle",
        };
        // The offset centres the text vertically. Not all renderers support the attribute
        // `dominant-baseline` for this.
        let [x, y] = [label.at[0], label.at[1] + 0.36 * label.size].map(number);
        let _ = writeln!(
            self.body,
            "<text class=\"fill-{}\" x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"{}\" \
             text-anchor=\"{anchor}\" pointer-events=\"none\" fill=\"{}\">{}</text>",
            label.tone.name(),
            number(label.size),
            label.tone.colour(self.dark),
            escape(&label.text)
        );
    }

    fn open(&mut self, target: &Target) {
        let at: Vec<String> = target.at.iter().map(u64::to_string).collect();
        let class = if target.wins { "move wins" } else { "move" };
        let _ = write!(
            self.body,
            "<g class=\"{class}\" data-component=\"{}\" data-at=\"{}\"",
            target.component,
            at.join(",")
        );
        if !target.players.is_empty() {
            let _ = write!(self.body, " data-players=\"{}\"", target.players.join(" "));
        }
        if let Some(leaves) = &target.leaves {
            let _ = write!(self.body, " data-leaves=\"{}\"", escape(leaves));
        }
        let _ = writeln!(self.body, ">\n<title>{}</title>", escape(&target.words));
    }

    fn close(&mut self) {
        self.body.push_str("</g>\n");
    }
}
