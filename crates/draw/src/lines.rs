//! Long sentences in pictures, as several lines.

use crate::svg::letters;

/// Returns the text in lines of at most so many letters, broken at blanks and after 中文 punctuation;
/// what cannot be broken stays whole.
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
    fn lines_are_broken_where_a_reader_breathes() {
        assert_eq!(lines("one two three", 8), ["one two", "three"]);
        assert_eq!(lines("先手胜；后手胜。", 9), ["先手胜；", "后手胜。"]);
        assert_eq!(lines("unbreakable", 3), ["unbreakable"]);
    }
}
