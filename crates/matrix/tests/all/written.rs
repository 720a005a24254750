//! Matrices as people and programs write them: names, commas, brackets, Markdown and LaTeX.

use grundy_base::Kind;
use grundy_matrix::read::{MatrixGame, Note, read_game};

fn good(text: &str) -> MatrixGame {
    read_game(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error} {:?}", error.span))
}

/// Returns the entries as a text, with spaces between columns and `/ ` between rows.
fn entries(game: &MatrixGame) -> String {
    let matrix = &game.matrix;
    let row = |i: usize| {
        let entries = (0..matrix.columns()).map(|j| matrix.entry(i, j).to_string());
        entries.collect::<Vec<_>>().join(" ")
    };
    (0..matrix.rows()).map(row).collect::<Vec<_>>().join("; ")
}

#[test]
fn programs_print_the_same_matrix() {
    for text in [
        // NumPy, Python, SymPy
        "[[ 0. -1.]\n [ 1.  0.]]",
        "array([[ 0., -1.],\n       [ 1.,  0.]])",
        "np.array([[0, -1], [1, 0]], dtype=np.int8)",
        "A = np.array([[0, -1], [1, 0]])",
        "array([[0, -1],\n       [1, 0]], dtype=int8)\n",
        "[(0, -1), (1, 0)]",
        "((0, -1), (1, 0))",
        "[[0, -1], [1, 0],]",
        "[[Fraction(0, 1), Fraction(-1, 1)], [Fraction(1, 1), Fraction(0, 1)]]",
        "[[np.float64(0.0), np.float64(-1.0)], [np.int64(1), np.int64(0)]]",
        "[[Decimal('0.0'), Decimal('-1.0')], [Decimal('1'), Decimal('0')]]",
        "Matrix([\n[0, -1],\n[1,  0]])",
        "matrix([[0, -1],\n        [1, 0]])",
        // MATLAB, Julia
        "[0 -1; 1 0]",
        "[0, -1; 1, 0]",
        "A = [0 -1\n     1 0];",
        "A =\n\n     0    -1\n     1     0\n\n",
        "ans =\n     0    -1\n     1     0\n",
        "0 -1;\n1 0;\n",
        "0 -1; 1 0",
        "0,-1;1,0",
        "0, -1; 1, 0\n",
        "payoffs:\n0 -1\n1 0\n",
        "$0$ & $-1$ \\\\ $1$ & $0$",
        // Mathematica
        "{{0, -1}, {1, 0}}",
        "{{0., -1.}, {1.*^0, 0}}",
        "m = {{0, -1},\n {1, 0}}",
        // R, pandas and this program number rows and columns.
        "     [,1] [,2]\n[1,]    0   -1\n[2,]    1    0\n",
        "   0  1\n0  0 -1\n1  1  0\n",
        ",0,1\n0,0.0,-1.0\n1,1.0,0.0\n",
        "\n        0  1\n   0 |  0 -1\n   1 |  1  0\n",
        // Spreadsheets
        "0\t-1\r\n1\t0\r\n",
        "\t0\t-1\n\t1\t0",
        "\u{feff}0;-1\r\n1;0\r\n",
        "\"0\";\"-1\"\n\"1\";\"0\"",
        "0,\u{2212}1\n1,-0",
        // Markdown and LaTeX
        "| 0 | -1 |\n| 1 | 0 |",
        "0 | -1\n--|--\n1 | 0",
        "\\begin{pmatrix} 0 & -1 \\\\ 1 & 0 \\end{pmatrix}",
        "$$A = \\begin{bmatrix}\n0 & -1 \\\\\n1 & 0\\\\\n\\end{bmatrix}$$",
        "\\left(\\begin{array}{cc} 0 & -1 \\\\[2pt] 1 & 0 \\end{array}\\right)",
        "\\begin{table}\\begin{tabular}{r|r}\n\\hline\n$0$ & $-1$ \\\\ \\hline % a comment\n$1$ & $0$ \\\\\n\\hline\\end{tabular}\\end{table}",
        "{\"matrix\": [[0, -1], [1, 0]]}",
        "{\"data\": [[0, -1], [1, 0]], \"index\": [0, 1], \"columns\": [0, 1]}",
    ] {
        let game = good(text);
        assert_eq!(entries(&game), "0 -1; 1 0", "{text}");
        assert_eq!((game.row_names, game.column_names), (None, None), "{text}");
        assert_eq!((game.constant, game.notes), (None, Vec::new()));
    }
}

