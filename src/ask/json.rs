//! A JSON reader for text that a model wrote: it keeps what is whole and says what is not.
//!
//! It never guesses a missing value, never follows nesting without bound, and reads any input in
//! linear time. Strict JSON reads as any strict reader reads it.

/// A value as far as it could be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// The digits as written; may be longer than any machine number.
    Number(String),
    /// `NaN`, `Infinity`, `undefined`: a word where a value should stand.
    Word(String),
    Text(String),
    List(Vec<Json>),
    Object(Object),
    /// A list member that could not be read, with the reason; its neighbours could.
    Broken(String),
}

/// An object with its members in order, repeated keys included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    pub members: Vec<(String, Json)>,
    /// False where the text ended before the object did.
    pub is_finished: bool,
}

impl Object {
    /// The first member of that name.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.members.iter().find(|(it, _)| it == key).map(|(_, value)| value)
    }
}

/// Every JSON object or list found in a reply, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    pub values: Vec<Json>,
    /// True where the last value ended with the text, unfinished.
    pub is_cut: bool,
}

/// Lists no deeper than this drop an unreadable member and go on behind it: the rows of a reply
/// stand at 1, 2 or 4.
const RECOVER_DEPTH: usize = 4;
/// Deeper nesting is refused; no honest reply comes near it.
const MAX_DEPTH: usize = 48;

/// Finds the objects and lists in `raw`, whatever prose, fences or marks stand around them.
pub fn find_json(raw: &str) -> Found {
    let mut reader = Reader { text: raw, at: 0, is_cut: false };
    let mut found = Found::default();
    let mut spent = 0;
    // A failed try moves on by one byte, so tries could repeat work; the budget keeps it linear.
    let budget = raw.len().saturating_mul(64).saturating_add(1024);
    while let Some(start) = next_opening(raw, reader.at) {
        reader.at = start;
        reader.is_cut = false;
        let value = reader.value(1);
        spent += reader.at.saturating_sub(start) + 1;
        match value {
            Ok(value) => {
                found.is_cut = reader.is_cut;
                found.values.push(value);
            }
            Err(_) if budget < spent => break,
            Err(_) => reader.at = start + 1,
        }
    }
    found
}

fn next_opening(raw: &str, from: usize) -> Option<usize> {
    memchr::memchr2(b'{', b'[', raw.as_bytes().get(from..)?).map(|it| from + it)
}

enum Fault {
    /// The text ended.
    End,
    Syntax(String),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    is_cut: bool,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Json, Fault> {
        if MAX_DEPTH < depth {
            return Err(Fault::Syntax(format!("nested more than {MAX_DEPTH} deep")));
        }
        self.skip_space();
        match self.peek().ok_or(Fault::End)? {
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => Ok(Json::Text(self.string()?)),
            b'-' | b'+' | b'.' | b'0'..=b'9' => self.number(),
            it if it.is_ascii_alphabetic() => self.word(),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, Fault> {
        self.at += 1;
        let mut object = Object { members: Vec::new(), is_finished: true };
        loop {
            match self.member(depth) {
                Ok(Some(member)) => object.members.push(member),
                Ok(None) => return Ok(Json::Object(object)),
                Err(Fault::End) => {
                    self.is_cut = true;
                    object.is_finished = false;
                    return Ok(Json::Object(object));
                }
                Err(fault) => return Err(fault),
            }
            if self.is_cut {
                object.is_finished = false;
                return Ok(Json::Object(object));
            }
        }
    }

    /// The next `"key": value` with the comma behind it; `None` at the closing brace.
    fn member(&mut self, depth: usize) -> Result<Option<(String, Json)>, Fault> {
        self.skip_space();
        match self.peek().ok_or(Fault::End)? {
            b'}' => {
                self.at += 1;
                return Ok(None);
            }
            b'"' => {}
            _ => return Err(self.unexpected("a key in double quotes")),
        }
        let key = self.string()?;
        self.skip_space();
        match self.peek().ok_or(Fault::End)? {
            b':' => self.at += 1,
            _ => return Err(self.unexpected("a colon")),
        }
        let value = self.value(depth + 1)?;
        if !self.is_cut {
            self.comma_or(b'}')?;
        }
        Ok(Some((key, value)))
    }

    fn list(&mut self, depth: usize) -> Result<Json, Fault> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_space();
            let start = self.at;
            match self.peek() {
                None => {
                    self.is_cut = true;
                    return Ok(Json::List(items));
                }
                Some(b']') => {
                    self.at += 1;
                    return Ok(Json::List(items));
                }
                Some(_) => {}
            }
            let is_row = self.peek() == Some(b'{') && depth <= RECOVER_DEPTH;
            match self.item(depth) {
                Ok(item) => items.push(item),
                Err(Fault::End) => self.is_cut = true,
                Err(Fault::Syntax(reason)) if is_row => {
                    items.push(Json::Broken(reason));
                    self.skip_row(start);
                }
                Err(fault) => return Err(fault),
            }
            if self.is_cut {
                return Ok(Json::List(items));
            }
        }
    }

