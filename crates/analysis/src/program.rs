//! Programs in C++ and Python that compute what a table or a search for a period has found.
//!
//! Each program reads positions from standard input, one on each line, and prints a line for each:
//! the letter N or P and the Grundy value. For a family with one variable, a line holds the
//! variables of any number of positions, whose sum is evaluated.

use std::fmt::Write as _;
use std::io::{self, Write};

use grundy_core::solve::Status;
use grundy_period::Repetition;
use grundy_wording::Audience;
use grundy_wording::report::{AnySerialize, Report, Words};
use serde::{Deserialize, Serialize};

/// A programming language of a generated program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum CodeLanguage {
    /// C++17
    Cpp,
    /// Python 3
    Python,
}

/// The facts that a program is written from.
#[derive(Clone, Debug)]
pub(crate) enum Facts {
    /// Values with a period. The list contains the values from `first` to the end of the first
    /// period.
    Period {
        first: u64,
        values: Vec<u64>,
        repetition: Repetition,
        is_proved: bool,
    },
    /// All values of a table with one variable, from `first`.
    Row { first: u64, values: Vec<u64> },
    /// All values of a table with two variables, by rows. A position that does not exist has no
    /// value.
    Rows {
        first: [u64; 2],
        values: Vec<Vec<Option<u64>>>,
    },
}

/// The rules from which a Python program computes values.
#[derive(Clone, Debug)]
pub(crate) struct OwnRules {
    /// The text of the rule file.
    pub(crate) source: String,
    /// The name of the function that returns the moves.
    pub(crate) function: String,
    /// The variables.
    pub(crate) variables: Vec<String>,
    /// The position, as an expression of the variables.
    pub(crate) position: String,
}

/// A program, as an answer.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Program {
    family: String,
    #[serde(rename = "program")]
    text: String,
    status: &'static str,
}

impl Program {
    /// Writes a program from known values. The comment at its beginning names the family, and how
    /// far the values are known.
    pub(crate) fn new(family: &str, facts: &Facts, language: CodeLanguage) -> Self {
        let comment = comment(family, facts);
        Self {
            family: family.to_owned(),
            text: match language {
                CodeLanguage::Python => python(&comment, facts),
                CodeLanguage::Cpp => cpp(&comment, facts),
            },
            status: match facts {
                Facts::Period {
                    is_proved: true, ..
                } => Status::Proved.name(),
                Facts::Period { .. } => "observed",
                _ => Status::Exact.name(),
            },
        }
    }

    /// Writes a Python program that computes the values by the rules.
    pub(crate) fn of_rules(family: &str, rules: &OwnRules) -> Self {
        Self {
            family: family.to_owned(),
            text: python_by_rules(family, rules),
            status: Status::Exact.name(),
        }
    }
}

impl Report for Program {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, _: Audience) -> String {
        self.text.clone()
    }

    fn write_plain(&self, out: &mut dyn Write, _: Audience) -> io::Result<()> {
        out.write_all(self.text.as_bytes())
    }

    fn is_data(&self) -> bool {
        true
    }
}

/// Returns the lines of the comment at the beginning of a program.
fn comment(family: &str, facts: &Facts) -> Vec<String> {
    let mut lines = vec![title(family)];
    match facts {
        Facts::Period {
            first,
            repetition,
            is_proved,
            ..
        } => {
            let Repetition {
                preperiod,
                period,
                saltus,
            } = repetition;
            let plus = match saltus {
                0 => String::new(),
                saltus => format!(" + {saltus}"),
            };
            lines.push(format!("g(n + {period}) = g(n){plus} for n >= {preperiod}"));
            let known = if *is_proved {
                "This period is proved."
            } else {
                "This period was observed, not proved."
            };
            lines.push(known.to_owned());
            if *first > 0 {
                lines.push(format!("Values are known for n >= {first}."));
            }
        }
        Facts::Row { first, values } => {
            let last = first + values.len() as u64 - 1;
            lines.push(format!(
                "No period is proved. Values are known for {first} <= n <= {last}."
            ));
        }
        Facts::Rows { first, values } => {
            let [rows, columns] = [values.len(), values.first().map_or(0, Vec::len)];
            lines.push(format!(
                "Values are known for {} rows from {} and {} columns from {}.",
                rows, first[0], columns, first[1]
            ));
        }
    }
    let input = match facts {
        Facts::Period { .. } | Facts::Row { .. } => {
            "Each line of the input holds the numbers n of one sum of positions."
        }
        Facts::Rows { .. } => "Each line of the input holds the row and the column of a position.",
    };
    lines.extend([input, OUTPUT].map(str::to_owned));
    lines
}

/// The last line of the comment at the beginning of a program.
const OUTPUT: &str =
    "Each line of the output holds N (the next player wins) or P, and the Grundy value.";

/// Returns the first line of the comment at the beginning of a program.
fn title(family: &str) -> String {
    format!("Grundy values of {}", family.replace('\n', " "))
}

