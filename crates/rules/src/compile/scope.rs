//! Names: which variable of which function a name means.

use starlark_syntax::syntax::ast::{AssignTargetP, AstAssignTarget, AstStmt, StmtP};

use crate::program::Function;

/// A loop being compiled.
#[derive(Debug)]
pub(super) struct Loop {
    /// Where it asks for the next value.
    pub(super) start: u32,
    /// Jumps to its end.
    pub(super) breaks: Vec<usize>,
}

/// A function being compiled.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) function: Function,
    /// `true` if this is the file itself, whose names are global.
    pub(super) file: bool,
    /// Variables of comprehensions, the innermost last.
    pub(super) inner: Vec<(String, u32)>,
    pub(super) loops: Vec<Loop>,
    /// The last instruction that a jump leads to: what stands before it is not joined with what
    /// follows.
    pub(super) landing: usize,
}

impl Scope {
    pub(super) fn file() -> Self {
        let mut scope = Self::function("the file", Vec::new(), 0);
        scope.file = true;
        scope
    }

    pub(super) fn function(name: &str, parameters: Vec<String>, defaults: usize) -> Self {
        Self {
            function: Function {
                name: name.to_owned(),
                locals: parameters.clone(),
                parameters,
                defaults,
                ..Function::default()
            },
            file: false,
            inner: Vec::new(),
            loops: Vec::new(),
            landing: 0,
        }
    }

    /// Returns a new variable.
    pub(super) fn variable(&mut self, name: &str) -> u32 {
        self.function.locals.push(name.to_owned());
        self.function.locals.len() as u32 - 1
    }

    /// Returns the local variable that a name means.
    pub(super) fn local(&self, name: &str) -> Option<u32> {
        let inner = self.inner.iter().rev().find(|(known, _)| known == name);
        inner.map(|(_, slot)| *slot).or_else(|| {
            // Hidden variables have no name, and those of comprehensions are not seen from outside.
            let locals = &self.function.locals;
            let found = locals.iter().position(|known| known == name);
            found.map(|slot| slot as u32)
        })
    }
}

/// Adds the names that a statement assigns to, those of inner functions left out.
pub(super) fn assigned(statement: &AstStmt, names: &mut Vec<String>) {
    let mut add = |name: &str| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    match &statement.node {
        StmtP::Assign(assign) => targets(&assign.lhs, &mut add),
        StmtP::AssignModify(target, _, _) => targets(target, &mut add),
        StmtP::Def(def) => add(&def.name.node.ident),
        StmtP::For(walk) => {
            targets(&walk.var, &mut add);
            assigned(&walk.body, names);
        }
        StmtP::If(_, then) => assigned(then, names),
        StmtP::IfElse(_, both) => {
            assigned(&both.0, names);
            assigned(&both.1, names);
        }
        StmtP::Statements(list) => list.iter().for_each(|inner| assigned(inner, names)),
        _ => {}
    }
}

/// Calls `add` for the names of an assignment's left side.
pub(super) fn targets(target: &AstAssignTarget, add: &mut impl FnMut(&str)) {
    match &target.node {
        AssignTargetP::Tuple(items) => items.iter().for_each(|item| targets(item, add)),
        AssignTargetP::Identifier(name) => add(&name.node.ident),
        AssignTargetP::Index(_) | AssignTargetP::Dot(..) => {}
    }
}
