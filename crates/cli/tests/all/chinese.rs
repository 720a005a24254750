//! Output with `--lang zh`: no English sentence may remain in text for people.

use std::fs;
use std::path::Path;

use crate::program::{folder, grundy, grundy_with};
use grundy_core::registry::CONSTRUCTORS;
use serde_json::Value;

/// Returns the first run of three or more English words in a text for people. Skips text in
/// brackets or quotation marks, since citations and notation are not translated.
fn english(text: &str) -> Option<String> {
    for line in text.lines() {
        let mut run: Vec<String> = Vec::new();
        let mut word = String::new();
        let mut depth = 0_usize;
        let mut quoted = false;
        for c in line.chars().chain(['.']) {
            match c {
                '"' | '`' => quoted = !quoted,
                '(' | '（' | '[' | '{' => depth += 1,
                ')' | '）' | ']' | '}' => depth = depth.saturating_sub(1),
                _ if quoted || depth > 0 => continue,
                _ if c.is_ascii_alphabetic() => {
                    word.push(c);
                    continue;
                }
                _ => {}
            }
            let known = std::mem::take(&mut word);
            // Single letters such as n or P are symbols, not words.
            if known.len() > 1 {
                run.push(known);
            } else if !known.is_empty() {
                run.clear();
            }
            // The words of a sentence are separated by blanks and commas.
            if run.len() > 2 {
                return Some(format!("{}: {line}", run.join(" ")));
            }
            if !matches!(c, ' ' | ',' | '\'' | ';' | ':') {
                run.clear();
            }
        }
    }
    None
}

