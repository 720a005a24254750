#!/usr/bin/env python3
"""Checks the imports between the modules of every crate, and the dependencies between crates.

    python3 scripts/import_cycles.py [--edges CRATE]

Reads the sources as text. Every path that begins with `crate`, `super` or `self` is followed
through re-exports to the module that defines the name. Paths are found in `use` items and in
expressions, but not in tests and comments. Two rules are checked:

1. No cycle of imports between modules. A parent and its own children may import each other.
2. No crate depends on a crate of the same layer or of a higher one (`LAYERS`).

If a rule is broken, prints the modules of each cycle and exits with 1. The imported names are
printed, too. --edges prints the imports of one crate, one on each line.
"""

import argparse
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# From the lowest layer to the highest. A crate may depend on crates of lower layers only.
LAYERS = [
    ["base"],
    ["syntax", "forms", "misere", "heap", "graphs", "matrix", "tablebase"],
    ["engine", "tree"],
    ["games"],
    ["core"],
    ["draw", "notation", "wording"],
    ["grundy", "rules"],
    ["job"],
    ["play", "period", "tables"],
    ["analysis"],
    ["server", "wasm"],
    ["cli"],
    # A separate workspace, on which no other crate depends.
    ["cluster"],
    ["cluster-cli"],
]


def code_only(text):
    """Return `text` without comments, strings and `#[cfg(test)]` items; line breaks stay."""
    token = re.compile(
        r'//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|\'(?:\\.[^\']*|[^\'\\])\'', re.S
    )
    text = token.sub(lambda match: "\n" * match.group().count("\n") or " ", text)
    return without_tests(text)


def without_tests(text):
    """Remove the items that follow `#[cfg(test)]`."""
    marker = "#[cfg(test)]"
    while (start := text.find(marker)) >= 0:
        depth, end = 0, start + len(marker)
        while end < len(text):
            letter = text[end]
            depth += letter == "{"
            if letter == "}":
                depth -= 1
                if depth == 0:
                    break
            if letter == ";" and depth == 0:
                break
            end += 1
        text = text[:start] + text[end + 1 :]
    return text


def expand(tree):
    """Yield the paths of a `use` tree, each as a pair of its segments and the name it binds."""
    tree = tree.strip()
    brace = tree.find("{")
    if brace < 0:
        path, _, name = tree.partition(" as ")
        segments = [part.strip().removeprefix("r#") for part in path.split("::") if part.strip()]
        if segments:
            last = segments[-1]
            if last == "self":
                segments = segments[:-1]
                last = segments[-1] if segments else last
            yield segments, (name.strip() or last)
        return
    head = [part.strip() for part in tree[:brace].split("::") if part.strip()]
    depth, item = 0, ""
    for letter in tree[brace + 1 : tree.rfind("}")] + ",":
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            for segments, name in expand(item):
                yield head + segments, name
            if item.strip() == "self":
                yield head, head[-1]
            item = ""
        else:
            item += letter


