//! Small layouts for people.

use crate::terminal::escape_line;

/// Longest cell that is shown whole, in characters, except in the last column.
const MAX_CELL: usize = 80;
/// Longest cell of the last column that is shown whole.
const MAX_LAST_CELL: usize = 400;

/// Formats rows in columns, two spaces apart. Each row stays one line; cells longer than [`MAX_CELL`] are shortened, in
/// the last column those longer than [`MAX_LAST_CELL`].
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |column: usize, cell: &String| {
        shorten(&escape_line(cell), if column + 1 < columns { MAX_CELL } else { MAX_LAST_CELL })
    };
    let rows = rows.iter().map(|row| row.iter().enumerate().map(|(column, text)| cell(column, text)).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns.saturating_sub(1)).map(|column| width(column).unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            line += cell;
            if let Some(width) = widths.get(column) {
                line.extend(std::iter::repeat_n(' ', 2 + width - cell.chars().count()));
            }
        }
        line.truncate(line.trim_end().len());
        line
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Shortens a text to at most `width` characters; an ellipsis stands for the rest.
pub(crate) fn shorten(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
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

    #[test]
    fn long_cells_are_shortened() {
        let long = "ä".repeat(70_000);
        let shown = table(&[row([&"NAME", &"SUBJECT"]), row([&long, &long])]);
        let line = shown.lines().nth(1).unwrap();
        let (first, last) = line.split_once("  ").unwrap();
        assert_eq!((first.chars().count(), first.ends_with('…')), (80, true));
        assert_eq!((last.chars().count(), last.ends_with('…')), (400, true));
    }

    #[test]
    fn a_row_is_one_line() {
        assert_eq!(table(&[row([&"a\nb", &"c\nd"])]), r"a\u{a}b  c\u{a}d");
    }
}
