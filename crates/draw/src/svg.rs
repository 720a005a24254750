//! A writer of SVG text, used by pictures that are not built as a `Sketch`.

use std::fmt::Write as _;

/// Replacements for the colours of game graphs on a dark background, as pairs of the original
/// colour and the dark variant. Letters are easy to read on the dark variants of all fill colours.
const ON_DARK: [(&str, &str); 8] = [
    ("#ffffff", "#161a1d"),
    ("#000000", "#eeeeee"),
    ("#333333", "#d0d5d9"),
    ("#a6dcc8", "#2c6b55"),
    ("#f3bd94", "#80502c"),
    ("#fbe3ab", "#6b5520"),
    ("#a8d4ee", "#2f5f7f"),
    ("#eccade", "#6b3f5a"),
];

/// An SVG picture during construction.
pub(crate) struct Svg {
    body: String,
    title: String,
    description: String,
}

impl Svg {
    pub(crate) fn new(title: &str, description: &str) -> Self {
        Self {
            body: String::new(),
            title: shortened(title),
            description: shortened(description),
        }
    }

    pub(crate) fn rect(&mut self, [x, y, width, height]: [f64; 4], fill: &str, class: &str) {
        let _ = writeln!(
            self.body,
            r##"<rect class="{class}" x="{}" y="{}" width="{}" height="{}" fill="{fill}" stroke="#333333" stroke-width="1"/>"##,
            number(x),
            number(y),
            number(width),
            number(height)
        );
    }

    pub(crate) fn circle(&mut self, x: f64, y: f64, radius: f64, fill: &str, class: &str) {
        let _ = writeln!(
            self.body,
            r##"<circle class="{class}" cx="{}" cy="{}" r="{}" fill="{fill}" stroke="#333333" stroke-width="1"/>"##,
            number(x),
            number(y),
            number(radius)
        );
    }