    fn item(&mut self, depth: usize) -> Result<Json, Fault> {
        let item = self.value(depth + 1)?;
        // Rows with a forgotten comma between them are still rows.
        self.skip_space();
        let is_next_row = matches!(item, Json::Object(_)) && self.peek() == Some(b'{');
        if !self.is_cut && self.peek().is_some() && !is_next_row {
            self.comma_or(b']')?;
        }
        Ok(item)
    }

    /// A comma is taken; the closing mark is left for the caller. A trailing comma is harmless.
    fn comma_or(&mut self, closing: u8) -> Result<(), Fault> {
        self.skip_space();
        match self.peek().ok_or(Fault::End)? {
            b',' => {
                self.at += 1;
                Ok(())
            }
            it if it == closing => Ok(()),
            _ => Err(self.unexpected("a comma or a closing bracket")),
        }
    }

    /// Moves behind the unreadable object that began at `start`: to the next `}` that a new object
    /// or the end of the list follows, seen from where reading failed.
    fn skip_row(&mut self, start: usize) {
        let bytes = self.text.as_bytes();
        let mut from = self.at.max(start + 1);
        while let Some(step) = memchr::memchr(b'}', bytes.get(from..).unwrap_or_default()) {
            let close = from + step;
            let mut next = skip_space(bytes, close + 1);
            let ends_list = bytes.get(next) == Some(&b']');
            if bytes.get(next) == Some(&b',') {
                next = skip_space(bytes, next + 1);
            }
            let opens_row = bytes.get(next) == Some(&b'{')
                && bytes.get(skip_space(bytes, next + 1)) == Some(&b'"');
            if ends_list || opens_row {
                self.at = next;
                return;
            }
            from = close + 1;
        }
        self.at = bytes.len();
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some(step) = memchr::memchr2(b'"', b'\\', rest.as_bytes()) else {
                self.at = self.text.len();
                return Err(Fault::End);
            };
            out.push_str(&rest[..step]);
            self.at += step;
            if rest.as_bytes()[step] == b'"' {
                self.at += 1;
                return Ok(out);
            }
            out.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        self.at += 1;
        let it = self.text[self.at..].chars().next().ok_or(Fault::End)?;
        self.at += it.len_utf8();
        Ok(match it {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => return self.unicode_escape(),
            other => other,
        })
    }

    fn unicode_escape(&mut self) -> Result<char, Fault> {
        let first = self.hex4()?;
        if !(0xD800..0xE000).contains(&first) {
            return char::from_u32(first).ok_or_else(|| self.unexpected("a character"));
        }
        if first < 0xDC00 && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let second = self.hex4()?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return char::from_u32(code).ok_or_else(|| self.unexpected("a character"));
            }
        }
        Err(Fault::Syntax("half of a surrogate pair".to_owned()))
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let digits = match self.text.get(self.at..self.at + 4) {
            Some(it) => it,
            None if self.text.len() < self.at + 4 => return Err(Fault::End),
            None => return Err(self.unexpected("four hexadecimal digits")),
        };
        let code = u32::from_str_radix(digits, 16)
            .map_err(|_| self.unexpected("four hexadecimal digits"))?;
        self.at += 4;
        Ok(code)
    }

    fn number(&mut self) -> Result<Json, Fault> {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest
            .iter()
            .take_while(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'+' | b'.'))
            .count();
        let raw = &self.text[self.at..self.at + len];
        if raw.trim_start_matches(['-', '+']).starts_with("Inf") {
            self.at += len;
            return Ok(Json::Word(raw.to_owned()));
        }
        if !is_number(raw) {
            return Err(self.unexpected("a number"));
        }
        self.at += len;
        if self.at == self.text.len() {
            return Err(Fault::End);
        }
        Ok(Json::Number(raw.trim_start_matches('+').to_owned()))
    }

    fn word(&mut self) -> Result<Json, Fault> {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().take_while(|it| it.is_ascii_alphanumeric()).count();
        let word = &self.text[self.at..self.at + len];
        let value = match word {
            "true" | "True" | "TRUE" => Json::Bool(true),
            "false" | "False" | "FALSE" => Json::Bool(false),
            "null" | "None" | "NULL" => Json::Null,
            "NaN" | "nan" | "Infinity" | "inf" | "undefined" => Json::Word(word.to_owned()),
            _ if len == rest.len() => return Err(Fault::End),
            _ => return Err(self.unexpected("a value")),
        };
        self.at += len;
        Ok(value)
    }

    fn unexpected(&self, expected: &str) -> Fault {
        let found: String = self.text.get(self.at..).unwrap_or_default().chars().take(12).collect();
        Fault::Syntax(format!("expected {expected}, found `{found}`"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        self.at = skip_space(self.text.as_bytes(), self.at);
    }
}

fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|it| it.is_ascii_whitespace()).count()
}

