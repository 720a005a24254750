//! The tree of `starlark_syntax` as a text.

use std::fmt::Write;

use starlark_syntax::codemap::Span;
use starlark_syntax::syntax::ast::{
    ArgumentP, AssignOp, AssignTargetP, AstArgument, AstAssignTarget, AstExpr, AstLiteral,
    AstParameter, AstStmt, BinOp, ClauseP, ExprP, ForClauseP, ParameterP, StmtP,
};
use starlark_syntax::syntax::{AstModule, Dialect};

/// A construct that grundy does not support, on purpose.
pub struct Unsupported(pub &'static str);

type Written = Result<(), Unsupported>;

/// Parses a file, and writes its statements.
pub fn file(source: &str) -> Result<String, String> {
    let dialect = Dialect {
        enable_load: false,
        enable_top_level_stmt: true,
        ..Dialect::Standard
    };
    let module = AstModule::parse("file", source.to_owned(), &dialect)
        .map_err(|error| error.without_diagnostic().to_string())?;
    let mut out = String::new();
    match statement(module.statement(), &mut out) {
        Ok(()) => Ok(out),
        Err(Unsupported(name)) => Err(format!("unsupported: {name}")),
    }
}

fn at(span: Span, out: &mut String) {
    let _ = write!(out, "@{}-{}", span.begin().get(), span.end().get());
}

fn statement(it: &AstStmt, out: &mut String) -> Written {
    match &it.node {
        StmtP::Break => out.push_str("break;"),
        StmtP::Continue => out.push_str("continue;"),
        StmtP::Pass => out.push_str("pass;"),
        StmtP::Return(value) => {
            out.push_str("return ");
            if let Some(value) = value {
                expression(value, out)?;
            }
            out.push(';');
        }
        StmtP::Expression(value) => {
            expression(value, out)?;
            out.push(';');
        }
        StmtP::Assign(assign) => {
            target(&assign.lhs, out)?;
            out.push_str(" = ");
            expression(&assign.rhs, out)?;
            out.push(';');
        }
        StmtP::AssignModify(to, op, value) => {
            target(to, out)?;
            let op = match op {
                AssignOp::Add => "Add",
                AssignOp::Subtract => "Subtract",
                AssignOp::Multiply => "Multiply",
                AssignOp::Divide => "Divide",
                AssignOp::FloorDivide => "FloorDivide",
                AssignOp::Percent => "Percent",
                AssignOp::BitAnd => "BitAnd",
                AssignOp::BitOr => "BitOr",
                AssignOp::BitXor => "BitXor",
                AssignOp::LeftShift => "LeftShift",
                AssignOp::RightShift => "RightShift",
            };
            let _ = write!(out, " {op}= ");
            expression(value, out)?;
            out.push(';');
        }
        StmtP::Statements(list) => {
            for inner in list {
                statement(inner, out)?;
            }
        }
        StmtP::If(condition, then) => {
            out.push_str("if ");
            expression(condition, out)?;
            out.push('{');
            statement(then, out)?;
            out.push_str("}else{}");
        }
        StmtP::IfElse(condition, both) => {
            out.push_str("if ");
            expression(condition, out)?;
            out.push('{');
            statement(&both.0, out)?;
            out.push_str("}else{");
            statement(&both.1, out)?;
            out.push('}');
        }
        StmtP::For(clause) => {
            out.push_str("for ");
            target(&clause.var, out)?;
            out.push_str(" in ");
            expression(&clause.over, out)?;
            out.push('{');
            statement(&clause.body, out)?;
            out.push('}');
        }
        StmtP::Def(def) => {
            if def.return_type.is_some() {
                return Err(Unsupported("type"));
            }
            let _ = write!(out, "def {}", def.name.node.ident);
            at(def.name.span, out);
            parameters(&def.params, out)?;
            out.push('{');
            statement(&def.body, out)?;
            out.push('}');
        }
        StmtP::Load(_) => return Err(Unsupported("load")),
    }
    Ok(())
}

fn parameters(list: &[AstParameter], out: &mut String) -> Written {
    out.push('(');
    for parameter in list {
        let ParameterP::Normal(name, ty, default) = &parameter.node else {
            return Err(Unsupported("parameter"));
        };
        if ty.is_some() {
            return Err(Unsupported("type"));
        }
        out.push_str(&name.node.ident);
        at(name.span, out);
        if let Some(default) = default {
            out.push('=');
            expression(default, out)?;
        }
        out.push(',');
    }
    out.push(')');
    Ok(())
}

fn target(it: &AstAssignTarget, out: &mut String) -> Written {
    match &it.node {
        AssignTargetP::Identifier(name) => out.push_str(&name.node.ident),
        AssignTargetP::Tuple(items) => {
            out.push('(');
            for item in items {
                target(item, out)?;
                out.push(',');
            }
            out.push(')');
        }
        AssignTargetP::Index(both) => {
            expression(&both.0, out)?;
            out.push('[');
            expression(&both.1, out)?;
            out.push(']');
        }
        AssignTargetP::Dot(..) => return Err(Unsupported("dot target")),
    }
    at(it.span, out);
    Ok(())
}

fn arguments(list: &[AstArgument], out: &mut String) -> Written {
    for argument in list {
        match &argument.node {
            ArgumentP::Positional(value) => expression(value, out)?,
            ArgumentP::Named(name, value) => {
                out.push_str(&name.node);
                at(name.span, out);
                out.push('=');
                expression(value, out)?;
            }
            ArgumentP::Args(_) | ArgumentP::KwArgs(_) => return Err(Unsupported("unpacked")),
        }
        out.push(',');
    }
    Ok(())
}

fn all(list: &[AstExpr], out: &mut String) -> Written {
    for item in list {
        expression(item, out)?;
        out.push(',');
    }
    Ok(())
}

fn clauses(
    first: &ForClauseP<starlark_syntax::syntax::ast::AstNoPayload>,
    rest: &[ClauseP<starlark_syntax::syntax::ast::AstNoPayload>],
    out: &mut String,
) -> Written {
    let head = |clause: &ForClauseP<_>, out: &mut String| -> Written {
        out.push_str(" for ");
        target(&clause.var, out)?;
        out.push_str(" in ");
        expression(&clause.over, out)
    };
    head(first, out)?;
    for clause in rest {
        match clause {
            ClauseP::For(clause) => head(clause, out)?,
            ClauseP::If(condition) => {
                out.push_str(" if ");
                expression(condition, out)?;
            }
        }
    }
    Ok(())
}

fn expression(it: &AstExpr, out: &mut String) -> Written {
    match &it.node {
        ExprP::Tuple(items) => {
            out.push_str("tuple(");
            all(items, out)?;
            out.push(')');
        }
        ExprP::List(items) => {
            out.push_str("list(");
            all(items, out)?;
            out.push(')');
        }
        ExprP::Dict(items) => {
            out.push_str("dict(");
            for (key, value) in items {
                expression(key, out)?;
                out.push(':');
                expression(value, out)?;
                out.push(',');
            }
            out.push(')');
        }
        ExprP::Dot(of, name) => {
            out.push_str("dot(");
            expression(of, out)?;
            let _ = write!(out, ".{}", name.node);
            at(name.span, out);
            out.push(')');
        }
        ExprP::Call(of, args) => {
            out.push_str("call(");
            expression(of, out)?;
            out.push_str("; ");
            arguments(&args.args, out)?;
            out.push(')');
        }
        ExprP::Index(both) => {
            out.push_str("index(");
            expression(&both.0, out)?;
            out.push_str("; ");
            expression(&both.1, out)?;
            out.push(')');
        }
        ExprP::Index2(_) => return Err(Unsupported("index2")),
        ExprP::Slice(of, from, to, step) => {
            out.push_str("slice(");
            expression(of, out)?;
            for bound in [from, to, step] {
                out.push_str("; ");
                if let Some(bound) = bound {
                    expression(bound, out)?;
                }
            }
            out.push(')');
        }
        ExprP::Identifier(name) => out.push_str(&name.node.ident),
        ExprP::Lambda(lambda) => {
            out.push_str("lambda");
            parameters(&lambda.params, out)?;
            expression(&lambda.body, out)?;
        }
        ExprP::Literal(literal) => match literal {
            AstLiteral::Int(int) => {
                let text = int.node.to_string();
                let value = text.parse().unwrap_or(i128::MAX);
                let _ = write!(out, "{value}");
            }
            AstLiteral::Float(float) => {
                let _ = write!(out, "{:?}", float.node);
            }
            AstLiteral::String(text) => {
                let _ = write!(out, "{:?}", text.node);
            }
            AstLiteral::Bytes(_) => return Err(Unsupported("bytes")),
            AstLiteral::Ellipsis => return Err(Unsupported("ellipsis")),
        },
        ExprP::Not(inner) => unary("Not", inner, out)?,
        ExprP::Minus(inner) => unary("Minus", inner, out)?,
        ExprP::Plus(inner) => unary("Plus", inner, out)?,
        ExprP::BitNot(inner) => unary("BitNot", inner, out)?,
        ExprP::Op(left, op, right) => {
            let op: &BinOp = op;
            let _ = write!(out, "{op:?}(");
            expression(left, out)?;
            out.push(',');
            expression(right, out)?;
            out.push(')');
        }
        ExprP::If(parts) => {
            out.push_str("If(");
            expression(&parts.0, out)?;
            out.push(',');
            expression(&parts.1, out)?;
            out.push(',');
            expression(&parts.2, out)?;
            out.push(')');
        }
        ExprP::ListComprehension(body, first, rest) => {
            out.push_str("comprehension(");
            expression(body, out)?;
            clauses(first, rest, out)?;
            out.push(')');
        }
        ExprP::DictComprehension(body, first, rest) => {
            out.push_str("comprehension(");
            expression(&body.0, out)?;
            out.push(':');
            expression(&body.1, out)?;
            clauses(first, rest, out)?;
            out.push(')');
        }
        ExprP::FString(_) => return Err(Unsupported("f-string")),
    }
    at(it.span, out);
    Ok(())
}

fn unary(name: &str, inner: &AstExpr, out: &mut String) -> Written {
    let _ = write!(out, "{name}(");
    expression(inner, out)?;
    out.push(')');
    Ok(())
}
