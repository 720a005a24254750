//! The texts of programs, from the files in this folder.
//!
//! In a file, a name between two signs `@` stands for a text that depends on the program.

use std::fmt::Write as _;

use grundy_core::Play;

use super::{Cell, CodeLanguage, Content, Facts, OwnRules};

/// The parts of programs in one language.
struct Parts {
    comment: &'static str,
    head: &'static str,
    period: &'static str,
    row: &'static str,
    grid: &'static str,
    /// Reads sums of positions.
    sum: &'static str,
    /// Reads single positions.
    single: &'static str,
    /// The brackets around a list.
    brackets: [char; 2],
    /// An operator that prints the letter of an outcome and the value.
    letter_and_value: &'static str,
}

const PYTHON: Parts = Parts {
    comment: "#",
    head: "import sys\n\n",
    period: include_str!("period.py"),
    row: include_str!("row.py"),
    grid: include_str!("grid.py"),
    sum: include_str!("sum.py"),
    single: include_str!("single.py"),
    brackets: ['[', ']'],
    letter_and_value: "\"N\" if value else \"P\", value",
};

const CPP: Parts = Parts {
    comment: "//",
    head: include_str!("head.cpp"),
    period: include_str!("period.cpp"),
    row: include_str!("row.cpp"),
    grid: include_str!("grid.cpp"),
    sum: include_str!("sum.cpp"),
    single: include_str!("single.cpp"),
    brackets: ['{', '}'],
    letter_and_value: "(value ? \"N \" : \"P \") << value",
};

/// Replaces each name between two signs `@` by its text.
fn fill(template: &str, texts: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (index, part) in template.split('@').enumerate() {
        if index % 2 == 0 {
            out.push_str(part);
            continue;
        }
        let known = texts.iter().find(|(name, _)| *name == part);
        let (_, text) = known.unwrap_or_else(|| panic!("no text for @{part}@"));
        out.push_str(text);
    }
    out
}

/// Writes texts separated by commas, in lines of at most 90 characters.
fn lines(texts: impl Iterator<Item = String>) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for text in texts {
        if width + text.len() > 88 {
            out.push_str("\n    ");
            width = 0;
        } else if !out.is_empty() {
            out.push(' ');
        }
        width += text.len() + 2;
        let _ = write!(out, "{text},");
    }
    out
}

/// Returns a value or an outcome as a literal of both languages.
fn literal(cell: &str, content: Content) -> String {
    match content {
        Content::Values => cell.to_owned(),
        _ => format!("\"{cell}\""),
    }
}

fn list(cells: &[Cell], content: Content, language: CodeLanguage) -> String {
    lines(cells.iter().map(|cell| match (cell, language) {
        (Some(cell), CodeLanguage::Cpp) if content == Content::Values && cell.len() > 18 => {
            cell.clone() + "ULL"
        }
        (Some(cell), _) => literal(cell, content),
        (None, CodeLanguage::Python) => "None".to_owned(),
        (None, CodeLanguage::Cpp) => "NONE".to_owned(),
    }))
}

/// Returns lines as comments. A control character or a backslash could end a comment or continue
/// it, so it becomes a blank.
fn comments(lines: &[String], sign: &str) -> String {
    let ends = |c: char| c.is_control() || matches!(c, '\\' | '\u{2028}' | '\u{2029}');
    let lines = lines.iter().map(|line| line.replace(ends, " "));
    lines.fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{sign} {line}");
        out
    })
}

/// Returns the largest number that is no value.
fn unused_value(facts: &Facts) -> u64 {
    let rows = match facts {
        Facts::Period { cells, .. } | Facts::Row { cells, .. } => std::slice::from_ref(cells),
        Facts::Grid { cells, .. } => cells,
    };
    let values = rows.iter().flatten().flatten();
    let large: Vec<&String> = values.filter(|value| value.len() > 19).collect();
    let is_unused = |value: &u64| !large.contains(&&value.to_string());
    (0..=u64::MAX).rev().find(is_unused).unwrap_or_default()
}

