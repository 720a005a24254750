//! Random programs.

use fastrand::{bool, u8, usize};

pub fn program() -> String {
    let mut out = String::new();
    for _ in 0..usize(1..4) {
        statement(0, 3, &mut out);
    }
    out
}
fn indent(level: usize, out: &mut String) {
    out.push_str(&"    ".repeat(level));
}
fn block(level: usize, depth: usize, out: &mut String) {
    if u8(..4) == 0 {
        out.push(' ');
        simple(out);
        out.push('\n');
        return;
    }
    out.push('\n');
    for _ in 0..usize(1..3) {
        statement(level + 1, depth - 1, out);
    }
}
fn statement(level: usize, depth: usize, out: &mut String) {
    if u8(..6) == 0 {
        out.push_str(["\n", "# comment\n", "   \n", "      # far\n"][usize(..4)]);
    }
    indent(level, out);
    let kind = if depth == 0 { 9 } else { u8(..12) };
    match kind {
        0 => {
            out.push_str("def f(");
            params(out);
            out.push_str("):");
            block(level, depth, out);
        }
        1 => {
            out.push_str("if ");
            expr(2, out);
            out.push(':');
            block(level, depth, out);
            while u8(..3) == 0 {
                indent(level, out);
                out.push_str("elif ");
                expr(1, out);
                out.push(':');
                block(level, depth, out);
            }
            if bool() {
                indent(level, out);
                out.push_str("else:");
                block(level, depth, out);
            }
        }
        2 => {
            out.push_str("for ");
            target(out);
            out.push_str(" in ");
            list(2, out);
            out.push(':');
            block(level, depth, out);
        }
        _ => {
            simple(out);
            while u8(..5) == 0 {
                out.push_str("; ");
                simple(out);
            }
            if u8(..8) == 0 {
                out.push(';');
            }
            out.push('\n');
        }
    }
}
fn params(out: &mut String) {
    for i in 0..usize(0..3) {
        out.push_str(["a", "b", "c", "a"][i + usize(..2)]);
        if bool() {
            out.push('=');
            expr(1, out);
        }
        out.push(',');
    }
    if bool() {
        out.push_str("z");
    }
}
fn target(out: &mut String) {
    out.push_str(
        [
            "x",
            "x, y",
            "(x, y)",
            "[x, y]",
            "x[0]",
            "x.y",
            "x, (y, z),",
            "f(x)",
            "x[a:b]",
        ][usize(..9)],
    );
}
fn simple(out: &mut String) {
    match u8(..9) {
        0 => out.push_str("pass"),
        1 => out.push_str("break"),
        2 => out.push_str("continue"),
        3 => {
            out.push_str("return");
            if bool() {
                out.push(' ');
                list(2, out);
            }
        }
        4 | 5 => {
            target(out);
            out.push_str(" = ");
            list(2, out);
        }
        6 => {
            target(out);
            out.push(' ');
            out.push_str(
                [
                    "+=", "-=", "*=", "/=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>=",
                ][usize(..11)],
            );
            out.push(' ');
            list(2, out);
        }
        _ => list(3, out),
    }
}
fn list(depth: usize, out: &mut String) {
    expr(depth, out);
    while u8(..4) == 0 {
        out.push_str(", ");
        expr(depth, out);
    }
    if u8(..12) == 0 {
        out.push(',');
    }
}
pub fn expr(depth: usize, out: &mut String) {
    if depth == 0 {
        atom(out);
        return;
    }
    let d = depth - 1;
    match u8(..22) {
        0..=6 => {
            expr(d, out);
            out.push(' ');
            out.push_str(
                [
                    "+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", ">",
                    "<=", ">=", "in", "not in", "and", "or",
                ][usize(..21)],
            );
            out.push(' ');
            expr(d, out);
        }
        7 => {
            out.push_str(["-", "+", "~", "not ", "- -", "not not "][usize(..6)]);
            expr(d, out);
        }
        8 => {
            expr(d, out);
            out.push_str(" if ");
            expr(d, out);
            out.push_str(" else ");
            expr(d, out);
        }
        9 => {
            out.push_str("lambda ");
            params(out);
            out.push_str(": ");
            expr(d, out);
        }
        10 => {
            out.push('[');
            if bool() {
                list(d, out);
            }
            out.push(']');
        }
        11 => {
            out.push('(');
            if bool() {
                list(d, out);
            }
            out.push(')');
        }
        12 => {
            out.push('{');
            for _ in 0..usize(0..3) {
                expr(d, out);
                out.push_str(": ");
                expr(d, out);
                out.push_str(", ");
            }
            out.push('}');
        }
        13 => {
            out.push('[');
            expr(d, out);
            comp(d, out);
            out.push(']');
        }
        14 => {
            out.push('{');
            expr(d, out);
            out.push(':');
            expr(d, out);
            comp(d, out);
            out.push('}');
        }
        15 | 16 => {
            atom(out);
            out.push('(');
            for _ in 0..usize(0..3) {
                if u8(..3) == 0 {
                    out.push_str("k=");
                }
                expr(d, out);
                out.push_str(", ");
            }
            out.push(')');
        }
        17 => {
            expr(d, out);
            out.push('[');
            list(d, out);
            out.push(']');
        }
        18 => {
            atom(out);
            out.push('[');
            if bool() {
                expr(d, out);
            }
            out.push(':');
            if bool() {
                expr(d, out);
            }
            if bool() {
                out.push(':');
                if bool() {
                    expr(d, out);
                }
            }
            out.push(']');
        }
        19 => {
            atom(out);
            out.push_str(".name");
        }
        20 => {
            out.push_str("(\n  ");
            expr(d, out);
            out.push_str(" # c\n)");
        }
        _ => atom(out),
    }
}
fn comp(d: usize, out: &mut String) {
    out.push_str(" for ");
    target(out);
    out.push_str(" in ");
    expr(d, out);
    while u8(..3) == 0 {
        if bool() {
            out.push_str(" if ");
            expr(d, out);
        } else {
            out.push_str(" for ");
            target(out);
            out.push_str(" in ");
            expr(d, out);
        }
    }
}
fn atom(out: &mut String) {
    let atoms = [
        "x",
        "y",
        "foo",
        "True",
        "None",
        "0",
        "1",
        "42",
        "18446744073709551616",
        "0x1f",
        "0b101",
        "0o17",
        "1.5",
        ".5",
        "2.",
        "1e3",
        "1.5E-3",
        "'s'",
        "\"d\"",
        "'''a\nb'''",
        "\"\"\"q\"\"\"",
        "r'\\d'",
        "'\\n\\t\\x41\\u00e9'",
        "'\\101'",
        "\"é\"",
        "''",
        "00",
        "1_000",
        "\\\n x",
    ];
    out.push_str(atoms[usize(..atoms.len())]);
}