#[test]
fn names_are_kept() {
    let both = (Some(vec!["up", "down"]), Some(vec!["left", "right"]));
    let rows = (Some(vec!["up", "down"]), None);
    let columns = (None, Some(vec!["left", "right"]));
    for (text, names) in [
        (",left,right\nup,1,-1\ndown,-1,1\n", &both),
        ("row player,left,right\nup,1,-1\ndown,-1,1\n", &both),
        ("\tleft\tright\nup\t1\t-1\ndown\t-1\t1", &both),
        (";left;right\r\nup;1;-1\r\ndown;-1;1", &both),
        (
            "      left  right\nup       1     -1\ndown    -1      1\n",
            &both,
        ),
        (
            "|      | left | right |\n|:-----|-----:|------:|\n| up   | 1 | -1 |\n| down | -1 | 1 |",
            &both,
        ),
        (
            "| | **left** | `right` |\n|-|-|-|\n| up | $1$ | -1 |\n| down | -1 | 1 |",
            &both,
        ),
        (
            "\\begin{tabular}{l|cc}\n & left & right \\\\\n\\hline\nup & $1$ & $-1$ \\\\\ndown & $-1$ & $1$\n\\end{tabular}",
            &both,
        ),
        (
            "\\begin{array}{lcc} & \\text{left} & \\textbf{right} \\\\ \\text{up} & 1 & -1 \\\\ \\text{down} & -1 & 1 \\end{array}",
            &both,
        ),
        (
            "{\"columns\":[\"left\",\"right\"],\"index\":[\"up\",\"down\"],\"data\":[[1,-1],[-1,1]]}",
            &both,
        ),
        (
            "{\"row_names\": [\"\\u0075p\", \"down\"], \"col_names\": [\"left\", \"right\"], \"matrix\": [[1, -1], [-1, 1]]}",
            &both,
        ),
        (
            "NFG 1 R \"\" { \"A\" \"B\" } { { \"up\" \"down\" } { \"left\" \"right\" } } 1 -1 -1 1 -1 1 1 -1",
            &both,
        ),
        ("up,1,-1\ndown,-1,1\n", &rows),
        ("up 1 -1\ndown -1 1\n", &rows),
        ("left,right\n1,-1\n-1,1\n", &columns),
        ("left right\n1 -1\n-1 1\n", &columns),
        (
            "NFG 1 R \"\" { \"A\" \"B\" } { { \"1\" \"2\" } { \"left\" \"right\" } } 1 -1 -1 1 -1 1 1 -1",
            &columns,
        ),
    ] {
        let game = good(text);
        assert_eq!(entries(&game), "1 -1; -1 1", "{text}");
        let owned = |names: &Option<Vec<&str>>| {
            (names.as_ref()).map(|names| names.iter().map(|&name| name.to_owned()).collect())
        };
        assert_eq!(game.row_names, owned(&names.0), "{text}");
        assert_eq!(game.column_names, owned(&names.1), "{text}");
    }
    // Names may contain separators in quotes, begin like a number, or be numbers.
    let game = good("\"\",\"a, b\",1st\n2019,1,2\n2020,3,4\n");
    assert_eq!(game.column_names.unwrap(), ["a, b", "1st"]);
    assert_eq!(game.row_names.unwrap(), ["2019", "2020"]);
    let game = good("take two,1,-1\ntake 1,-1,1\n");
    assert_eq!(game.row_names.unwrap(), ["take two", "take 1"]);
    // A row of names that count from 1 is kept.
    let game = good(",1,2\n1,5,6\n2,7,8\n");
    assert_eq!(game.row_names.unwrap(), ["1", "2"]);
}

#[test]
fn commas_and_fractions_are_exact() {
    for (text, expected) in [
        ("\u{feff}1,5;-2\r\n0;0,25\r\n", "3/2 -2; 0 1/4"),
        ("1,5;-2,5\n0,5;0,25\n", "3/2 -5/2; 1/2 1/4"),
        ("1,5\t-2\n0\t0,25", "3/2 -2; 0 1/4"),
        ("1,5 -2\n0 0,25", "3/2 -2; 0 1/4"),
        ("\"1,5\",\"-2\"\n0,\"0,25\"", "3/2 -2; 0 1/4"),
        ("| 1,5 | -2 |\n| 0 | 0,25 |", "3/2 -2; 0 1/4"),
        ("1,125 2\n3,5 1", "9/8 2; 7/2 1"),
        ("1/3 -2/6\n+1/2 1e-2", "1/3 -1/3; 1/2 1/100"),
        ("[1/3, -2/6; 1/2 0.010]", "1/3 -1/3; 1/2 1/100"),
        ("{{1/3, -1/3}, {1/2, 1.*^-2}}", "1/3 -1/3; 1/2 1/100"),
        (
            "\\begin{pmatrix} \\frac{1}{3} & -\\tfrac13 \\\\ \\dfrac{1}{2} & 0{.}01 \\end{pmatrix}",
            "1/3 -1/3; 1/2 1/100",
        ),
        (
            "| $\\frac{1}{3}$ | $-\\frac13$ |\n| 1/2 | 0.01 |",
            "1/3 -1/3; 1/2 1/100",
        ),
    ] {
        assert_eq!(entries(&good(text)), expected, "{text}");
    }
    let ten_to_400 = format!("1{} 0", "0".repeat(400));
    assert_eq!(entries(&good("1e400 -0\n")), ten_to_400);
}