fn has_chinese(text: &str) -> bool {
    text.contains(|c: char| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

/// Returns the output of a run with `--lang zh`, or its error. Checks that neither contains
/// English.
fn answer(arguments: &[&str], input: &str) -> Result<String, String> {
    let arguments = [arguments, &["--lang", "zh"]].concat();
    let output = grundy_with(&arguments, input);
    let [said, error] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(english(&said), None, "{arguments:?}");
    assert_eq!(english(&error), None, "{arguments:?}");
    if output.status.success() {
        return Ok(said);
    }
    let is_marked = ["错误：", "注意："]
        .iter()
        .any(|mark| error.starts_with(mark));
    assert!(is_marked && has_chinese(&error), "{arguments:?}: {error}");
    Err(error)
}

/// Returns the output of a run that must succeed.
fn output_of(arguments: &[&str], input: &str) -> String {
    let said = answer(arguments, input).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    assert!(!said.is_empty(), "{arguments:?}");
    said
}

#[test]
fn english_words_are_detected() {
    assert!(english("所以 the value is 3").is_some());
    assert!(english("值为 g(n)，nim(3, 4) -> nim(3, 3)（A long source in English）").is_none());
}

// One example of every constructor, in normal and in misère play.
#[test]
fn every_constructor_has_chinese_output() {
    let mut graphs = 0;
    for known in CONSTRUCTORS {
        for play in [&[][..], &["--misere"]] {
            for command in [&["solve"][..], &["explain"], &["solve", "--remoteness"]] {
                let arguments = [command, &[known.example], play].concat();
                let said = output_of(&arguments, "");
                assert!(has_chinese(&said), "{arguments:?}: {said}");
                let method = said.lines().find_map(|line| line.split("方法：").nth(1));
                // A method such as `nim-sum` would be an untranslated identifier.
                let small = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase());
                assert!(!method.is_some_and(small), "{arguments:?}: {method:?}");
            }
        }
        // Enough input to pass through hints, the menu, an invalid move and several moves.
        let moves = "h\nh\nh\nw\nb\nm\nno move\n1\n1\n1\n";
        output_of(&["play", known.example], moves);
        output_of(&["draw", known.example], "");
        match answer(&["draw", "--graph", known.example], "") {
            Ok(graph) => graphs += usize::from(!graph.is_empty()),
            // Larger graphs are not drawn.
            Err(error) => assert!(error.contains("博弈图最多画"), "{error}"),
        }
    }
    assert!(2 * graphs > CONSTRUCTORS.len(), "{graphs} graphs");
}

#[test]
fn arguments_of_every_kind_are_chinese() {
    for arguments in [
        &["explain", "--proof", "nim(1, 2)"][..],
        &["explain", "kayles(7) + chomp(3)"],
        &[
            "explain",
            "domineering([\"...\", \"...\"]) + hackenbush(\"0-1:b 0-2:r\")",
        ],
        &["explain", "kayles(100)"],
        &[
            "explain",
            "graph({\"a\": [\"b\", \"c\"], \"b\": [\"a\", \"c\"], \"c\": []}, \"a\")",
        ],
        &["solve", "subtraction([1, 2], 1000)"],
        &["table", "kayles(n)", "n=0..80", "--pattern"],
        &["table", "wythoff(a, b)", "a=0..12", "b=0..12", "--pattern"],
        &["table", "nim(a, b)", "a=0..12", "b=0..12", "--pattern"],
        &[
            "table",
            "grundys_game(n)",
            "n=0..30",
            "--pattern",
            "--misere",
        ],
        &["table", "nim(a, b)", "a=0..12", "b=0..12", "--svg", "-"],
        &["table", "nim(a)", "a=0..12", "--svg", "-"],
        &["table", "k_in_a_row([\"..\", \"..\"], k)", "k=1..2"],
        &["period", "kayles(n)"],
        &["period", "kayles(n)", "--frequencies"],
        &["period", "subtraction([1, 2, 5], n)", "--misere"],
        &["period", "all_but([2, 4], n)"],
        &["period", "--all", "1", "--max", "500"],
        &[
            "tree",
            "tic_toe()",
            "--alpha-beta",
            "--table",
            "--list",
            "2",
        ],
        &["tree", "tic_toe()", "--versus", "0,0"],
        &["tree", "nim(1, 2)", "--table", "--alpha-beta"],
    ] {
        let said = output_of(arguments, "");
        assert!(has_chinese(&said), "{arguments:?}: {said}");
    }
    // 0.165 has a preperiod beyond 5000 values, and for Grundy's game no period is known.
    for arguments in [
        ["period", "take_and_break(\"0.165\", n)", "--max", "5000"],
        ["period", "grundys_game(n)", "--max", "300"],
    ] {
        let error = answer(&arguments, "").unwrap_err();
        assert!(error.contains("个值不足以证明周期"), "{error}");
    }
    // Numbers do not depend on the language.
    assert_eq!(output_of(&["nimber", "2*3 + sqrt(5)"], ""), "7\n");
}

#[test]
fn matrices_certificates_and_pictures_are_chinese() {
    let folder = folder("chinese");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (certificate, svg) = (file("certificate.json"), file("picture.svg"));
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut games: Vec<String> = ["graphical.csv", "saddle.csv", "triangular.csv"]
        .iter()
        .map(|name| fs::read_to_string(data.join(name)).unwrap())
        .collect();
    games.push("0 1\n1 0\n0 0\n".to_owned());
    // More rows and columns than are listed one by one.
    let row = |i: usize| {
        let row: Vec<String> = (0..20).map(|j| usize::from(i == j).to_string()).collect();
        row.join(" ")
    };
    games.push((0..20).map(row).collect::<Vec<_>>().join("\n"));
    for game in &games {
        for kind in ["strict", "weak", "mixed"] {
            output_of(
                &["matrix", "-", "--dominance", kind, "--extreme", "2"],
                game,
            );
        }
        output_of(&["matrix", "-", "--trace"], game);
        output_of(&["matrix", "-", "--certificate", &certificate], game);
        assert!(output_of(&["verify", &certificate], "").contains("证书有效"));
    }
    output_of(
        &[
            "matrix",
            "-",
            "--row-strategy",
            "1/2, 1/2",
            "--col-strategy",
            "1, 0",
        ],
        "1 0\n0 1\n",
    );
    output_of(&["matrix", "-", "--svg", &svg], &games[0]);
    let picture = fs::read_to_string(&svg).unwrap();
    assert_eq!(english(&texts(&picture)), None);
    output_of(
        &[
            "period",
            "kayles(n)",
            "--certificate",
            &certificate,
            "--svg",
            &svg,
        ],
        "",
    );
    assert!(output_of(&["verify", &certificate], "").contains("证书有效"));
    assert_eq!(english(&texts(&fs::read_to_string(&svg).unwrap())), None);
    output_of(&["tree", "tic_toe()", "--alpha-beta", "--svg", &svg], "");
    let picture = texts(&fs::read_to_string(&svg).unwrap());
    assert_eq!(english(&picture), None);
    assert!(picture.contains("博弈树"), "{picture}");
    let base = file("base");
    let board = "domineering([\"...\", \"...\"])";
    let labelled = answer(&["label", board, "--tablebase", &base, "--best-move"], "");
    labelled.unwrap_or_else(|error| panic!("{error}"));
    let probed = output_of(&["probe", &base, board], "");
    assert!(probed.contains("剩余步数"), "{probed}");
}

/// Returns the text of a picture without its markup.
fn texts(svg: &str) -> String {
    let texts = svg.split('<').filter_map(|tag| tag.split_once('>'));
    let texts: Vec<&str> = texts.map(|(_, text)| text.trim()).collect();
    texts.join("\n")
}

// Errors of the program and errors of the argument parser.
#[test]
fn errors_are_chinese() {
    for (arguments, words) in [
        (&["solve", "nim(-1)"][..], "-1 小于 0"),
        (&["solve", "nim('a')"], "这里应是整数，而不是字符串"),
        (&["solve", "kayls(3)"], "是否想写 `kayles`？"),
        (&["solve", "chomp(3, 4)"], "第 1 行比上一行长"),
        (&["solve", ""], "表达式是空的"),
        (&["table", "kayles(n)", "n=x"], "范围写作 n=0..100"),
        (
            &[
                "explain",
                "--proof",
                "kayles(40) + kayles(41)",
                "--max-positions",
                "9",
            ],
            "计算需要超过 9 个局面",
        ),
        (
            &["matrix", "no-such-file"],
            "no-such-file：没有这个文件或目录",
        ),
        (&["nimber", "2 +"], "这里应是尼姆数"),
        (&["tree", "tic_toe()", "--versus", "a"], "这里应是两个策略"),
        (&["solve", "--lan"], "是否想写 `--lang`？"),
        (&["verify", "--misere", "file"], "没有选项 `--misere`"),
        (
            &["explain", "--proof", "--misere", "nim(1)"],
            "不能与 `--misere` 同用",
        ),
        (&["period"], "缺少 <FAMILY>"),
        (
            &["label", "file", "--format", "zip"],
            "可取 csv、dot、gml、graphml、json、parquet、text",
        ),
        (
            &["period", "kayles(n)", "--max", "many"],
            "`many` 不是 `--max <N>` 所要的数",
        ),
        (&["nothing"], "没有命令 `nothing`"),
    ] {
        let output = grundy(&[arguments, &["--lang", "zh"]].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("错误：") && told.contains(words), "{told}");
        assert_eq!(english(&told), None, "{arguments:?}");
    }
}

#[test]
fn the_help_of_every_command_is_chinese() {
    let every = output_of(&["--help"], "");
    let commands = every.lines().skip_while(|line| *line != "命令：").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 10, "{every}");
    for command in commands {
        let sheet = grundy(&[command, "--help", "--lang", "zh"]);
        let sheet = String::from_utf8(sheet.stdout).unwrap();
        let told = sheet.split("示例：").next().unwrap();
        assert!(told.contains("用法：") && told.contains("选项："), "{told}");
        // The names of the shells look like a run of English words.
        assert!(
            command == "completions" || english(told).is_none(),
            "{told}"
        );
    }
}