/// Writes numbers separated by commas, in lines of at most 90 characters.
fn list(numbers: impl Iterator<Item = String>) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for number in numbers {
        if width + number.len() > 88 {
            out.push_str("\n    ");
            width = 0;
        } else if !out.is_empty() {
            out.push(' ');
        }
        width += number.len() + 2;
        let _ = write!(out, "{number},");
    }
    out
}

fn numbers(values: &[u64]) -> String {
    list(values.iter().map(u64::to_string))
}

fn python(comment: &[String], facts: &Facts) -> String {
    let mut out = String::new();
    for line in comment {
        let _ = writeln!(out, "# {line}");
    }
    out.push_str("import sys\n\n");
    match facts {
        Facts::Period {
            first,
            values,
            repetition,
            ..
        } => {
            let _ = write!(
                out,
                "FIRST, PERIOD, SALTUS = {first}, {}, {}\nVALUES = [\n    {}\n]\n\n\n",
                repetition.period,
                repetition.saltus,
                numbers(values)
            );
            out.push_str(
                "def grundy(n):\n    \
                 if n < FIRST:\n        \
                 sys.exit(f\"the value of {n} is not known\")\n    \
                 i = n - FIRST\n    \
                 turns = max(0, (i - len(VALUES)) // PERIOD + 1)\n    \
                 return VALUES[i - turns * PERIOD] + turns * SALTUS\n\n\n",
            );
            out.push_str(PYTHON_SUM);
        }
        Facts::Row { first, values } => {
            let _ = write!(
                out,
                "FIRST = {first}\nVALUES = [\n    {}\n]\n\n\n",
                numbers(values)
            );
            out.push_str(
                "def grundy(n):\n    \
                 if not FIRST <= n < FIRST + len(VALUES):\n        \
                 sys.exit(f\"the value of {n} is not in the table\")\n    \
                 return VALUES[n - FIRST]\n\n\n",
            );
            out.push_str(PYTHON_SUM);
        }
        Facts::Rows { first, values } => {
            let _ = writeln!(
                out,
                "FIRST_ROW, FIRST_COLUMN = {}, {}\nVALUES = [",
                first[0], first[1]
            );
            for row in values {
                let cells = row
                    .iter()
                    .map(|value| value.map_or("None".to_owned(), |value| value.to_string()));
                let _ = writeln!(out, "    [{}],", list(cells));
            }
            out.push_str(
                "]\n\nfor line in sys.stdin:\n    \
                 if line.split():\n        \
                 row, column = map(int, line.split())\n        \
                 row, column = row - FIRST_ROW, column - FIRST_COLUMN\n        \
                 if not (0 <= row < len(VALUES) and 0 <= column < len(VALUES[row])):\n            \
                 sys.exit(f\"the position {line.strip()} is not in the table\")\n        \
                 value = VALUES[row][column]\n        \
                 if value is None:\n            \
                 sys.exit(f\"there is no position {line.strip()}\")\n        \
                 print(\"N\" if value else \"P\", value)\n",
            );
        }
    }
    out
}

/// Returns a Python program that computes values by the rules, without recursion.
fn python_by_rules(family: &str, rules: &OwnRules) -> String {
    let OwnRules {
        source,
        function,
        variables,
        position,
    } = rules;
    let input = if variables.len() == 1 {
        "Each line of the input holds the variables of one sum of positions."
    } else {
        "Each line of the input holds the variables of one position."
    };
    let mut out = format!(
        "# {}\n# The values are computed by the rules.\n# {input}\n# {OUTPUT}\nimport sys\n\n{PYTHON_PRELUDE}",
        title(family)
    );
    let _ = write!(out, "\n# The rules.\n{}\n\n", source.trim_end());
    out.push_str(&PYTHON_VALUES.replace("MOVES", function));
    let _ = write!(
        out,
        "\ndef grundy_position({}):\n    return {position}\n\n\n",
        variables.join(", ")
    );
    out.push_str(if variables.len() == 1 {
        PYTHON_MAIN_OF_SUMS
    } else {
        PYTHON_MAIN
    });
    out
}