    pub(crate) fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], width: f64) {
        let _ = writeln!(
            self.body,
            r##"<line class="stroke-ink" x1="{}" y1="{}" x2="{}" y2="{}" stroke="#333333" stroke-width="{}"/>"##,
            number(x1),
            number(y1),
            number(x2),
            number(y2),
            number(width)
        );
    }

    /// Draws a path. `d` is its SVG path data, and `dashes` the value of `stroke-dasharray` or
    /// empty.
    pub(crate) fn path(&mut self, d: &str, class: &str, ink: &str, width: f64, dashes: &str) {
        let dashes = if dashes.is_empty() {
            String::new()
        } else {
            format!(r#" stroke-dasharray="{dashes}""#)
        };
        let _ = writeln!(
            self.body,
            r#"<path class="{class}" d="{d}" fill="none" stroke="{ink}" stroke-width="{}" stroke-linecap="round"{dashes}/>"#,
            number(width)
        );
    }

    /// Writes a short text on a white rectangle. The middle of the baseline is (x, y).
    pub(crate) fn plate(&mut self, x: f64, y: f64, text: &str) {
        let width = 6.6 * letters(text) as f64 + 4.0;
        let _ = writeln!(
            self.body,
            r##"<rect class="fill-paper scenery" x="{}" y="{}" width="{}" height="14" fill="#ffffff"/>"##,
            number(x - width / 2.0),
            number(y - 11.0),
            number(width)
        );
        self.text(x, y, 11.0, "middle", text);
    }

    /// Draws a line with rounded corners through `points`, with an arrowhead at its last point.
    pub(crate) fn arrow(&mut self, points: &[[f64; 2]], width: f64, dashes: &str) {
        let [.., before, end] = points else { return };
        let mut d = format!("M{} {}", number(points[0][0]), number(points[0][1]));
        for pair in points[1..].windows(2) {
            let middle = [0, 1].map(|axis| f64::midpoint(pair[0][axis], pair[1][axis]));
            let through = pair[0].map(number);
            let [x, y] = middle.map(number);
            let _ = write!(d, "Q{} {} {x} {y}", through[0], through[1]);
        }
        let [dx, dy] = [end[0] - before[0], end[1] - before[1]];
        // If the last two points coincide, a division by 0 would write NaN to the output.
        let length = dx.hypot(dy).max(1e-9);
        let (ux, uy) = (dx / length, dy / length);
        let size = 6.0 + 1.5 * width;
        let neck = [end[0] - size * ux, end[1] - size * uy];
        let _ = write!(d, "L{} {}", number(neck[0]), number(neck[1]));
        self.path(&d, "move", "#333333", width, dashes);
        self.head(*end, [ux, uy], size);
    }

    /// Draws an arrow that leads from the right side of a box back to the same side. The middle of
    /// this side is (x, y). The arrow extends by about `reach` to the right.
    pub(crate) fn loop_arrow(&mut self, [x, y]: [f64; 2], reach: f64, width: f64, dashes: &str) {
        let [up, out, down] = [y - 9.0, x + 1.3 * reach, y + 9.0];
        let d = format!(
            "M{} {}C{o} {} {o} {} {} {}",
            number(x),
            number(up),
            number(up - 12.0),
            number(down + 12.0),
            number(x + 6.0),
            number(down + 2.0),
            o = number(out),
        );
        self.path(&d, "move", "#333333", width, dashes);
        self.head([x, down], [-0.95, -0.3], 6.0 + 1.5 * width);
    }

    /// Draws an arrowhead with its tip at `end`. (ux, uy) is its direction, a vector of length 1.
    fn head(&mut self, end: [f64; 2], [ux, uy]: [f64; 2], size: f64) {
        let half = size * 0.42;
        let neck = [end[0] - size * ux, end[1] - size * uy];
        let _ = writeln!(
            self.body,
            r##"<polygon class="fill-ink" points="{},{} {},{} {},{}" fill="#333333"/>"##,
            number(end[0]),
            number(end[1]),
            number(neck[0] - half * uy),
            number(neck[1] + half * ux),
            number(neck[0] + half * uy),
            number(neck[1] - half * ux)
        );
    }

    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, anchor: &str, text: &str) {
        let _ = writeln!(
            self.body,
            r##"<text class="fill-ink" x="{}" y="{}" font-family="sans-serif" font-size="{}" text-anchor="{anchor}" fill="#000000">{}</text>"##,
            number(x),
            number(y),
            number(size),
            escape(text)
        );
    }

    /// Embeds a complete SVG picture. Its upper left corner is at (x, y).
    pub(crate) fn nested(&mut self, x: f64, y: f64, picture: &str) {
        let placed = format!(r#"<svg x="{}" y="{}""#, number(x), number(y));
        self.body.push_str(&picture.replacen("<svg", &placed, 1));
    }

    /// Returns the width and the height of a complete SVG picture.
    pub(crate) fn size(picture: &str) -> [f64; 2] {
        ["width", "height"].map(|name| {
            let found = picture.split_once(&format!(r#" {name}=""#));
            let value = found.and_then(|(_, rest)| rest.split('"').next());
            value.and_then(|value| value.parse().ok()).unwrap_or(0.0)
        })
    }

    /// Returns the complete document of size `width` by `height`, on a dark background. Every
    /// colour of a game graph is replaced by its dark variant.
    pub(crate) fn finish_dark(self, width: f64, height: f64) -> String {
        let light = self.finish(width, height);
        let dark = ON_DARK.iter().fold(light, |svg, (light, dark)| {
            // Only attribute values are replaced, since a text in the picture might contain a
            // colour code.
            svg.replace(&format!("=\"{light}\""), &format!("=\"{dark}\""))
        });
        dark.replacen("grundy light", "grundy dark", 1)
    }

    /// Returns the complete document of size `width` by `height`, on a white background.
    pub(crate) fn finish(self, width: f64, height: f64) -> String {
        let (w, h) = (number(width), number(height));
        format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" class="grundy light" width="{w}" height="{h}" viewBox="0 0 {w} {h}">"#,
                "\n<title>{title}</title>\n<desc>{description}</desc>\n",
                r##"<rect class="fill-paper scenery" width="{w}" height="{h}" fill="#ffffff"/>"##,
                "\n{body}</svg>\n"
            ),
            w = w,
            h = h,
            title = escape(&self.title),
            description = escape(&self.description),
            body = self.body
        )
    }
}

/// Returns the width of a text, measured in Latin letters. A Chinese character counts as two
/// letters, and so does a Chinese or full-width punctuation mark.
pub(crate) fn letters(text: &str) -> usize {
    let wide = |c: char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}');
    text.chars().map(|c| 1 + usize::from(wide(c))).sum()
}

/// Returns a number as text with at most two decimals, so that the output is identical on all
/// machines.
pub(crate) fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Escapes a text for XML and HTML. Characters that XML forbids are replaced.
///
/// ```
/// assert_eq!(grundy_draw::escape("{1 < 2} & \"*\""), "{1 &lt; 2} &amp; &quot;*&quot;");
/// ```
#[must_use]
pub fn escape(text: &str) -> String {
    let impossible = |c: char| {
        c.is_control() && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    text.replace(impossible, "\u{fffd}")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

pub(crate) fn shortened(text: &str) -> String {
    let mut out: String = text.chars().take(200).collect();
    if text.chars().nth(200).is_some() {
        out.push_str("...");
    }
    out
}
