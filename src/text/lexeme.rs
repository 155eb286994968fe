//! A text cut into words, digit runs, single Han characters and marks, for the readers beside this file.
//!
//! Offsets always count in the text as given: nothing here folds, drops or replaces a byte of it.

use std::collections::BTreeMap;

use crate::text::glyphs::letter::is_han;
use crate::text::span::Span;

/// What a lexeme is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexKind {
    /// White space without a line break, also the spaces that HTML knows beside U+0020.
    Space,
    /// White space with one line break: a soft wrap or the next line.
    Break,
    /// White space with a blank line: the next block.
    Gap,
    /// Letters other than Han, with apostrophes inside (`doesn’t`).
    Word,
    /// ASCII or full-width digits.
    Digits,
    /// One Han character.
    Han,
    /// One character of any other sort.
    Mark,
}

/// One piece of a text.
#[derive(Clone, Copy, Debug)]
pub struct Lexeme {
    /// What it is made of.
    pub kind: LexKind,
    /// Where it stands.
    pub span: Span,
    /// Its first character, folded: ASCII for full width, lower case, the traditional form.
    pub head: char,
    is_ascii: bool,
}

/// A text and its lexemes, which cover it without gaps.
#[derive(Clone, Debug)]
pub struct Lexemes<'t> {
    text: &'t str,
    list: Vec<Lexeme>,
}

impl<'t> Lexemes<'t> {
    /// Cuts `text` up in one pass.
    pub fn new(text: &'t str) -> Self {
        let mut list = Vec::with_capacity(text.len() / 4);
        let mut chars = text.char_indices().peekable();
        while let Some((start, first)) = chars.next() {
            let kind = sort_of(first);
            let mut end = start + first.len_utf8();
            let mut breaks = usize::from(first == '\n');
            while let Some(&(at, next)) = chars.peek() {
                let goes_on = match kind {
                    LexKind::Space => sort_of(next) == LexKind::Space,
                    LexKind::Digits => sort_of(next) == LexKind::Digits,
                    LexKind::Word => {
                        sort_of(next) == LexKind::Word
                            || is_apostrophe(next)
                                && text[at + next.len_utf8()..]
                                    .starts_with(|it| sort_of(it) == LexKind::Word)
                    }
                    _ => false,
                };
                if !goes_on {
                    break;
                }
                breaks += usize::from(next == '\n');
                end = at + next.len_utf8();
                chars.next();
            }
            let kind = match (kind, breaks) {
                (LexKind::Space, 1) => LexKind::Break,
                (LexKind::Space, 2..) => LexKind::Gap,
                _ => kind,
            };
            let is_ascii = text[start..end].is_ascii();
            list.push(Lexeme { kind, span: Span::new(start, end), head: fold(first), is_ascii });
        }
        Self { text, list }
    }

    /// The text as given.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Number of lexemes.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True for the empty text.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The lexeme at `at`.
    pub fn get(&self, at: usize) -> Option<&Lexeme> {
        self.list.get(at)
    }

    /// Kind of the lexeme at `at`; a gap beyond the ends.
    pub fn kind(&self, at: usize) -> LexKind {
        self.get(at).map_or(LexKind::Gap, |it| it.kind)
    }

    /// Folded first character of the lexeme at `at`; NUL beyond the ends.
    pub fn head(&self, at: usize) -> char {
        self.get(at).map_or('\0', |it| it.head)
    }