#[test]
fn two_payoffs_in_each_entry_have_a_constant_sum() {
    for text in [
        "NFG 1 R \"\" { \"A\" \"B\" } { 2 2 } 2 0 0 2 0 2 1 1",
        "NFG 1 R \"\" { \"A\" \"B\" } { 2 2 } { { \"w\" 2 0 } { \"l\" 0 2 } { \"t\" 1 1 } } 1 2 2 3",
        "[[[2, 0], [0, 2]], [[0, 2], [1, 1]]]",
        "[[(2, 0), (0, 2)], [(0, 2), (1, 1)]]",
        "[[\"2, 0\", \"0, 2\"], [\"0 2\", \"(1, 1)\"]]",
        "[[[2 0]\n  [0 2]]\n\n [[0 2]\n  [1 1]]]",
        "(2, 0),(0, 2)\n(0, 2),(1, 1)\n",
        "(2,0) (0,2)\n(0,2) (1,1)\n",
        "\"2,0\",\"0,2\"\n\"0,2\",\"1,1\"\n",
        "\"2, 0\",\"0, 2\"\n\"0, 2\",\"1, 1\"\n",
        "2 0,0 2\n0 2,1 1\n",
        "2 0;0 2\n0 2;1 1\n",
        "(2;0);(0;2)\n(0;2);(1;1)\n",
        "2, 0\t0, 2\n0, 2\t1, 1\n",
        "| 2, 0 | 0, 2 |\n|---|---|\n| 0, 2 | 1, 1 |",
        "\\begin{tabular}{cc} $(2, 0)$ & $0, 2$ \\\\ $0, 2$ & $1, 1$ \\end{tabular}",
    ] {
        let game = good(text);
        assert_eq!(entries(&game), "2 0; 0 1", "{text}");
        assert_eq!(game.constant, Some(2_i32.into_ratio()), "{text}");
    }
    let game = good(",l,r\nu,\"1, -1\",\"0, 0\"\n");
    assert_eq!(
        (entries(&game), game.constant),
        ("1 0".to_owned(), Some(0_i32.into_ratio()))
    );
    let game = good("(1,5; -1) (0; 0,5)\n");
    assert_eq!(entries(&game), "3/2 0");
}

trait IntoRatio {
    fn into_ratio(self) -> grundy_matrix::BigRational;
}