/// Returns a program that looks up cells.
pub(super) fn by_facts(
    comment: &[String],
    content: Content,
    facts: &Facts,
    language: CodeLanguage,
) -> String {
    let parts = match language {
        CodeLanguage::Python => PYTHON,
        CodeLanguage::Cpp => CPP,
    };
    let out = comments(comment, parts.comment) + parts.head;
    let is_value = content == Content::Values;
    let none = unused_value(facts).to_string() + "ULL";
    let names = if is_value {
        [
            ("LIST", "VALUES"),
            ("GET", "grundy"),
            ("WHAT", "value"),
            ("TYPE", "u64"),
            ("NONE", &none),
            ("PRINT", parts.letter_and_value),
        ]
    } else {
        [
            ("LIST", "OUTCOMES"),
            ("GET", "outcome"),
            ("WHAT", "outcome"),
            ("TYPE", "std::string"),
            ("NONE", "\"\""),
            ("PRINT", "outcome"),
        ]
    };
    let list = |cells: &[Cell]| list(cells, content, language);
    let write = |template: &str, texts: &[(&str, &str)]| fill(template, &[&names, texts].concat());
    let main = if content.has_sums() {
        parts.sum
    } else {
        parts.single
    };
    match facts {
        Facts::Period {
            first,
            cells,
            repetition,
            ..
        } => {
            let (period, saltus) = (repetition.period, repetition.saltus);
            let constants = match (language, is_value) {
                (CodeLanguage::Python, true) => {
                    format!("FIRST, PERIOD, SALTUS = {first}, {period}, {saltus}")
                }
                (CodeLanguage::Python, false) => format!("FIRST, PERIOD = {first}, {period}"),
                (CodeLanguage::Cpp, true) => {
                    format!("FIRST = {first}, PERIOD = {period}, SALTUS = {saltus}")
                }
                (CodeLanguage::Cpp, false) => format!("FIRST = {first}, PERIOD = {period}"),
            };
            let plus = if is_value { " + turns * SALTUS" } else { "" };
            let texts = [
                ("CONSTANTS", &constants[..]),
                ("PLUS", plus),
                ("CELLS", &list(cells)),
            ];
            out + &write(parts.period, &texts) + main
        }
        Facts::Row { first, cells, .. } => {
            let texts = [("FIRST", &first.to_string()[..]), ("CELLS", &list(cells))];
            out + &write(parts.row, &texts) + main
        }
        Facts::Grid { first, cells } => {
            let [open, close] = parts.brackets;
            let rows = cells
                .iter()
                .map(|row| format!("    {open}{}{close},", list(row)));
            let rows: Vec<String> = rows.collect();
            let [row, column] = first.map(|first| first.to_string());
            let texts = [
                ("ROW", &row[..]),
                ("COLUMN", &column),
                ("CELLS", &rows.join("\n")),
            ];
            out + &write(parts.grid, &texts)
        }
    }
}

/// The functions that Starlark and Python define in different ways, as Python programs. In Starlark
/// `enumerate`, `reversed` and `zip` return lists.
const BUILTINS: [(&str, &str); 5] = [
    (
        "enumerate",
        "def enumerate(items, start=0):\n    return list(builtins.enumerate(items, start))\n",
    ),
    (
        "fail",
        "def fail(*words):\n    sys.exit(\" \".join(map(str, words)))\n",
    ),
    (
        "reversed",
        "def reversed(items):\n    return list(builtins.reversed(items))\n",
    ),
    (
        "type",
        "def type(value):\n    name = builtins.type(value).__name__\n    \
         return \"string\" if name == \"str\" else name\n",
    ),
    (
        "zip",
        "def zip(*lists):\n    return list(builtins.zip(*lists))\n",
    ),
];

/// The words in rule files whose meaning differs in Python.
const OTHER_WORDS_IN_PYTHON: [&str; 2] = ["literal", "repr"];

/// The operators and methods in rule files whose meaning differs in Python. In Starlark the methods
/// of a dict return lists.
const OTHER_SIGNS_IN_PYTHON: [&str; 6] = ["*=", "|=", ".elems", ".items", ".keys", ".values"];

/// The names that the program uses, and that the rules must not redefine.
const NAMES_OF_PROGRAM: [&str; 19] = [
    "GrundySum",
    "builtins",
    "enumerate",
    "int",
    "isinstance",
    "len",
    "list",
    "map",
    "max",
    "print",
    "range",
    "repr",
    "set",
    "sorted",
    "str",
    "sum_of",
    "sys",
    "tuple",
    "zip",
];