class Crate:
    """The modules of a crate, by their paths."""

    def __init__(self, folder):
        self.sources = {}
        for file in sorted((folder / "src").rglob("*.rs")):
            parts = file.relative_to(folder / "src").with_suffix("").parts
            parts = parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts
            if "tests" in parts:
                continue
            self.sources[parts] = code_only(file.read_text())
        self.exports = {path: {} for path in self.sources}
        self.globs = collections.defaultdict(list)
        self.uses = collections.defaultdict(list)
        for path, text in self.sources.items():
            for visible, tree in re.findall(r"\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", text):
                for segments, name in expand(tree):
                    self.uses[path].append(segments)
                    if segments[-1] == "*":
                        self.globs[path].append(segments[:-1])
                    else:
                        # A private import is an export to the children of the module.
                        self.exports[path][name] = (segments, bool(visible))
            body = re.sub(r"\buse\s+[^;]+;", "", text)
            for inline in re.findall(r"\b(?:crate|super|self)(?:::\w+)+", body):
                self.uses[path].append(inline.split("::"))

    def module_of(self, segments, at, seen=frozenset()):
        """Return the module that defines an item, given by its path in the module `at`.

        Return None if the item is from another crate.
        """
        if (tuple(segments), at) in seen:
            return None
        seen = seen | {(tuple(segments), at)}
        here, rest = at, list(segments)
        if not rest:
            return at
        if rest[0] == "crate":
            here, rest = (), rest[1:]
        elif rest[0] in ("super", "self"):
            while rest and rest[0] in ("super", "self"):
                here = here[:-1] if rest[0] == "super" else here
                rest = rest[1:]
        elif here + (rest[0],) not in self.sources and rest[0] not in self.exports.get(here, {}):
            return None
        while rest:
            child = here + (rest[0],)
            if child in self.sources:
                here, rest = child, rest[1:]
                continue
            if rest[0] in self.exports.get(here, {}):
                target, _ = self.exports[here][rest[0]]
                found = self.module_of(target + rest[1:], here, seen)
                if found is not None:
                    return found
                return None if target[0] not in ("crate", "self", "super") else here
            for glob in self.globs[here]:
                base = self.module_of(glob, here, seen)
                if base is not None and self.defines(base, rest[0]):
                    return self.module_of(rest, base, seen)
            break
        return here

    def defines(self, path, name):
        """Return whether the module has the name as an item, an export or a child."""
        item = rf"\b(?:struct|enum|trait|fn|type|const|static|union|mod|macro_rules!)\s+{re.escape(name)}\b"
        return name in self.exports[path] or path + (name,) in self.sources or bool(
            re.search(item, self.sources[path])
        )

    def edges(self):
        """Return the imported names by pairs of modules.

        Edges between a module and its ancestors are left out.
        """
        imports = collections.defaultdict(set)
        for path, uses in self.uses.items():
            for segments in uses:
                target = self.module_of(segments, path)
                if target is None or target not in self.sources:
                    continue
                if path[: len(target)] == target or target[: len(path)] == path:
                    continue
                imports[path, target].add(segments[-1])
        return imports


def cycles(edges):
    """Return the strongly connected components of several nodes (Tarjan), largest first."""
    after = collections.defaultdict(list)
    for start, end in edges:
        after[start].append(end)
    index, low, stack, found = {}, {}, [], []
    for root in list(after):
        if root in index:
            continue
        work = [(root, iter(after[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            node, rest = work[-1]
            for child in rest:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    work.append((child, iter(after[child])))
                    break
                if child in stack:
                    low[node] = min(low[node], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while (last := stack.pop()) != node:
                        component.append(last)
                    component.append(node)
                    if len(component) > 1:
                        found.append(sorted(component))
    return sorted(found, key=len, reverse=True)


def folders():
    """Return the folders of the crates by name."""
    main = {path.parent.name: path.parent for path in sorted((ROOT / "crates").glob("*/Cargo.toml"))}
    return main | {"cluster": ROOT / "cluster" / "workers", "cluster-cli": ROOT / "cluster"}


def layer_faults(crates):
    """Return a message for each dependency on a crate that is not in a lower layer."""
    layer = {name: number for number, names in enumerate(LAYERS) for name in names}
    faults = [f"crate {name} has no layer" for name in crates if name not in layer]
    for name, folder in crates.items():
        manifest = (folder / "Cargo.toml").read_text()
        section = manifest.split("\n[dependencies]")[1] if "\n[dependencies]" in manifest else ""
        section = section.split("\n[")[0]
        for dependency in re.findall(r"^(grundy(?:-\w+)?)\b", section, re.M):
            dependency = dependency.removeprefix("grundy-")
            if layer.get(dependency, -1) >= layer.get(name, len(LAYERS)):
                faults.append(f"crate {name} depends on {dependency}, which is not in a lower layer")
    return faults


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("--edges", metavar="CRATE", help="print the imports of one crate")
    selected = arguments.parse_args().edges
    crates = folders()
    faults = layer_faults(crates)
    crates["python"] = ROOT / "python"
    for name, folder in crates.items():
        crate = Crate(folder)
        edges = crate.edges()
        if name == selected:
            for (start, end), names in sorted(edges.items()):
                print(f"{'::'.join(start) or name} -> {'::'.join(end)}: {', '.join(sorted(names))}")
        for component in cycles(edges):
            lines = sum(crate.sources[path].count("\n") for path in component)
            faults.append(f"crate {name}: a cycle of {len(component)} modules, {lines} lines")
            for (start, end), names in sorted(edges.items()):
                if start in component and end in component:
                    faults.append(
                        f"    {'::'.join(start) or name} -> {'::'.join(end) or name}: {', '.join(sorted(names))}"
                    )
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{len(crates)} crates: no import cycle, no dependency on a higher layer")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
