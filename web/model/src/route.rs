//! Where the reader is: one value, which is also the fragment of the page's address.

use crate::protocol::{Key, List};

/// One of the views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum View {
    /// Who said what.
    #[default]
    Conversation,
    /// When.
    Timeline,
    /// Who.
    Agents,
    /// What was found.
    Reports,
    /// What is shared and handed over.
    Shared,
    /// What is wrong.
    Problems,
}

impl View {
    /// All views, in the order of their keys.
    pub const ALL: [Self; 6] =
        [Self::Conversation, Self::Timeline, Self::Agents, Self::Reports, Self::Shared, Self::Problems];

    /// Says whether messages are selected in it.
    pub const fn lists(self) -> bool {
        matches!(self, Self::Conversation | Self::Timeline)
    }

    /// Names it in addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conversation => "conversation",
            Self::Timeline => "timeline",
            Self::Agents => "agents",
            Self::Reports => "reports",
            Self::Shared => "shared",
            Self::Problems => "problems",
        }
    }

    /// Names it for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Conversation => "Conversation",
            Self::Timeline => "Timeline",
            Self::Agents => "Agents",
            Self::Reports => "Reports",
            Self::Shared => "Shared",
            Self::Problems => "Problems",
        }
    }
}

/// Where the reader is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// What tells the source from others; empty when nothing is open.
    pub source: String,
    /// The view.
    pub view: View,
    /// Whether messages are listed by time rather than in conversations.
    pub flat: bool,
    /// Whether only what the query finds is listed.
    pub only: bool,
    /// The message that is selected.
    pub selected: Option<Key>,
    /// The query.
    pub query: String,
    /// The window of the timeline, in positions on the drawn line.
    pub zoom: Option<(i64, i64)>,
}

impl Place {
    /// Gives the list that the conversation view shows.
    pub fn list(&self) -> List {
        List { threads: !self.flat, found: self.only && !self.query.trim().is_empty() }
    }

    /// Writes the fragment, without its `#`.
    pub fn to_fragment(&self) -> String {
        let mut parts = vec![format!("v={}", self.view.name())];
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                parts.push(format!("{name}={}", escaped(value)));
            }
        };
        add("src", &self.source);
        add("q", &self.query);
        add("sel", self.selected.as_deref().unwrap_or_default());
        add("zoom", &self.zoom.map(|(start, end)| format!("{start}_{end}")).unwrap_or_default());
        add("flat", if self.flat { "1" } else { "" });
        add("only", if self.only { "1" } else { "" });
        parts.join("&")
    }

    /// Reads a fragment; what it does not say, or what cannot be read, is as at the beginning.
    pub fn of_fragment(fragment: &str) -> Self {
        let mut place = Self::default();
        for (name, value) in fragment.trim_start_matches('#').split('&').filter_map(|part| part.split_once('=')) {
            let value = unescaped(value);
            match name {
                "v" => place.view = View::ALL.into_iter().find(|view| view.name() == value).unwrap_or_default(),
                "src" => place.source = value,
                "q" => place.query = value,
                "sel" => place.selected = Some(value).filter(|key| !key.is_empty()),
                "zoom" => place.zoom = zoom(&value),
                "flat" => place.flat = value == "1",
                "only" => place.only = value == "1",
                _ => {}
            }
        }
        place
    }
}

fn zoom(value: &str) -> Option<(i64, i64)> {
    let (start, end) = value.split_once('_')?;
    let window = (start.parse().ok()?, end.parse().ok()?);
    (window.0 < window.1).then_some(window)
}

/// Escapes what would end a part of a fragment, or is no part of an address.
fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' | b':' | b'@' => {
                escaped.push(byte.into());
            }
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

fn unescaped(value: &str) -> String {
    let bytes = value.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = value.get(at + 1..at + 3).and_then(|code| u8::from_str_radix(code, 16).ok());
        match (bytes[at], code) {
            (b'%', Some(byte)) => {
                plain.push(byte);
                at += 3;
            }
            (byte, _) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_survives_its_address() {
        let place = Place {
            source: "0b9c".into(),
            view: View::Timeline,
            flat: true,
            only: true,
            selected: Some("at:a b/ä.jsonl@12".into()),
            query: "from:\"a & b\" 100% #1 =".into(),
            zoom: Some((-5, 70)),
        };
        let fragment = place.to_fragment();
        assert!(fragment.bytes().all(|byte| byte.is_ascii_graphic()), "{fragment}");
        assert_eq!(Place::of_fragment(&format!("#{fragment}")), place);
        assert_eq!(Place::of_fragment(&Place::default().to_fragment()), Place::default());
    }

    #[test]
    fn what_cannot_be_read_is_as_at_the_beginning() {
        for fragment in ["", "#", "v=other&zoom=9_2", "zoom=a_b", "&&=&x", "flat=2&sel="] {
            assert_eq!(Place::of_fragment(fragment), Place::default(), "{fragment}");
        }
        assert_eq!(Place::of_fragment("q=%zz%c3%28%").query, "%zz\u{fffd}(%");
    }
}