/// Returns whether a name occurs in a text.
fn mentions(text: &str, name: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.any(|word| word == name)
}

/// Returns the first cells of the table, as pairs of the variables and the expected result.
fn checks(content: Content, rules: &OwnRules) -> String {
    let pairs = rules.known.iter().map(|(variables, cell)| {
        let variables: Vec<String> = variables.iter().map(u64::to_string).collect();
        let cell = literal(cell, content);
        format!("([{}], {cell})", variables.join(", "))
    });
    lines(pairs)
}

/// Returns whether rules, which are written in Starlark, have the same meaning in Python, and leave
/// the names of the program unchanged. This is not certain: that `"%s" % ["a"]` is another text is
/// not found. Therefore a program also compares its first values with the table.
fn is_python(source: &str) -> bool {
    // In Python the character `\r` ends a line, and with it a comment.
    if OTHER_WORDS_IN_PYTHON
        .iter()
        .any(|word| mentions(source, word))
        || OTHER_SIGNS_IN_PYTHON
            .iter()
            .any(|sign| source.contains(sign))
        || source.contains('\r')
    {
        return false;
    }
    let redefines = |line: &str| {
        let defined = match line.strip_prefix("def ") {
            Some(rest) => rest.split('(').next(),
            None => line.rsplit_once('=').map(|(before, _)| before),
        };
        let is_indented = line.starts_with([' ', '\t', '#']);
        let clashes = |text: &str| {
            NAMES_OF_PROGRAM.iter().any(|name| mentions(text, name)) || text.contains("grundy_")
        };
        !is_indented && defined.is_some_and(clashes)
    };
    !source.lines().any(redefines)
}

/// Returns a Python program that computes values or outcomes by the rules, without recursion.
/// Returns `None` if Python lacks something that the rules use, or the rules do not determine what
/// is asked for.
pub(super) fn by_rules(comment: &[String], content: Content, rules: &OwnRules) -> Option<String> {
    let source = &rules.source.replace("\r\n", "\n");
    if !is_python(source) {
        return None;
    }
    let search = include_str!("rules_search.py");
    let (what, search, computation) = match content {
        Content::Values => ("value", search, include_str!("rules_values.py")),
        // The retrograde analysis has its own loop.
        Content::Outcomes(_) => ("outcome", "", include_str!("rules_outcomes.py")),
        Content::Results(Play::Normal) => ("outcome", search, include_str!("rules_ties.py")),
        Content::Results(Play::Misere) | Content::Classes(_) => return None,
    };
    let last = match content {
        Content::Outcomes(Play::Misere) => "N",
        _ => "P",
    };
    let print = match content {
        Content::Values => PYTHON.letter_and_value,
        _ => "outcome",
    };
    let wrapped = || (BUILTINS.iter()).filter(|(name, _)| mentions(source, name));
    let builtins: String = wrapped().flat_map(|(_, text)| [*text, "\n\n"]).collect();
    let import = if wrapped().next().is_some() {
        "import builtins\nimport sys\n"
    } else {
        "import sys\n"
    };
    let main = if content.has_sums() && rules.variables.len() == 1 {
        include_str!("rules_sums.py")
    } else {
        include_str!("rules_single.py")
    };
    let variables = rules.variables.join(", ");
    let texts = [
        ("BUILTINS", &builtins[..]),
        ("SOURCE", source.trim_end()),
        ("MOVES", &rules.function),
        ("LAST", last),
        ("VARIABLES", &variables),
        ("POSITION", &rules.position),
        ("CHECKS", &checks(content, rules)),
        ("WHAT", what),
        ("PRINT", print),
    ];
    let mut out = comments(comment, PYTHON.comment) + import;
    let position = include_str!("rules_position.py");
    for part in [
        include_str!("rules.py"),
        search,
        computation,
        position,
        main,
    ] {
        out.push_str(&fill(part, &texts));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{BUILTINS, fill, mentions};

    #[test]
    fn names_in_templates_are_replaced_once() {
        // A text that contains the sign is not replaced again.
        assert_eq!(fill("a@X@b@Y@", &[("X", "@Y@"), ("Y", "z")]), "a@Y@bz");
        assert!(mentions("x = zip(a, b)", "zip") && !mentions("unzip(a)", "zip"));
        assert!(BUILTINS.iter().all(|(name, text)| mentions(text, name)));
    }
}
