//! One-to-one matching of labels and rows: as many pairs as possible, the best-agreeing ones.
//!
//! Never pairs what no edge joins. The same edges give the same pairs.

use std::collections::BTreeMap;

/// A possible pair and how good it is; weights are positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub label: usize,
    pub row: usize,
    pub weight: i64,
}

/// The pairs of greatest total weight, sorted by label.
pub fn best_pairs(edges: &[Edge]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for component in components(edges) {
        pairs.extend(best_of_component(&component));
    }
    pairs.sort_unstable();
    pairs
}

/// Edges that hang together through a label or a row.
fn components(edges: &[Edge]) -> Vec<Vec<Edge>> {
    let mut parent: Vec<usize> = (0..edges.len()).collect();
    let mut by_label = BTreeMap::new();
    let mut by_row = BTreeMap::new();
    for (at, edge) in edges.iter().enumerate() {
        let mates = [by_label.insert(edge.label, at), by_row.insert(edge.row, at)];
        for mate in mates.into_iter().flatten() {
            let (a, b) = (root(&mut parent, at), root(&mut parent, mate));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
    for (at, edge) in edges.iter().enumerate() {
        groups.entry(root(&mut parent, at)).or_default().push(*edge);
    }
    groups.into_values().collect()
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

fn best_of_component(edges: &[Edge]) -> Vec<(usize, usize)> {
    let number = |key: fn(&Edge) -> usize| -> Vec<usize> {
        let set: std::collections::BTreeSet<usize> = edges.iter().map(key).collect();
        set.into_iter().collect()
    };
    let labels = number(|it| it.label);
    let rows = number(|it| it.row);
    let size = labels.len().max(rows.len());
    let mut weights = vec![vec![0i64; size]; size];
    for edge in edges {
        let (Ok(label), Ok(row)) =
            (labels.binary_search(&edge.label), rows.binary_search(&edge.row))
        else {
            continue;
        };
        weights[label][row] = weights[label][row].max(edge.weight);
    }
    assignment(&weights)
        .into_iter()
        .enumerate()
        .filter(|&(label, row)| weights[label][row] > 0)
        .map(|(label, row)| (labels[label], rows[row]))
        .collect()
}

/// The column given to each line of a square table, of greatest total weight (Kuhn and Munkres,
/// with potentials; cubic in the size of the table).
fn assignment(weights: &[Vec<i64>]) -> Vec<usize> {
    let size = weights.len();
    let mut of_line = vec![0i64; size + 1];
    let mut of_column = vec![0i64; size + 1];
    let mut taken = vec![0usize; size + 1];
    for line in 1..=size {
        let mut back = vec![0usize; size + 1];
        let mut least = vec![i64::MAX; size + 1];
        let mut seen = vec![false; size + 1];
        let mut column = 0;
        taken[0] = line;
        loop {
            seen[column] = true;
            let current = taken[column];
            let mut step = i64::MAX;
            let mut next = 0;
            for to in 1..=size {
                if seen[to] {
                    continue;
                }
                let slack = -weights[current - 1][to - 1] - of_line[current] - of_column[to];
                if slack < least[to] {
                    least[to] = slack;
                    back[to] = column;
                }
                if least[to] < step {
                    step = least[to];
                    next = to;
                }
            }
            for to in 0..=size {
                if seen[to] {
                    of_line[taken[to]] += step;
                    of_column[to] -= step;
                } else if least[to] < i64::MAX {
                    least[to] -= step;
                }
            }
            column = next;
            if taken[column] == 0 {
                break;
            }
        }
        while column != 0 {
            taken[column] = taken[back[column]];
            column = back[column];
        }
    }
    let mut given = vec![0usize; size];
    for column in 1..=size {
        given[taken[column] - 1] = column - 1;
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(label: usize, row: usize, weight: i64) -> Edge {
        Edge { label, row, weight }
    }

    #[test]
    fn more_pairs_go_before_better_pairs_when_weights_say_so() {
        let edges = [edge(0, 0, 1005), edge(0, 1, 1001), edge(1, 0, 1002)];
        assert_eq!(best_pairs(&edges), [(0, 1), (1, 0)]);
    }

    #[test]
    fn a_row_is_given_to_one_label_only() {
        let edges = [edge(3, 7, 10), edge(4, 7, 11), edge(9, 2, 1)];
        assert_eq!(best_pairs(&edges), [(4, 7), (9, 2)]);
        assert!(best_pairs(&[]).is_empty());
    }
}