    /// Bytes of the lexeme at `at`; nothing beyond the ends.
    pub fn slice(&self, at: usize) -> &'t str {
        self.get(at).and_then(|it| it.span.slice(self.text)).unwrap_or_default()
    }

    /// Byte range of the lexemes `from..to`.
    pub fn span(&self, from: usize, to: usize) -> Span {
        let start = self.get(from).map_or(self.text.len(), |it| it.span.start);
        let end = to.checked_sub(1).and_then(|it| self.get(it)).map_or(start, |it| it.span.end);
        Span::new(start, end)
    }

    /// Index of the first lexeme that ends after byte `byte`.
    pub fn index_at(&self, byte: usize) -> usize {
        self.list.partition_point(|it| it.span.end <= byte)
    }

    /// Digits at `at`, in ASCII; nothing for other lexemes.
    pub fn digits(&self, at: usize) -> Option<String> {
        (self.kind(at) == LexKind::Digits).then(|| self.slice(at).chars().map(fold).collect())
    }

    /// `at`, or the next lexeme where `at` is white space inside a block.
    pub fn solid(&self, at: usize) -> usize {
        at + usize::from(matches!(self.kind(at), LexKind::Space | LexKind::Break))
    }

    /// Index of the last lexeme before `at` that is not white space inside a block.
    pub fn solid_before(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        match self.kind(before) {
            LexKind::Space | LexKind::Break => before.checked_sub(1),
            _ => Some(before),
        }
    }

    /// Folded head of the lexeme before `at`, white space skipped; NUL at the start.
    pub fn head_before(&self, at: usize) -> char {
        self.solid_before(at).map_or('\0', |it| self.head(it))
    }

    fn word(&self, at: usize) -> Option<Word<'t>> {
        let lexeme = self.get(at).filter(|it| it.kind == LexKind::Word)?;
        Some(Word { text: lexeme.span.slice(self.text)?, is_ascii: lexeme.is_ascii })
    }

    /// True where the lexeme at `at` is this word, whatever its case.
    pub fn is_word(&self, at: usize, word: &str) -> bool {
        self.word(at).is_some_and(|it| it.is(word))
    }

    /// True where the lexeme at `at` is one of these words.
    pub fn is_word_of(&self, at: usize, words: &[&str]) -> bool {
        self.word(at).is_some_and(|here| words.iter().any(|it| here.is(it)))
    }

    /// Index after `phrase`, where it stands at `at`: words with spaces or hyphens between them,
    /// Han characters one by one. `~` at the end of a word stands for an optional plural `s`.
    pub fn phrase_at(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut at = at;
        let mut first = true;
        for piece in phrase.split(' ') {
            if !first {
                at = self.solid(at);
                if is_hyphen(self.head(at)) && self.kind(at) == LexKind::Mark {
                    at = self.solid(at + 1);
                }
            }
            at = self.piece_at(at, piece)?;
            first = false;
        }
        Some(at)
    }

    fn piece_at(&self, at: usize, piece: &str) -> Option<usize> {
        if let Some(here) = self.word(at) {
            let fits = match piece.strip_suffix('~') {
                Some(stem) => here.is(stem) || here.is_plural_of(stem),
                None => here.is(piece),
            };
            return fits.then_some(at + 1);
        }
        let mut at = at;
        for (nth, wanted) in piece.chars().enumerate() {
            if nth > 0 && sort_of(wanted) == LexKind::Han {
                at = self.solid(at);
            }
            let fits =
                matches!(self.kind(at), LexKind::Han | LexKind::Mark) && self.head(at) == wanted;
            if !fits {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// Index of the first lexeme of `phrase`, where it ends right before `at`. For Han only.
    pub fn han_before(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut at = at;
        for wanted in phrase.chars().rev() {
            let before = self.solid_before(at)?;
            if self.head(before) != wanted {
                return None;
            }
            at = before;
        }
        Some(at)
    }
}

/// Phrases and what they mean.
type Bucket<T> = Vec<(&'static str, T)>;

/// Phrases of both languages, found by their first word or their first Han character.
#[derive(Debug)]
pub struct PhraseTable<T> {
    by_word: Vec<(String, Bucket<T>)>,
    by_char: Vec<(char, Bucket<T>)>,
}

impl<T: Clone> PhraseTable<T> {
    /// Files the phrases; of those that fit at one place the longest is found.
    pub fn new(phrases: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let mut by_word: BTreeMap<String, Bucket<T>> = BTreeMap::new();
        let mut by_char: BTreeMap<char, Bucket<T>> = BTreeMap::new();
        for (phrase, meaning) in phrases {
            let opening = phrase.split(' ').next().unwrap_or_default();
            let Some(head) = opening.chars().next() else { continue };
            if sort_of(head) != LexKind::Word {
                by_char.entry(head).or_default().push((phrase, meaning));
                continue;
            }
            let of_word = |it: &char| sort_of(*it) == LexKind::Word || *it == '\'';
            let stem: String = opening.chars().take_while(of_word).collect();
            if opening.ends_with('~') {
                by_word.entry(format!("{stem}s")).or_default().push((phrase, meaning.clone()));
            }
            by_word.entry(stem).or_default().push((phrase, meaning));
        }
        Self { by_word: by_word.into_iter().collect(), by_char: by_char.into_iter().collect() }
    }

    /// The longest phrase that stands at `at`: the index after it and its meaning.
    pub fn longest_at(&self, lexemes: &Lexemes<'_>, at: usize) -> Option<(usize, T)> {
        self.bucket(lexemes, at)?
            .iter()
            .filter_map(|(phrase, it)| lexemes.phrase_at(at, phrase).map(|end| (end, it)))
            .max_by_key(|(end, _)| *end)
            .map(|(end, it)| (end, it.clone()))
    }

    /// True where one of the phrases stands at `at`.
    pub fn stands_at(&self, lexemes: &Lexemes<'_>, at: usize) -> bool {
        let any =
            |it: &Bucket<T>| it.iter().any(|(phrase, _)| lexemes.phrase_at(at, phrase).is_some());
        self.bucket(lexemes, at).is_some_and(any)
    }

    fn bucket(&self, lexemes: &Lexemes<'_>, at: usize) -> Option<&Bucket<T>> {
        match lexemes.kind(at) {
            LexKind::Word => {
                let here = lexemes.slice(at);
                let order =
                    |(word, _): &(String, Bucket<T>)| word.chars().cmp(here.chars().map(fold));
                let found = self.by_word.binary_search_by(order).ok()?;
                self.by_word.get(found).map(|(_, it)| it)
            }
            LexKind::Han | LexKind::Mark => {
                let head = lexemes.head(at);
                let found = self.by_char.binary_search_by_key(&head, |(it, _)| *it).ok()?;
                self.by_char.get(found).map(|(_, it)| it)
            }
            _ => None,
        }
    }
}

/// True for hyphens and dashes, also full width.
pub fn is_hyphen(it: char) -> bool {
    matches!(it, '-' | '\u{2010}'..='\u{2015}' | '−' | '﹣')
}

fn is_apostrophe(it: char) -> bool {
    matches!(it, '\'' | '’' | '＇')
}

fn sort_of(it: char) -> LexKind {
    match it {
        '0'..='9' | '０'..='９' => LexKind::Digits,
        'a'..='z' | 'A'..='Z' => LexKind::Word,
        _ if it.is_ascii() && !it.is_ascii_whitespace() => LexKind::Mark,
        _ if it.is_whitespace() => LexKind::Space,
        _ if is_han(it) => LexKind::Han,
        _ if it.is_alphabetic() && !('①'..='㏿').contains(&it) => LexKind::Word,
        _ => LexKind::Mark,
    }
}

/// A word of a text, for comparing with the words of a table.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    is_ascii: bool,
}

impl Word<'_> {
    fn is(self, wanted: &str) -> bool {
        if self.is_ascii {
            return self.text.eq_ignore_ascii_case(wanted);
        }
        self.text.chars().map(fold).eq(wanted.chars())
    }

    fn is_plural_of(self, stem: &str) -> bool {
        if self.is_ascii {
            let (body, tail) = self.text.split_at(self.text.len().saturating_sub(1));
            return tail.eq_ignore_ascii_case("s") && body.eq_ignore_ascii_case(stem);
        }
        self.text.chars().map(fold).eq(stem.chars().chain(['s']))
    }
}

/// One character in the form that tables are written in: ASCII for full width, lower case for
/// ASCII letters, a straight apostrophe, the traditional form of the Han characters that the
/// tables use.
pub fn fold(it: char) -> char {
    match it {
        'A'..='Z' => it.to_ascii_lowercase(),
        '！'..='～' => {
            char::from_u32(u32::from(it) - 0xFEE0).map_or(it, |it| it.to_ascii_lowercase())
        }
        '’' => '\'',
        '﹪' => '%',
        _ if it.is_ascii() => it,
        _ => traditional(it),
    }
}

/// Simplified forms, and variants of one form, of the characters that the tables are written in.
fn traditional(it: char) -> char {
    match it {
        '万' => '萬',
        '亿' => '億',
        '两' => '兩',
        '贰' | '貮' | '弍' | '弐' => '貳',
        '叁' | '叄' | '参' => '參',
        '陆' => '陸',
        '壱' => '壹',
        '○' | '◯' => '〇',
        '点' => '點',
        '岁' | '歳' => '歲',
        '个' | '箇' => '個',
        '过' => '過',
        '达' => '達',
        '满' => '滿',
        '内' => '內',
        '后' => '後',
        '于' => '於',
        '为' | '爲' => '為',
        '间' => '間',
        '数' => '數',
        '额' => '額',
        '级' => '級',
        '钟' | '鍾' => '鐘',
        '时' => '時',
        '周' => '週',
        '台' => '臺',
        '币' => '幣',
        '圆' => '圓',
        '块' => '塊',
        '员' => '員',
        '户' | '戸' => '戶',
        '号' => '號',
        '条' => '條',
        '项' => '項',
        '节' => '節',
        '编' => '編',
        '页' => '頁',
        '业' => '業',
        '总' => '總',
        '毎' => '每',
        '华' => '華',
        '国' => '國',
        '纪' => '紀',
        '余' => '餘',
        '负' => '負',
        '别' => '別',
        '减' => '減',
        '种' => '種',
        '类' => '類',
        '厘' => '釐',
        '双' => '雙',
        '辆' => '輛',
        '层' => '層',
        '楼' => '樓',
        '亩' => '畝',
        '顷' => '頃',
        '顿' => '頓',
        '吨' => '噸',
        '学' => '學',
        '门' => '門',
        '张' => '張',
        '届' => '屆',
        '侨' => '僑',
        '发' => '發',
        '确' => '確',
        '约' => '約',
        '专' => '專',
        '单' => '單',
        '统' => '統',
        '队' => '隊',
        '欧' => '歐',
        '镑' => '鎊',
        '课' => '課',
        '场' => '場',
        '处' => '處',
        '颗' => '顆',
        '实' => '實',
        '将' => '將',
        '动' => '動',
        '资' => '資',
        '计' => '計',
        '领' => '領',
        '从' => '從',
        '无' => '無',
        '应' => '應',
        '电' => '電',
        '话' => '話',
        '拨' => '撥',
        '线' => '線',
        '则' => '則',
        '规' => '規',
        '对' => '對',
        '农' => '農',
        '历' => '曆',
        '启' => '啟',
        '标' => '標',
        '准' => '準',
        '礼' => '禮',
        '几' => '幾',
        '么' => '麼',
        '阶' => '階',
        '岛' => '島',
        _ => it,
    }
}