/// The main part of a Python program for sums of positions with one variable.
const PYTHON_SUM: &str = "\
for line in sys.stdin:
    if line.split():
        total = 0
        for n in map(int, line.split()):
            total ^= grundy(n)
        print(\"N\" if total else \"P\", total)
";

/// The end of a Python program by rules with one variable. The names begin with `grundy_`, so that
/// they differ from those of the rules.
const PYTHON_MAIN_OF_SUMS: &str = "\
def grundy_main():
    for line in sys.stdin:
        if line.split():
            total = 0
            for number in map(int, line.split()):
                total ^= grundy_value(grundy_position(number))
            print(\"N\" if total else \"P\", total)


grundy_main()
";

/// The end of a Python program by rules with several variables.
const PYTHON_MAIN: &str = "\
def grundy_main():
    for line in sys.stdin:
        if line.split():
            value = grundy_value(grundy_position(*map(int, line.split())))
            print(\"N\" if value else \"P\", value)


grundy_main()
";

/// The definitions that the rules may use.
const PYTHON_PRELUDE: &str = "
class GrundySum(tuple):
    pass


def sum_of(positions):
    return GrundySum(positions)

";

/// The computation of the values by the rules, without recursion.
const PYTHON_VALUES: &str = "
def grundy_options(position):
    found = []
    for option in MOVES(position):
        if isinstance(option, tuple) and len(option) == 2 and isinstance(option[0], str):
            option = option[1]  # a pair of a label and a position
        found.append(option if isinstance(option, GrundySum) else GrundySum([option]))
    return found


grundy_values = {}


def grundy_key(position):
    return tuple(map(grundy_key, position)) if isinstance(position, (list, tuple)) else position


def grundy_value(start):
    values, key = grundy_values, grundy_key
    stack, opened = [start], set()
    while stack:
        position = stack[-1]
        if key(position) in values:
            stack.pop()
            continue
        found = grundy_options(position)
        missing = [p for option in found for p in option if key(p) not in values]
        if missing:
            if key(position) in opened:
                sys.exit(f\"the position {position} can recur\")
            opened.add(key(position))
            stack.extend(missing)
            continue
        taken = set()
        for option in found:
            total = 0
            for p in option:
                total ^= values[key(p)]
            taken.add(total)
        value = 0
        while value in taken:
            value += 1
        values[key(position)] = value
        stack.pop()
    return values[key(start)]

";

fn cpp(comment: &[String], facts: &Facts) -> String {
    let mut out = String::new();
    for line in comment {
        let _ = writeln!(out, "// {line}");
    }
    out.push_str(
        "#include <cstdlib>\n#include <iostream>\n#include <sstream>\n#include <string>\n",
    );
    out.push_str("#include <vector>\n\ntypedef unsigned long long u64;\n\n");
    match facts {
        Facts::Period {
            first,
            values,
            repetition,
            ..
        } => {
            let _ = write!(
                out,
                "const u64 FIRST = {first}, PERIOD = {}, SALTUS = {};\n\
                 const std::vector<u64> VALUES = {{\n    {}\n}};\n\n",
                repetition.period,
                repetition.saltus,
                numbers(values)
            );
            out.push_str(
                "u64 grundy(u64 n) {\n    \
                 if (n - FIRST > n) {\n        \
                 std::cerr << \"the value of \" << n << \" is not known\\n\";\n        \
                 std::exit(1);\n    \
                 }\n    \
                 u64 i = n - FIRST, size = VALUES.size();\n    \
                 u64 turns = i < size ? 0 : (i - size) / PERIOD + 1;\n    \
                 return VALUES[i - turns * PERIOD] + turns * SALTUS;\n}\n\n",
            );
            out.push_str(CPP_SUM);
        }
        Facts::Row { first, values } => {
            let _ = write!(
                out,
                "const u64 FIRST = {first};\nconst std::vector<u64> VALUES = {{\n    {}\n}};\n\n",
                numbers(values)
            );
            out.push_str(
                "u64 grundy(u64 n) {\n    \
                 if (n < FIRST || n - FIRST >= VALUES.size()) {\n        \
                 std::cerr << \"the value of \" << n << \" is not in the table\\n\";\n        \
                 std::exit(1);\n    \
                 }\n    \
                 return VALUES[n - FIRST];\n}\n\n",
            );
            out.push_str(CPP_SUM);
        }
        Facts::Rows { first, values } => {
            let _ = writeln!(
                out,
                "const u64 FIRST_ROW = {}, FIRST_COLUMN = {};\n\
                 // A position that does not exist has the value -1.\n\
                 const std::vector<std::vector<long long>> VALUES = {{",
                first[0], first[1]
            );
            for row in values {
                let cells = row
                    .iter()
                    .map(|value| value.map_or("-1".to_owned(), |value| value.to_string()));
                let _ = writeln!(out, "    {{{}}},", list(cells));
            }
            out.push_str(CPP_ROWS);
        }
    }
    out
}

/// The main part of a C++ program for sums of positions with one variable.
const CPP_SUM: &str = "\
int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        u64 n, total = 0, count = 0;
        while (words >> n) {
            total ^= grundy(n);
            ++count;
        }
        if (count > 0) std::cout << (total ? \"N \" : \"P \") << total << \"\\n\";
    }
}
";

/// The end of a C++ program for a table with two variables.
const CPP_ROWS: &str = "\
};

int main() {
    u64 row, column;
    while (std::cin >> row >> column) {
        u64 i = row - FIRST_ROW, j = column - FIRST_COLUMN;
        if (i >= VALUES.size() || j >= VALUES[i].size()) {
            std::cerr << \"the position \" << row << \" \" << column << \" is not in the table\\n\";
            return 1;
        }
        if (VALUES[i][j] < 0) {
            std::cerr << \"there is no position \" << row << \" \" << column << \"\\n\";
            return 1;
        }
        std::cout << (VALUES[i][j] ? \"N \" : \"P \") << VALUES[i][j] << \"\\n\";
    }
}
";