// The help finds games and theorems under the names that contest programmers use, with and without
// blanks, and shows these names.
#[test]
fn the_help_finds_chinese_names() {
    for (name, page) in [
        ("尼姆博弈", "nim(n, ...)"),
        ("巴什博弈", "subtraction(take, n, ...)"),
        ("威佐夫博弈", "wythoff(a, b)"),
        ("斐波那契博弈", "fibonacci_nim("),
        ("阶梯博弈", "staircase_nim("),
        ("翻硬币游戏", "turning_turtles("),
        ("删边游戏", "hackenbush("),
        ("K-Nim", "moore_nim("),
        ("Anti-SG", "grundy quotient"),
        ("SJ 定理", "grundy quotient"),
        ("Every-SG", "sum_of([p, q, ...])"),
        ("Multi-SG", "sum_of([p, q, ...])"),
        ("SG 函数", "最小非负整数"),
        ("克朗原理", "删边游戏"),
    ] {
        let small = name.to_lowercase();
        for written in [
            name,
            &name.replace(' ', ""),
            &small,
            &small.replace('-', " "),
        ] {
            let output = grundy(&["help", written, "--lang", "zh"]);
            assert!(output.status.success(), "{written}");
            let told = String::from_utf8(output.stdout).unwrap();
            assert!(
                told.contains(name) && told.contains(page),
                "{written}: {told}"
            );
        }
    }
}

