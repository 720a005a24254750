//! Sentences: every code has a sentence in each language, and Chinese sentences follow Chinese
//! typography.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use grundy_wording::{Language, codes, errors_in_chinese, sentence};

/// Returns the names of the placeholders in a sentence. The braces in `{name}` form a placeholder,
/// but those in `{"a": []}` do not.
fn placeholders(sentence: &str) -> BTreeSet<&str> {
    let after = sentence.split('{').skip(1);
    let named = |name: &&str| {
        let letter = |c| matches!(c, 'a'..='z' | '_');
        !name.is_empty() && name.split(':').next().unwrap_or("").chars().all(letter)
    };
    after
        .filter_map(|text| Some(text.split_once('}')?.0))
        .filter(named)
        .collect()
}

fn is_han(c: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&c)
}

/// Checks that a Chinese sentence has Chinese punctuation, and no blanks between Chinese
/// characters.
fn is_chinese(code: &str, sentence: &str) {
    let han = |c: Option<&char>| c.is_some_and(|c| is_han(*c));
    let letters: Vec<char> = sentence.chars().collect();
    for (at, c) in letters.iter().enumerate() {
        let next_to_han = han(letters.get(at + 1)) || at > 0 && han(letters.get(at - 1));
        let half = ",.;:?!()".contains(*c);
        assert!(!(half && next_to_han), "{code}: {sentence}");
    }
    let blanks = letters
        .windows(3)
        .any(|three| three[1] == ' ' && han(Some(&three[0])) && han(Some(&three[2])));
    assert!(!blanks, "a blank between characters in {code}: {sentence}");
    let arguments = sentence.contains("{play} ") || sentence.contains(" {play}");
    assert!(!arguments, "{code}: {sentence}");
}

#[test]
fn both_languages_have_the_same_sentences() {
    for code in codes(Language::En) {
        let [english, chinese] = [Language::En, Language::Zh].map(|language| {
            let sentence = sentence(code, language);
            sentence.unwrap_or_else(|| panic!("{code} has no words in {language:?}"))
        });
        assert_eq!(placeholders(english), placeholders(chinese), "{code}");
    }
    // Codes with Chinese sentences only are names and statements, which are English phrases
    // themselves.
    for code in codes(Language::Zh) {
        let only = sentence(code, Language::En).is_none();
        let chinese = sentence(code, Language::Zh).unwrap_or_default();
        assert!(!only || placeholders(chinese).is_empty(), "{code}");
        assert!(!only || code.contains([' ', '\'', '-']), "{code}");
    }
}

#[test]
fn chinese_sentences_use_chinese_punctuation() {
    for code in codes(Language::Zh) {
        is_chinese(code, sentence(code, Language::Zh).unwrap_or_default());
    }
}

/// Returns the Rust files of the library and the program.
fn sources() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let mut folders: Vec<PathBuf> = list(&crates)
        .iter()
        .map(|folder| folder.join("src"))
        .collect();
    let cluster = crates.join("../cluster");
    folders.extend([cluster.join("src"), cluster.join("workers/src")]);
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in list(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// Returns the string literal at the beginning of a text.
fn literal(text: &str) -> Option<String> {
    if let Some(raw) = text.strip_prefix("r#\"") {
        return Some(raw.split_once("\"#")?.0.to_owned());
    }
    let mut out = String::new();
    let mut letters = text.strip_prefix('"')?.chars();
    loop {
        match letters.next()? {
            '"' => return Some(out),
            '\\' => match letters.next()? {
                '\n' => letters = letters.as_str().trim_start().chars(),
                letter @ ('"' | '\\') => out.push(letter),
                letter => panic!("\\{letter} in a message"),
            },
            letter => out.push(letter),
        }
    }
}

/// Returns the English sentences of all messages: the first arguments of `message!` outside of
/// tests.
fn messages() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let code: Vec<&str> = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        let code = code.join("\n");
        let calls = code.split("message!(").skip(1);
        found.extend(calls.filter_map(|call| literal(call.trim_start())));
    }
    found
}

/// Checks that every error has a Chinese sentence, and that no sentence of a removed error remains.
#[test]
fn every_error_has_a_chinese_sentence() {
    let messages = messages();
    assert!(messages.len() > 600, "{}", messages.len());
    let chinese = errors_in_chinese();
    for message in &messages {
        let words = chinese.get(message).unwrap_or_else(|| {
            panic!("no words in sentences/errors.zh-CN.json for the message `{message}`")
        });
        assert_eq!(placeholders(message), placeholders(words), "{message}");
    }
    for code in chinese.keys() {
        assert!(messages.contains(code), "no code uses `{code}` any more");
    }
}

/// Returns the largest number of successive English words in a sentence. Words in quotes, in
/// brackets and in command lines do not count.
fn longest_english(sentence: &str) -> usize {
    let mut depth = 0_u32;
    let mut quoted = None;
    let mut bare = String::new();
    for c in sentence.chars() {
        match c {
            '"' | '`' if quoted == Some(c) => quoted = None,
            '"' | '`' if quoted.is_none() => quoted = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            c if quoted.is_none() && depth == 0 => bare.push(c),
            _ => {}
        }
    }
    let parts = bare.split(|c: char| !c.is_ascii() || "<>:".contains(c));
    let english = parts.filter(|part| !part.trim_start().starts_with("grundy "));
    let words = |part: &str| {
        let words = part.split_ascii_whitespace();
        let is_word = |word: &&str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase());
        words.filter(is_word).count()
    };
    english.map(words).max().unwrap_or(0)
}

#[test]
fn chinese_messages_are_chinese() {
    for (code, words) in errors_in_chinese() {
        is_chinese(code, words);
        assert!(longest_english(words) < 3, "{code}: {words}");
        // A message without English words, such as `{file}: {what}`, needs no Chinese.
        assert!(
            longest_english(code) == 0 || words.chars().any(is_han),
            "{code}: {words}"
        );
    }
}
