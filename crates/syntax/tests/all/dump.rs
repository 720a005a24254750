//! The syntax tree as a text, with the place of every node.

use std::fmt::Write;

use grundy_syntax::{
    Clause, Expression, ExpressionKind, Parameter, Span, Statement, StatementKind, Target,
    TargetKind, parse_file,
};

/// Parses a file, and writes its statements.
pub(crate) fn file(source: &str) -> Result<String, String> {
    let statements = parse_file(source).map_err(|error| {
        let text = source
            .get(error.span.clone().unwrap_or(0..0))
            .unwrap_or("BAD SPAN");
        format!("{error} at {text:?}")
    })?;
    let mut out = String::new();
    block(&statements, &mut out);
    Ok(out)
}

fn at(span: Span, out: &mut String) {
    let _ = write!(out, "@{}-{}", span.start, span.end);
}

fn block(list: &[Statement], out: &mut String) {
    for inner in list {
        statement(inner, out);
    }
}

fn statement(it: &Statement, out: &mut String) {
    match &it.kind {
        StatementKind::Break => out.push_str("break;"),
        StatementKind::Continue => out.push_str("continue;"),
        StatementKind::Pass => out.push_str("pass;"),
        StatementKind::Return(value) => {
            out.push_str("return ");
            if let Some(value) = value {
                expression(value, out);
            }
            out.push(';');
        }
        StatementKind::Expression(value) => {
            expression(value, out);
            out.push(';');
        }
        StatementKind::Assign(to, value) => {
            target(to, out);
            out.push_str(" = ");
            expression(value, out);
            out.push(';');
        }
        StatementKind::Modify(to, op, value) => {
            target(to, out);
            let _ = write!(out, " {op:?}= ");
            expression(value, out);
            out.push(';');
        }
        StatementKind::If(branches, otherwise) => {
            for (index, (condition, then)) in branches.iter().enumerate() {
                if index > 0 {
                    out.push_str("}else{");
                }
                out.push_str("if ");
                expression(condition, out);
                out.push('{');
                block(then, out);
            }
            out.push_str("}else{");
            block(otherwise, out);
            out.push_str(&"}".repeat(branches.len()));
        }
        StatementKind::For(to, over, body) => {
            out.push_str("for ");
            target(to, out);
            out.push_str(" in ");
            expression(over, out);
            out.push('{');
            block(body, out);
            out.push('}');
        }
        StatementKind::Def(name, list, body) => {
            let _ = write!(out, "def {}", name.text);
            at(name.span, out);
            parameters(list, out);
            out.push('{');
            block(body, out);
            out.push('}');
        }
    }
}

fn parameters(list: &[Parameter], out: &mut String) {
    out.push('(');
    for parameter in list {
        out.push_str(&parameter.name.text);
        at(parameter.name.span, out);
        if let Some(default) = &parameter.default {
            out.push('=');
            expression(default, out);
        }
        out.push(',');
    }
    out.push(')');
}

fn target(it: &Target, out: &mut String) {
    match &it.kind {
        TargetKind::Name(name) => out.push_str(name),
        TargetKind::Tuple(items) => {
            out.push('(');
            for item in items {
                target(item, out);
                out.push(',');
            }
            out.push(')');
        }
        TargetKind::Index(both) => {
            expression(&both.0, out);
            out.push('[');
            expression(&both.1, out);
            out.push(']');
        }
    }
    at(it.span, out);
}

fn all(list: &[Expression], out: &mut String) {
    for item in list {
        expression(item, out);
        out.push(',');
    }
}

fn clauses(list: &[Clause], out: &mut String) {
    for clause in list {
        match clause {
            Clause::For(to, over) => {
                out.push_str(" for ");
                target(to, out);
                out.push_str(" in ");
                expression(over, out);
            }
            Clause::If(condition) => {
                out.push_str(" if ");
                expression(condition, out);
            }
        }
    }
}

#[expect(clippy::too_many_lines, reason = "one arm for each form of expression")]
fn expression(it: &Expression, out: &mut String) {
    match &it.kind {
        ExpressionKind::Tuple(items) => {
            out.push_str("tuple(");
            all(items, out);
            out.push(')');
        }
        ExpressionKind::List(items) => {
            out.push_str("list(");
            all(items, out);
            out.push(')');
        }
        ExpressionKind::Dict(items) => {
            out.push_str("dict(");
            for (key, value) in items {
                expression(key, out);
                out.push(':');
                expression(value, out);
                out.push(',');
            }
            out.push(')');
        }
        ExpressionKind::Dot(of, name) => {
            out.push_str("dot(");
            expression(of, out);
            let _ = write!(out, ".{}", name.text);
            at(name.span, out);
            out.push(')');
        }
        ExpressionKind::Call(of, arguments) => {
            out.push_str("call(");
            expression(of, out);
            out.push_str("; ");
            for argument in arguments {
                if let Some(name) = &argument.name {
                    out.push_str(&name.text);
                    at(name.span, out);
                    out.push('=');
                }
                expression(&argument.value, out);
                out.push(',');
            }
            out.push(')');
        }
        ExpressionKind::Index(both) => {
            out.push_str("index(");
            expression(&both.0, out);
            out.push_str("; ");
            expression(&both.1, out);
            out.push(')');
        }
        ExpressionKind::Slice(of, bounds) => {
            out.push_str("slice(");
            expression(of, out);
            for bound in bounds {
                out.push_str("; ");
                if let Some(bound) = bound {
                    expression(bound, out);
                }
            }
            out.push(')');
        }
        ExpressionKind::Name(name) => out.push_str(name),
        ExpressionKind::Lambda(lambda) => {
            out.push_str("lambda");
            parameters(&lambda.parameters, out);
            expression(&lambda.body, out);
        }
        ExpressionKind::Int(value) => {
            let _ = write!(out, "{value}");
        }
        ExpressionKind::Float(text) => {
            let _ = write!(out, "{:?}", text.parse::<f64>().unwrap());
        }
        ExpressionKind::Text(text) => {
            let _ = write!(out, "{text:?}");
        }
        ExpressionKind::Unary(operator, inner) => {
            let _ = write!(out, "{operator:?}(");
            expression(inner, out);
            out.push(')');
        }
        ExpressionKind::Binary(both, operator) => {
            let _ = write!(out, "{operator:?}(");
            expression(&both.0, out);
            out.push(',');
            expression(&both.1, out);
            out.push(')');
        }
        ExpressionKind::If(parts) => {
            out.push_str("If(");
            expression(&parts.0, out);
            out.push(',');
            expression(&parts.1, out);
            out.push(',');
            expression(&parts.2, out);
            out.push(')');
        }
        ExpressionKind::ListComprehension(body, list) => {
            out.push_str("comprehension(");
            expression(body, out);
            clauses(list, out);
            out.push(')');
        }
        ExpressionKind::DictComprehension(body, list) => {
            out.push_str("comprehension(");
            expression(&body.0, out);
            out.push(':');
            expression(&body.1, out);
            clauses(list, out);
            out.push(')');
        }
    }
    at(it.span, out);
}
