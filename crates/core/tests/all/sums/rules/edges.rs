//! Games on graphs: Hackenbush, Col and Snort, a counter on a graph, and Node and Arc Kayles.

use super::super::random::Random;
use super::{LEFT, Options, Rules, Term, call, commas, with};

/// A Hackenbush picture. A position lists the indices of the remaining edges.
pub(crate) struct Hackenbush {
    /// The two ends of each edge and its colour: `g`, `b` or `r`.
    pub(crate) edges: Vec<(i64, i64, char)>,
    pub(crate) ground: Vec<i64>,
}

impl Hackenbush {
    /// Returns the edges that are connected to the ground.
    fn standing(&self, part: &[i64]) -> Vec<i64> {
        let mut reached = self.ground.clone();
        loop {
            let before = reached.len();
            for &index in part {
                let (a, b, _) = self.edges[index as usize];
                for (from, to) in [(a, b), (b, a)] {
                    if reached.contains(&from) && !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            if reached.len() == before {
                let stands = |index: &i64| reached.contains(&self.edges[*index as usize].0);
                return part.iter().copied().filter(stands).collect();
            }
        }
    }

    fn text(&self, part: &[i64], ground: &[i64]) -> String {
        let edge = |&index: &i64| match self.edges[index as usize] {
            (a, b, 'g') => format!("{a}-{b}"),
            (a, b, colour) => format!("{a}-{b}:{colour}"),
        };
        let edges: Vec<String> = part.iter().map(edge).collect();
        let ground = match ground {
            [] | [0] => String::new(),
            [vertex] => format!(", ground={vertex}"),
            _ => format!(", ground=[{}]", commas(ground)),
        };
        format!("hackenbush(\"{}\"{ground})", edges.join(" "))
    }
}

impl Rules for Hackenbush {
    fn options(&self, part: &[i64], player: usize) -> Options {
        let standing = self.standing(part);
        let own = if player == LEFT { 'b' } else { 'r' };
        let may = |index: &i64| ['g', own].contains(&self.edges[*index as usize].2);
        let cut = |cut: i64| {
            let left: Vec<i64> = standing.iter().copied().filter(|&e| e != cut).collect();
            (vec![cut], self.standing(&left))
        };
        standing.iter().copied().filter(may).map(cut).collect()
    }

    /// Writes the picture without unsupported edges and without unused ground vertices.
    fn write(&self, part: &[i64], _: Option<usize>) -> String {
        let standing = self.standing(part);
        let touched = |vertex: &i64| {
            let mut edges = standing.iter().map(|&e| self.edges[e as usize]);
            edges.any(|(a, b, _)| [a, b].contains(vertex))
        };
        let ground: Vec<i64> = self.ground.iter().copied().filter(touched).collect();
        self.text(&standing, &ground)
    }

    fn source(&self, part: &[i64], _: Option<usize>) -> String {
        self.text(part, &self.ground)
    }

    fn is_partizan(&self) -> bool {
        let all: Vec<i64> = (0..self.edges.len() as i64).collect();
        let standing = self.standing(&all);
        // A picture is partizan only if a coloured edge is supported.
        standing.iter().any(|&e| self.edges[e as usize].2 != 'g')
    }
}

fn picture(random: &mut Random, size: i64, colours: &[char]) -> Term {
    let vertices = 1 + size;
    let mut edges = Vec::new();
    for _ in 0..random.between(size / 2, 3 + size) {
        let ends = (random.between(0, vertices), random.between(0, vertices));
        edges.push((ends.0, ends.1, *random.pick(colours)));
    }
    let ground = match random.below(4) {
        0 => random.subset(0, vertices, 2),
        _ => vec![0],
    };
    // A ground other than 0 tests that the vertex is not hard-coded.
    let ground = if ground.is_empty() { vec![1] } else { ground };
    let all = (0..edges.len() as i64).collect();
    Term::new(Hackenbush { edges, ground }, all)
}

pub(crate) fn green_hackenbush(random: &mut Random, size: i64) -> Term {
    picture(random, size, &['g'])
}

pub(crate) fn coloured_hackenbush(random: &mut Random, size: i64) -> Term {
    let colours: &[char] = if random.below(2) == 0 {
        &['g', 'b', 'r']
    } else {
        &['b', 'r']
    };
    picture(random, size, colours)
}

/// Col or Snort. A position lists the colour of every vertex: 0 for Left, 1 for Right, 2 for none.
pub(crate) struct Colouring {
    pub(crate) snort: bool,
    pub(crate) edges: Vec<(i64, i64)>,
}

impl Colouring {
    pub(crate) fn legal(&self, colours: &[i64]) -> bool {
        self.edges.iter().all(|&(a, b)| {
            let (a, b) = (colours[a as usize], colours[b as usize]);
            a == 2 || b == 2 || (a == b) == self.snort
        })
    }
}

impl Rules for Colouring {
    fn options(&self, colours: &[i64], player: usize) -> Options {
        (0..colours.len())
            .filter(|&vertex| colours[vertex] == 2)
            .map(|vertex| (vec![vertex as i64], with(colours, vertex, player as i64)))
            .filter(|(_, to)| self.legal(to))
            .collect()
    }

    fn write(&self, colours: &[i64], _: Option<usize>) -> String {
        let edges: Vec<String> = self.edges.iter().map(|(a, b)| format!("{a}-{b}")).collect();
        let letter = |&colour: &i64| ['L', 'R', '.'][colour as usize];
        let letters: String = colours.iter().map(letter).collect();
        let items = [edges.join(" "), letters].map(|item| format!("\"{item}\""));
        call(if self.snort { "snort" } else { "col" }, items)
    }

    fn is_partizan(&self) -> bool {
        true
    }
}

fn colouring(random: &mut Random, size: i64, snort: bool) -> Term {
    let vertices = random.between(size / 2, 1 + size);
    let pairs = (0..vertices).flat_map(|b| (0..b).map(move |a| (a, b)));
    let edges = pairs.filter(|_| random.below(2) == 0).collect();
    let rules = Colouring { snort, edges };
    let mut colours = vec![2; vertices as usize];
    for vertex in 0..colours.len() {
        let taken = with(&colours, vertex, random.between(0, 1));
        if random.below(5) == 0 && rules.legal(&taken) {
            colours = taken;
        }
    }
    Term::new(rules, colours)
}

pub(crate) fn col(random: &mut Random, size: i64) -> Term {
    colouring(random, size, false)
}

pub(crate) fn snort(random: &mut Random, size: i64) -> Term {
    colouring(random, size, true)
}

/// A counter on a graph. A position is the vertex on which the counter stands.
struct Graph {
    /// The targets of each vertex.
    targets: Vec<Vec<i64>>,
    /// `true` if vertices are named by letters instead of numbers.
    letters: bool,
}

impl Graph {
    fn name(&self, vertex: i64) -> String {
        if self.letters {
            format!("\"{}\"", char::from(b'a' + vertex as u8))
        } else {
            vertex.to_string()
        }
    }
}

impl Rules for Graph {
    fn options(&self, part: &[i64], _: usize) -> Options {
        let targets = &self.targets[part[0] as usize];
        (0..)
            .zip(targets)
            .map(|(index, &to)| (vec![index], vec![to]))
            .collect()
    }

    fn write(&self, part: &[i64], _: Option<usize>) -> String {
        let row = |(vertex, targets): (i64, &Vec<i64>)| {
            let targets = commas(targets.iter().map(|&to| self.name(to)));
            format!("{}: [{targets}]", self.name(vertex))
        };
        let rows = commas((0..).zip(&self.targets).map(row));
        format!("graph({{{rows}}}, {})", self.name(part[0]))
    }
}

fn network(random: &mut Random, size: i64, cycles: bool) -> Term {
    let vertices = 2 + size;
    let mut targets = Vec::new();
    for vertex in 0..vertices {
        // Some vertices have no options, since otherwise every game would be a draw.
        let ends = vertex > 0 && random.below(3) == 0;
        let count = if ends { 0 } else { 3 };
        let least = if cycles { 0 } else { vertex + 1 };
        let most = vertices - 1;
        let mut row = Vec::new();
        if least <= most {
            let length = random.between(0, count);
            row.extend((0..length).map(|_| random.between(least, most)));
        }
        // Sometimes a second edge to the same vertex.
        if random.below(3) == 0 {
            row.extend(row.first().copied());
        }
        targets.push(row);
    }
    let letters = random.below(2) == 0;
    Term::new(Graph { targets, letters }, vec![0])
}

pub(crate) fn graph_without_cycles(random: &mut Random, size: i64) -> Term {
    network(random, size, false)
}

pub(crate) fn graph(random: &mut Random, size: i64) -> Term {
    network(random, size, true)
}

/// Node Kayles on a graph with vertices numbered from 0. A position lists the remaining vertices.
struct Nodes {
    edges: Vec<(i64, i64)>,
}

impl Rules for Nodes {
    /// Returns one move for each set of vertices that can remain.
    fn options(&self, vertices: &[i64], _: usize) -> Options {
        let near = |a: i64, b: i64| self.edges.contains(&(a.min(b), a.max(b)));
        let mut options = Options::new();
        for &taken in vertices {
            let left: Vec<i64> = vertices
                .iter()
                .copied()
                .filter(|&other| other != taken && !near(taken, other))
                .collect();
            if options.iter().all(|(_, known)| *known != left) {
                options.push((vec![taken], left));
            }
        }
        options
    }

    fn write(&self, vertices: &[i64], _: Option<usize>) -> String {
        let mut words = Vec::new();
        for &a in vertices {
            let there = |&(x, y): &(i64, i64)| {
                vertices.contains(&x) && vertices.contains(&y) && (x == a || y == a)
            };
            if !self.edges.iter().any(there) {
                words.push(a.to_string());
            }
            let mut later: Vec<i64> = self
                .edges
                .iter()
                .filter(|edge| there(edge) && edge.0 == a)
                .map(|edge| edge.1)
                .collect();
            later.sort_unstable();
            words.extend(later.iter().map(|b| format!("{a}-{b}")));
        }
        call("node_kayles", [format!("\"{}\"", words.join(" "))])
    }
}

pub(crate) fn node_kayles(random: &mut Random, size: i64) -> Term {
    let vertices = random.between(0, 2 + size);
    let pairs = (0..vertices).flat_map(|b| (0..b).map(move |a| (a, b)));
    let edges = pairs.filter(|_| random.below(2) == 0).collect();
    Term::new(Nodes { edges }, (0..vertices).collect())
}

/// Geography on a graph. A position lists the vertex of the token and the visited vertices.
struct Walk {
    /// The edges, or the arcs of a directed graph, in ascending order.
    edges: Vec<(i64, i64)>,
    directed: bool,
}

impl Rules for Walk {
    fn options(&self, part: &[i64], _: usize) -> Options {
        let token = part[0];
        let mut targets: Vec<i64> = self
            .edges
            .iter()
            .filter_map(|&(a, b)| match token {
                _ if a == token => Some(b),
                _ if b == token && !self.directed => Some(a),
                _ => None,
            })
            .filter(|target| !part.contains(target))
            .collect();
        targets.sort_unstable();
        let option = |target: i64| (vec![target], [&[target], part].concat());
        targets.into_iter().map(option).collect()
    }

    fn write(&self, part: &[i64], _: Option<usize>) -> String {
        let (token, visited) = (part[0], &part[1..]);
        let left = |(a, b): &&(i64, i64)| !visited.contains(a) && !visited.contains(b);
        let edges: Vec<_> = self.edges.iter().filter(left).collect();
        let mut words: Vec<String> = edges.iter().map(|(a, b)| format!("{a}-{b}")).collect();
        if edges.iter().all(|(a, b)| *a != token && *b != token) {
            words.push(token.to_string());
        }
        let mut arguments = vec![format!("\"{}\"", words.join(" ")), token.to_string()];
        arguments.extend(self.directed.then(|| "directed=True".to_owned()));
        call("geography", arguments)
    }
}

pub(crate) fn geography(random: &mut Random, size: i64) -> Term {
    let vertices = random.between(1, 3 + size);
    let directed = random.below(3) == 0;
    let pairs = (0..vertices).flat_map(|a| (0..vertices).map(move |b| (a, b)));
    let edges = pairs
        .filter(|(a, b)| if directed { a != b } else { a < b })
        .filter(|_| random.below(2) == 0)
        .collect();
    Term::new(
        Walk { edges, directed },
        vec![random.between(0, vertices - 1)],
    )
}

/// Arc Kayles on a graph. A position lists the indices of the remaining edges in the order of the
/// notation.
pub(crate) struct Arcs {
    pub(crate) edges: Vec<(i64, i64)>,
}

impl Rules for Arcs {
    fn options(&self, part: &[i64], _: usize) -> Options {
        let touches = |x: i64, y: i64| {
            let ((a, b), (c, d)) = (self.edges[x as usize], self.edges[y as usize]);
            [a, b].contains(&c) || [a, b].contains(&d)
        };
        let mut options = Options::new();
        for (place, &taken) in (0..).zip(part) {
            // Moves that leave the same edges are one move, named by the first of them.
            let left: Vec<i64> = part
                .iter()
                .copied()
                .filter(|&other| !touches(taken, other))
                .collect();
            if options.iter().all(|(_, known)| *known != left) {
                options.push((vec![place], left));
            }
        }
        options
    }

    fn write(&self, part: &[i64], _: Option<usize>) -> String {
        let edge = |&index: &i64| {
            let (a, b) = self.edges[index as usize];
            format!("{a}-{b}")
        };
        let words: Vec<String> = part.iter().map(edge).collect();
        call("arc_kayles", [format!("\"{}\"", words.join(" "))])
    }
}

pub(crate) fn arc_kayles(random: &mut Random, size: i64) -> Term {
    let vertices = random.between(1, 3 + size / 2);
    let count = random.between(0, 2 + size);
    let end = |random: &mut Random| random.between(0, vertices);
    let edges = (0..count).map(|_| (end(random), end(random))).collect();
    Term::new(Arcs { edges }, (0..count).collect())
}
