//! Small layouts for people.

/// Sets rows in columns, two spaces apart; the last column runs free.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Makes a row of a table.
pub(crate) fn row<const N: usize>(cells: [&dyn std::fmt::Display; N]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

/// Counts things: `1 message`, `2 messages`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    match thing.strip_suffix('y') {
        _ if number == 1 => format!("1 {thing}"),
        Some(stem) if !thing.ends_with("ay") && !thing.ends_with("ey") => format!("{number} {stem}ies"),
        _ if thing.ends_with("ch") => format!("{number} {thing}es"),
        _ => format!("{number} {thing}s"),
    }
}

/// Shows what may be absent.
pub(crate) fn or_dash<T: ToString>(value: Option<&T>) -> String {
    value.map_or_else(|| "-".to_owned(), T::to_string)
}

/// Lists things in a line.
pub(crate) fn list<T: ToString>(values: &[T]) -> String {
    if values.is_empty() { "-".to_owned() } else { values.iter().map(T::to_string).collect::<Vec<_>>().join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [row([&"NAME", &"ROLE", &"SEEN"]), row([&"bö", &"builder", &"-"])];
        assert_eq!(table(&rows), "NAME  ROLE     SEEN\nbö    builder  -");
        assert_eq!(table(&[]), "");
    }
}