impl IntoRatio for i32 {
    fn into_ratio(self) -> grundy_matrix::BigRational {
        grundy_matrix::BigRational::from_integer(self.into())
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn refusals_name_the_reason_and_the_place() {
    let places = "write (1, 5) for two payoffs, 1.5 for a decimal, and one row per line";
    let sums = "the two payoffs of each entry must add up to the same number; equilibria of other games (two payoff matrices, general-sum) are not computed";
    let cases: &[(&str, Kind, usize, &str, &str)] = &[
        (
            "NFG 1 R \"\" { \"A\" \"B\" } { 2 2 } 3 3 5 0 0 5 1 1",
            Kind::IllegalPosition,
            35,
            "the payoffs in row 1, column 0 add up to 5, and those in row 0, column 0 add up to 6",
            sums,
        ),
        (
            ",l,r\nu,\"3, 3\",\"0, 5\"\n",
            Kind::IllegalPosition,
            14,
            "the payoffs in row u, column r add up to 5, and those in row u, column l add up to 6",
            sums,
        ),
        (
            "[[[3, 3], [0, 5]]]",
            Kind::IllegalPosition,
            10,
            "the payoffs in row 0, column 1 add up to 5, and those in row 0, column 0 add up to 6",
            sums,
        ),
        (
            "\"3,3\",\"0,5\"\n\"5,0\",\"1,1\"\n",
            Kind::Syntax,
            0,
            "`\"3,3\"` can be read in more than one way",
            places,
        ),
        (
            "2,0;0,2\n0,2;2,0\n",
            Kind::Syntax,
            0,
            "`2,0` can be read in more than one way",
            places,
        ),
        (
            "1,2;3,4",
            Kind::Syntax,
            0,
            "`1,2` can be read in more than one way",
            places,
        ),
        (
            "1,000\t2\n3\t4",
            Kind::Syntax,
            0,
            "`1,000` can be read in more than one way",
            "write 1000 or 1.5: a comma can be a decimal point or separate thousands",
        ),
        (
            "up 1,5\ndown 2,5\n",
            Kind::Syntax,
            0,
            "the cells of this line can be separated in more than one way",
            "separate the cells by `;` or by tabs",
        ),
        (
            "(1, 0),2\n",
            Kind::IllegalPosition,
            7,
            "this entry has one payoff, and the entries before it have two",
            "write one payoff in each entry, or the payoffs of both players in each entry",
        ),
        (
            "up,1,2\n3,4,5\n",
            Kind::Syntax,
            0,
            "`up` is not a number",
            "names belong in the first row and the first column: name all rows or none",
        ),
        (
            ",2\n3,4",
            Kind::Syntax,
            0,
            "an entry is missing",
            "every cell of the matrix must contain a number; write 0 where nothing is paid",
        ),
        (
            "l,r\n1,2,3\n",
            Kind::IllegalPosition,
            4,
            "this row has 3 entries, and there are 2 names of columns",
            "all rows of a matrix must have the same length",
        ),
        (
            "[[1 2 ... 3 4]]",
            Kind::Syntax,
            6,
            "`...` is not a number",
            "the output of a program is abbreviated here: print the whole matrix",
        ),
        (
            "[[1, 0], [0, 1]]\n[[0, 1], [1, 0]]",
            Kind::Syntax,
            17,
            "there is more than one matrix",
            "write one list of rows; equilibria of games with two payoff matrices are not computed",
        ),
        (
            "\\begin{pmatrix} 1 & 0 \\end{pmatrix}, \\begin{pmatrix} 1 & 0 \\end{pmatrix}",
            Kind::IllegalPosition,
            51,
            "there is more than one matrix",
            "write one matrix; equilibria of games with two payoff matrices are not computed",
        ),
        (
            "\\begin{pmatrix} 1 & 0",
            Kind::Syntax,
            7,
            "this environment has no `\\end{pmatrix}`",
            "",
        ),
        (
            "1 1e4001\n",
            Kind::Range,
            2,
            "`1e4001` has more than 4,000 digits",
            "",
        ),
        (
            "A =\n\n   1.0e+03 *\n\n    1.0000    0.0020\n",
            Kind::Syntax,
            5,
            "the entries of this matrix are printed with a common factor",
            "such entries are rounded: write the matrix with mat2str(A)",
        ),
        (
            "EFG 2 R",
            Kind::Syntax,
            0,
            "this is a game in extensive form, not a matrix",
            "a file that begins with `EFG` contains a game tree",
        ),
    ];
    for (text, kind, start, message, help) in cases {
        let error = read_game(text.as_bytes()).expect_err(text);
        assert_eq!(error.message, *message, "{text}");
        assert_eq!(error.kind, *kind, "{text}");
        assert_eq!(
            error.span.clone().map(|span| span.start),
            Some(*start),
            "{text}"
        );
        let found = error.help.map(|help| help.to_string()).unwrap_or_default();
        assert_eq!(found, *help, "{text}");
    }
}

#[test]
fn hostile_texts_end_soon() {
    for text in [
        " ".repeat(5_000_000) + "1",
        "1,5 ".to_owned() + &" ".repeat(5_000_000) + "2",
        "[".repeat(3_000_000),
        "(".repeat(3_000_000),
        "[[".to_owned() + &"(".repeat(3_000_000),
        "\\begin{pmatrix}".repeat(200_000),
        "\\begin{pmatrix}".to_owned() + &"{".repeat(3_000_000),
        "\\begin{array}".to_owned() + &"[".repeat(3_000_000) + "\\end{array}",
        "|".repeat(5_000_000),
        ";".repeat(2_000_000) + &" ".repeat(2_000_000),
        "a".repeat(5_000_000) + ",1\nb,2",
        "\"".repeat(5_000_000),
        "1;2\n".repeat(300_000),
        "=".repeat(3_000_000),
        "{\"matrix\":".repeat(100_000),
        "array(".repeat(1_000_000),
        "A=".repeat(1_000_000),
        "[1\n".repeat(100_000),
        "\\frac".repeat(1_000_000),
        "1 ".repeat(20_000) + "\\frac{1}{2",
    ] {
        let start = text.chars().take(20).collect::<String>();
        let begin = std::time::Instant::now();
        let _ = read_game(text.as_bytes());
        assert!(begin.elapsed().as_secs() < 5, "{start}");
    }
}

#[test]
fn no_edit_of_a_text_panics() {
    let texts = [
        ",left,right\nup,1,-1\ndown,-1,1\n",
        "\\begin{array}{l|c} & \\text{left} \\\\[2pt] \\hline \\frac{1}{2} & (1, 2) \\end{array}",
        "A = np.array([[Fraction(1, 2), 0], [(1, 2), \"3\"]], dtype=int)",
        "{\"columns\": [\"l\\u00e9\"], \"data\": [[1, [2, 3]]]}",
        "|a|é|\n|-|-|\n|1|2,5|",
        "[1 2; 3 4,\n5]",
    ];
    let pieces = [
        "{", "}", "[", "]", "(", ")", ",", ";", "\\", "\"", "é", "\n", " ", "|", "1", "&",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut roll = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for round in 0..30_000 {
        let mut text: Vec<char> = texts[round % texts.len()].chars().collect();
        for _ in 0..=roll(3) {
            let (from, length) = (roll(text.len()), roll(4));
            let to = (from + length).min(text.len());
            text.splice(from..to, pieces[roll(pieces.len())].chars());
        }
        let text: String = text.into_iter().collect();
        if let Err(error) = read_game(text.as_bytes()) {
            let span = error
                .span
                .unwrap_or_else(|| panic!("{text}: {:?}", error.message));
            assert!(text.get(span).is_some(), "{text}");
        }
    }
}

#[test]
fn signs_and_digits_next_to_markup_keep_their_meaning() {
    let aligned = r"\begin{pmatrix} \phantom{-}1 & -1 \\ -1 & \phantom{-}1 \end{pmatrix}";
    assert_eq!(entries(&good(aligned)), entries(&good("1 -1\n-1 1")));
    let signs = "[[-Fraction(1, 2), 0], [0, -np.float64(-0.5)]]";
    assert_eq!(entries(&good(signs)), entries(&good("-1/2 0\n0 1/2")));
    for wrong in [
        r"2\frac{1}{2} & 0 \\ 0 & 1",
        r"\frac{1}{2}3 & 0 \\ 0 & 1",
        r"\textcolor{1}{2} & 0 \\ 0 & 1",
        "[[sqrt(2), 0], [0, 1]]",
        "[[max(3, 5), 0], [0, 1]]",
        "[[np.float64(1, 2), 0], [0, 1]]",
    ] {
        assert!(read_game(wrong.as_bytes()).is_err(), "{wrong}");
    }
}

#[test]
fn the_first_line_may_be_the_size() {
    for (text, expected, notes) in [
        ("2 3\n1 2 3\n4 5 6\n", "1 2 3; 4 5 6", vec![Note::SizeLine]),
        ("2\n1 2\n3 4\n", "1 2; 3 4", vec![Note::SizeLine]),
        ("2,3\n1,2,3\n4,5,6\n", "1 2 3; 4 5 6", vec![Note::SizeLine]),
        ("2 2\n1 2\n3 4\n", "2 2; 1 2; 3 4", vec![Note::SizeOrRow]),
        // Two rows follow, not three.
        ("3 2\n1 2\n3 4\n", "3 2; 1 2; 3 4", vec![]),
    ] {
        let game = good(text);
        assert_eq!(
            (&entries(&game)[..], game.notes),
            (expected, notes),
            "{text}"
        );
    }
    assert!(read_game(b"3\n1 2\n3 4\n").is_err());
}

#[test]
fn full_width_characters_are_read() {
    for text in [
        "\u{ff11} \u{ff12}\n\u{ff13} \u{ff0d}\u{ff14}",
        "\u{ff11}\u{ff0c}\u{ff12}\n\u{ff13}\u{ff0c}\u{ff0d}\u{ff14}",
        "\u{ff11}\u{3000}\u{ff12}\n\u{ff13}\u{3000}-\u{ff14}",
        "[[\u{ff11}\u{ff0c} \u{ff12}]\u{ff0c} [3, -4]]",
    ] {
        assert_eq!(entries(&good(text)), "1 2; 3 -4", "{text}");
    }
    let text = "\u{ff11} \u{ff12}\n\u{ff13} x";
    let error = read_game(text.as_bytes()).unwrap_err();
    assert_eq!(&text[error.span.unwrap()], "x");
}
