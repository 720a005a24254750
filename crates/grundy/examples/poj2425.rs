//! POJ 2425, A Chess Game: until end of input N, then N lines `x s1 .. sx` with the successors of vertices
//! 0..N-1; then queries `m p1 .. pm`, closed by 0: pieces on these vertices, whoever cannot move loses.

mod input;

use grundy::graph::Digraph;

fn main() {
    let mut numbers = input::numbers();
    while let Some(count) = numbers.next() {
        let mut graph = Digraph::default();
        for _ in 0..count {
            let successors = numbers.next().unwrap_or(0);
            numbers
                .by_ref()
                .take(successors as usize)
                .for_each(|v| graph.push_edge(v as u32));
            graph.end_vertex();
        }
        let values = graph
            .grundy_values()
            .expect("the graphs of this problem have no cycles");
        while let Some(pieces) = numbers.next().filter(|&pieces| pieces > 0) {
            let sum = numbers
                .by_ref()
                .take(pieces as usize)
                .filter_map(|v| values.get(v as u32))
                .fold(0, |sum, value| sum ^ value);
            println!("{}", if sum == 0 { "LOSE" } else { "WIN" });
        }
    }
}