/// `-12.5e3`, also `.5` and `5.`; never a bare sign or point.
fn is_number(raw: &str) -> bool {
    let body = raw.strip_prefix(['-', '+']).unwrap_or(raw);
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, exponent.strip_prefix(['-', '+']).unwrap_or(exponent))
        }
        None => (body, "0"),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |it: &str| it.bytes().all(|b| b.is_ascii_digit());
    !(whole.is_empty() && part.is_empty())
        && is_digits(whole)
        && is_digits(part)
        && !exponent.is_empty()
        && is_digits(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(raw: &str) -> Json {
        let mut found = find_json(raw);
        assert_eq!(found.values.len(), 1, "{raw}: {found:?}");
        found.values.remove(0)
    }

    #[test]
    fn strict_json_reads_as_a_strict_reader_reads_it() {
        let raw = r#"{"a":[1,-2.5e3,true,null,"x\n\u00e9\ud83d\udccc\"\\"],"b":{}}"#;
        let Json::Object(object) = only(raw) else { panic!() };
        let Some(Json::List(items)) = object.get("a") else { panic!() };
        assert_eq!(items[1], Json::Number("-2.5e3".to_owned()));
        assert_eq!(items[4], Json::Text("x\né📌\"\\".to_owned()));
    }

    #[test]
    fn an_unreadable_row_costs_none_of_its_neighbours() {
        for bad in [
            r#"{"id":"b","snippet":"a "quoted" word"}"#,
            r#"{"id":"b","v":12 months}"#,
            r#"{"id":"b",'v':1}"#,
            r#"{"id":"b","snippet":"5" pipe"}"#,
            r#"{"id" "b"}"#,
        ] {
            let raw = format!(r#"{{"rows":[{{"id":"a"}},{bad},{{"id":"c"}}]}}"#);
            let Json::Object(object) = only(&raw) else { panic!() };
            let Some(Json::List(items)) = object.get("rows") else { panic!() };
            assert_eq!(items.len(), 3, "{bad}: {items:?}");
            assert!(matches!(items[1], Json::Broken(_)), "{bad}");
        }
    }

    #[test]
    fn a_cut_text_keeps_its_finished_members() {
        let whole = r#"{"rows":[{"id":"a","v":1},{"id":"b","v":[1,2]}]}"#;
        for end in 1..whole.len() {
            let found = find_json(&whole[..end]);
            assert!(found.is_cut, "{}", &whole[..end]);
            let Json::Object(object) = &found.values[0] else { panic!() };
            if let Some(Json::List(items)) = object.get("rows") {
                let finished = items
                    .iter()
                    .filter(|it| matches!(it, Json::Object(row) if row.is_finished))
                    .count();
                let expected = usize::from(24 < end) + usize::from(45 < end);
                assert_eq!(finished, expected, "{}", &whole[..end]);
            }
        }
        assert!(!find_json(whole).is_cut);
    }

    #[test]
    fn hostile_text_takes_linear_time_and_bounded_depth() {
        for piece in ["[", "{", "{\"", "{\"a\":", "[{", "}", "\"", "\\", "{\"a\":[", "]["] {
            let raw = piece.repeat(200_000);
            find_json(&raw);
        }
    }

    #[test]
    fn numbers_keep_their_digits() {
        for good in ["1", "-1", "1.5", "1e9", "99999999999999999999999999", ".5"] {
            assert!(is_number(good), "{good}");
        }
        for bad in ["", "-", ".", "1.2.3", "1e", "0x10", "12months", "1-2"] {
            assert!(!is_number(bad), "{bad}");
        }
    }
}