// The manual and the completions use the help texts in the requested language.
#[test]
fn the_manual_and_completions_are_chinese() {
    let manual = |arguments: &[&str]| {
        let arguments = [&["man"], arguments, &["--lang", "zh"]].concat();
        let page = String::from_utf8(grundy(&arguments).stdout).unwrap();
        // The examples are commands, which are not translated.
        let (said, examples) = page.split_once(".SH 示例\n").unwrap_or((&page, ""));
        assert_eq!(english(said), None);
        (said.to_owned(), examples.to_owned())
    };
    let (page, _) = manual(&[]);
    for told in [
        ".SH 选项\n",
        "反常规则（misère，反 Nim）：走最后一步者负",
        "grundy\\-solve(1)\n谁胜，值是多少，所有制胜走法",
        "[默认：50000000]",
    ] {
        assert!(page.contains(told), "{page}");
    }
    let (page, examples) = manual(&["play"]);
    for told in [
        "grundy\\-play \\- 在终端中与程序对局",
        "\\fI可取：\\fR",
        "outcome: 谁胜",
    ] {
        assert!(page.contains(told), "{page}");
    }
    assert!(examples.starts_with("  grundy play"), "{examples}");
    for shell in ["zsh", "fish"] {
        let script = grundy(&["completions", shell, "--lang", "zh"]);
        let script = String::from_utf8(script.stdout).unwrap();
        assert!(script.contains("谁胜，值是多少，所有制胜走法"), "{shell}");
        assert!(!script.contains("who makes the last move loses"), "{shell}");
    }
    // Without `--lang` they remain in English.
    let page = String::from_utf8(grundy(&["man", "play"]).stdout).unwrap();
    assert!(page.contains(".SH EXAMPLES\n") && page.contains("Play against the program"));
    let refused = grundy(&["man", "nim"]);
    assert_eq!(refused.status.code(), Some(2));
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("unknown command `nim`") && told.contains("solve, explain"));
}

// JSON does not depend on the language.
#[test]
fn json_does_not_depend_on_the_language() {
    for arguments in [
        &["solve", "tic_toe()", "--json"][..],
        &["table", "kayles(n)", "n=0..80", "--pattern", "--json"],
        &["period", "kayles(n)", "--json"],
        &["tree", "tic_toe()", "--table", "--json"],
        &["solve", "kayls(3)", "--json"],
        &["solve", "--lan", "--json"],
    ] {
        let english = grundy(arguments);
        let chinese = grundy(&[arguments, &["--lang", "zh"]].concat());
        assert_eq!(english.stdout, chinese.stdout, "{arguments:?}");
        let answer: Value = serde_json::from_slice(&english.stdout).unwrap();
        assert!(
            answer.is_object() || answer.is_array(),
            "{arguments:?}: {answer}"
        );
    }
}

// A number that an option cannot take is reported in our words, not in those of clap.
#[test]
fn invalid_numbers_of_options_are_chinese() {
    for (option, number, english, chinese) in [
        (
            "--threads",
            "0",
            "`--threads <N>` must be at least 1",
            "`--threads <N>` 至少要 1",
        ),
        (
            "--threads",
            "two",
            "invalid number `two` for `--threads <N>`",
            "`two` 不是",
        ),
        (
            "--max-memory",
            "99999999999999999999999",
            "`99999999999999999999999` is too large for `--max-memory <MIB>`",
            "超出了 `--max-memory <MIB>` 的范围",
        ),
        (
            "--timeout",
            "soon",
            "invalid number `soon` for `--timeout <SECONDS>`",
            "`soon` 不是",
        ),
    ] {
        for (language, told) in [("en", english), ("zh", chinese)] {
            let refused = grundy(&["solve", "nim(3)", option, number, "--lang", language]);
            assert_eq!(refused.status.code(), Some(2), "{option} {number}");
            let said = String::from_utf8(refused.stderr).unwrap();
            assert!(said.contains(told), "{said}");
        }
    }
}

// The lines of a batch are JSON for programs. Errors and limits in them are therefore in English
// and name the keys of JSON.
#[test]
fn lines_of_a_batch_stay_english() {
    let lines = concat!(
        "kayls(3)\n",
        "{\"game\": \"nim(1)\", \"gme\": 1}\n",
        "grundys_game(1000000000000000000)\n",
    );
    let answer_in = |language: &str| {
        let arguments = ["solve", "--jsonl", "-", "--lang"];
        let output = grundy_with(&[&arguments[..], &[language]].concat(), lines);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).unwrap()
    };
    let chinese = answer_in("zh");
    assert_eq!(chinese, answer_in("en"));
    let answers: Vec<Value> = (chinese.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let message = |error: &Value| error["message"].as_str().unwrap().to_owned();
    assert_eq!(
        message(&answers[0]["error"]),
        "there is no game named `kayls`"
    );
    assert_eq!(message(&answers[1]["error"]), "unknown key `gme`");
    let stopped = &answers[2]["stopped"];
    assert_eq!(answers[2]["status"], "partial");
    assert_eq!(
        message(stopped),
        "the computation needs more than 4294967296 bytes of memory"
    );
    assert_eq!(stopped["help"], "`limits.memory` raises the limit");
}
