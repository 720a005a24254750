//! Line breaks in long sentences within pictures.

use crate::svg::letters;

/// Breaks a text into lines of at most `most` letters, after blanks and Chinese punctuation. A word
/// longer than a line is not broken.
pub(crate) fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest
            .char_indices()
            .find(|(_, c)| matches!(c, ' ' | '；' | '。' | '，' | '、'))
            .map_or(rest.len(), |(at, c)| at + c.len_utf8());
        let (word, after) = rest.split_at(end);
        let line = lines.last_mut().expect("there is a line");
        // A blank at the end of a line is removed later, so it does not count.
        if !line.is_empty() && letters(line) + letters(word.trim_end()) > most {
            lines.push(word.to_owned());
        } else {
            line.push_str(word);
        }
        rest = after;
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_break_at_spaces_and_punctuation() {
        assert_eq!(lines("one two three", 8), ["one two", "three"]);
        assert_eq!(lines("先手胜；后手胜。", 9), ["先手胜；", "后手胜。"]);
        assert_eq!(lines("unbreakable", 3), ["unbreakable"]);
    }
}
