//! An explanation as one page for printing: the answer, the position, and each step with its
//! picture. The page loads no other file.

use std::fmt::Write as _;

use grundy_draw::escape;
use grundy_wording::plain::brief;
use grundy_wording::report::Report as _;
use grundy_wording::{Language, phrase};

use super::sheet::Sheet;

/// The style sheet of the page, for light and dark screens and for paper.
const STYLE: &str = include_str!("page.css");

/// Returns the page as HTML.
pub(super) fn html(sheet: &Sheet<'_>, language: Language) -> String {
    let solved = &sheet.explained.solved;
    let tag = match language {
        Language::En => "en",
        Language::Zh => "zh-CN",
    };
    let name = brief(solved.position.to_string());
    let answer = solved.plain(language.into());
    // The first line of the answer is the position, which is the heading of the page. Only the
    // other lines are repeated below.
    let answer = answer.split_once('\n').map_or("", |(_, rest)| rest);
    let mut out = String::new();
    let _ = write!(
        out,
        concat!(
            "<!DOCTYPE html>\n<html lang=\"{tag}\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
            "<title>{name}</title>\n<style>\n{style}</style>\n</head>\n<body>\n",
            "<h1><code>{name}</code></h1>\n<figure>{position}</figure>\n",
            "<h2>{answer_head}</h2>\n<pre>{answer}</pre>\n<h2>{why}</h2>\n<ol>\n"
        ),
        tag = tag,
        name = escape(&name),
        style = STYLE,
        position = sheet.position,
        answer_head = escape(&phrase("page_answer", language)),
        answer = escape(&unindented(answer)),
        why = escape(&phrase("page_why", language)),
    );
    let mut open = false;
    for shown in &sheet.steps {
        // A step without a number belongs to the same item as the step before it.
        if shown.text.number.is_some() || !open {
            if open {
                out.push_str("</li>\n");
            }
            out.push_str("<li>");
            open = true;
        }
        let _ = write!(out, "<p>{}</p>", escape(shown.text.sentence.trim()));
        match &shown.svg {
            Some(svg) => {
                let _ = write!(out, "<figure>{}</figure>", svg.trim_end());
            }
            None if !shown.text.below.is_empty() => {
                let _ = write!(out, "<pre>{}</pre>", escape(&unindented(&shown.text.below)));
            }
            None => {}
        }
    }
    if open {
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n</body>\n</html>\n");
    out
}

/// Returns the text without the indentation that all of its lines share.
fn unindented(text: &str) -> String {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = lines().map(blanks).min().unwrap_or(0);
    let cut: Vec<&str> = text
        .lines()
        .map(|line| line.get(least..).unwrap_or(""))
        .collect();
    cut.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_texts_is_escaped() {
        // The page is well-formed XML, in which U+0001 is not allowed.
        assert_eq!(
            escape("<b a=\"1\"> & \u{1}"),
            "&lt;b a=&quot;1&quot;&gt; &amp; \u{fffd}"
        );
    }

    #[test]
    fn shared_indentation_is_removed() {
        assert_eq!(unindented("  a\n    b\n\n  c\n"), "a\n  b\n\nc");
    }
}
