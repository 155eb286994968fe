//! Which characters print the same thing: width, quote marks, dashes, ligatures, radicals.
//!
//! Never a digit for another digit, a letter for another letter, and never a sign: `<`, `>`, `≥`,
//! `≤`, `%`, `$`, decimal marks and superscripts stay what they are.

use crate::text::glyphs::letter::{is_han, is_invisible};

use std::sync::LazyLock;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};

/// What a character becomes when only its presentation is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// One character, often the same.
    Char(char),
    /// Several: `ﬁ`, `…`.
    Text(&'static str),
    /// White space of any kind and length.
    Space,
    /// Nothing visible: soft hyphen, zero-width characters, marks of writing direction.
    Nothing,
}

/// The folded form of one character, seen alone.
pub fn fold_glyph(it: char) -> Glyph {
    if it.is_ascii() {
        return if it.is_ascii_whitespace() || it == '\u{B}' {
            Glyph::Space
        } else {
            Glyph::Char(it)
        };
    }
    match it {
        _ if is_invisible(it) => Glyph::Nothing,
        '‘' | '’' | '‚' | '‛' | '′' | '´' | '＇' | '『' | '』' | '﹃' | '﹄' => {
            Glyph::Char('\'')
        }
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' | '＂' | '「' | '」' | '﹁' | '﹂' | '〝'
        | '〞' | '〟' | '｢' | '｣' => Glyph::Char('"'),
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹘' | '﹣' | '－' | '⸺' => {
            Glyph::Char('-')
        }
        '〜' | '∼' => Glyph::Char('~'),
        '‧' | '・' | '･' | '⋅' | '•' => Glyph::Char('·'),
        '…' | '⋯' => Glyph::Text("..."),
        '‥' => Glyph::Text(".."),
        'ﬀ' => Glyph::Text("ff"),
        'ﬁ' => Glyph::Text("fi"),
        'ﬂ' => Glyph::Text("fl"),
        'ﬃ' => Glyph::Text("ffi"),
        'ﬄ' => Glyph::Text("ffl"),
        'ﬅ' | 'ﬆ' => Glyph::Text("st"),
        '\u{FF01}'..='\u{FF5E}' => Glyph::Char(narrow(it)),
        '\u{FE50}'..='\u{FE6B}' => Glyph::Char(small_form(it)),
        '｡' => Glyph::Char('。'),
        '､' => Glyph::Char('、'),
        '￥' => Glyph::Char('¥'),
        '￡' => Glyph::Char('£'),
        '￠' => Glyph::Char('¢'),
        '￦' => Glyph::Char('₩'),
        '\u{2E80}'..='\u{2FD5}' => Glyph::Char(radical(it)),
        '\u{F900}'..='\u{FAFF}'
        | '\u{2F800}'..='\u{2FA1F}'
        | '\u{212A}'
        | '\u{212B}'
        | '\u{2126}' => Glyph::Char(canonical(it)),
        _ if it.is_whitespace() => Glyph::Space,
        _ => Glyph::Char(it),
    }
}

/// `Ａ` to `A`, `（` to `(`, `１` to `1`: the same character in half the width.
fn narrow(it: char) -> char {
    char::from_u32(u32::from(it) - 0xFEE0).unwrap_or(it)
}

fn small_form(it: char) -> char {
    const FROM: &str = "﹐﹒﹔﹕﹖﹗﹙﹚﹛﹜﹟﹠﹡﹢﹤﹥﹦﹨﹩﹪﹫﹑";
    const TO: &str = ",.;:?!(){}#&*+<>=\\$%@、";
    FROM.chars().zip(TO.chars()).find(|(from, _)| *from == it).map_or(it, |(_, to)| to)
}

/// The one character that this one is a duplicate of by canonical equivalence.
fn canonical(it: char) -> char {
    let (mut only, mut count) = (it, 0);
    decompose_canonical(it, |part| {
        only = part;
        count += 1;
    });
    if count == 1 { only } else { it }
}

/// Radical, character, pair after pair. Source: EquivalentUnifiedIdeograph of Unicode 15.0. Text
/// taken from PDF files has radicals in place of characters.
const RADICALS: &str = "\
    ⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺇𠘨⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺑𡯂⺒巳⺓幺⺔彑⺕𫜹⺖忄⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪𤴔⺫目⺬示⺭礻⺮𥫗⺯糹\
    ⺰纟⺱罓⺲罒⺳㓁⺴冗⺵𦉫⺶羊⺷𦍌⺸𦍋⺹耂⺺肀⺻聿⺼肉⺽𦥑⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻇𧢲⻈讠⻉贝⻊𧾷⻋车⻌辶⻍辶⻎辶⻏邑⻐钅⻑長⻒镸⻓长⻔门⻕𨸏⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食\
    ⻞𩙿⻟飠⻠饣⻡𩠐⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟⼀一⼁丨⼂丶⼃丿⼄乙⼅亅⼆二⼇亠⼈人⼉儿⼊入⼋八⼌冂⼍冖⼎冫⼏几⼐凵⼑刀⼒力⼓勹⼔匕⼕匚⼖匸⼗十\
    ⼘卜⼙卩⼚厂⼛厶⼜又⼝口⼞囗⼟土⼠士⼡夂⼢夊⼣夕⼤大⼥女⼦子⼧宀⼨寸⼩小⼪尢⼫尸⼬屮⼭山⼮巛⼯工⼰己⼱巾⼲干⼳幺⼴广⼵廴⼶廾⼷弋⼸弓⼹彐⼺彡⼻彳⼼心⼽戈⼾戶⼿手⽀支⽁攴⽂文⽃斗⽄斤⽅方\
    ⽆无⽇日⽈曰⽉月⽊木⽋欠⽌止⽍歹⽎殳⽏毋⽐比⽑毛⽒氏⽓气⽔水⽕火⽖爪⽗父⽘爻⽙爿⽚片⽛牙⽜牛⽝犬⽞玄⽟玉⽠瓜⽡瓦⽢甘⽣生⽤用⽥田⽦疋⽧疒⽨癶⽩白⽪皮⽫皿⽬目⽭矛⽮矢⽯石⽰示⽱禸⽲禾⽳穴\
    ⽴立⽵竹⽶米⽷糸⽸缶⽹网⽺羊⽻羽⽼老⽽而⽾耒⽿耳⾀聿⾁肉⾂臣⾃自⾄至⾅臼⾆舌⾇舛⾈舟⾉艮⾊色⾋艸⾌虍⾍虫⾎血⾏行⾐衣⾑襾⾒見⾓角⾔言⾕谷⾖豆⾗豕⾘豸⾙貝⾚赤⾛走⾜足⾝身⾞車⾟辛⾠辰⾡辵\
    ⾢邑⾣酉⾤釆⾥里⾦金⾧長⾨門⾩阜⾪隶⾫隹⾬雨⾭靑⾮非⾯面⾰革⾱韋⾲韭⾳音⾴頁⾵風⾶飛⾷食⾸首⾹香⾺馬⾻骨⾼高⾽髟⾾鬥⾿鬯⿀鬲⿁鬼⿂魚⿃鳥⿄鹵⿅鹿⿆麥⿇麻⿈黃⿉黍⿊黑⿋黹⿌黽⿍鼎⿎鼓⿏鼠\
    ⿐鼻⿑齊⿒齒⿓龍⿔龜⿕龠";

static RADICAL: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let mut from = RADICALS.chars();
    let mut pairs = Vec::new();
    while let (Some(radical), Some(character)) = (from.next(), from.next()) {
        pairs.push((radical, character));
    }
    pairs.sort_unstable();
    pairs
});

/// The character that a CJK radical stands for; itself for all others.
pub fn radical(it: char) -> char {
    RADICAL.binary_search_by_key(&it, |pair| pair.0).map_or(it, |at| RADICAL[at].1)
}

/// `e` and a combining accent as one letter, where there is one.
pub fn join_accent(base: char, mark: char) -> Option<char> {
    if mark < '\u{0300}' || canonical_combining_class(mark) == 0 {
        return None;
    }
    compose(base, mark)
}

/// True for characters that stand in East Asian lines, where white space is layout. Letters in full
/// width are parted by white space like all others.
pub fn is_east_asian(it: char) -> bool {
    is_han(it)
        || matches!(u32::from(it),
            0x3000..=0x30FF | 0x3100..=0x312F | 0xFE30..=0xFE4F | 0xFF01..=0xFF0F | 0xFF1A..=0xFF20
            | 0xFF3B..=0xFF40 | 0xFF5B..=0xFFEF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_digits_keep_their_identity() {
        for it in "0123456789<>≥≤≦≧%‰$€£¥²³½①一二十〇.,+±×÷=≠。、abcABC×°©".chars()
        {
            assert_eq!(fold_glyph(it), Glyph::Char(it), "{it}");
        }
        assert_eq!(fold_glyph('＜'), Glyph::Char('<'));
        assert_eq!(fold_glyph('２'), Glyph::Char('2'));
        assert_eq!(fold_glyph('％'), Glyph::Char('%'));
    }

    #[test]
    fn radicals_of_pdf_text_become_characters() {
        assert_eq!((radical('⺠'), radical('⻑'), radical('⽇')), ('民', '長', '日'));
        assert_eq!(fold_glyph('\u{F9DC}'), Glyph::Char('隆'));
    }

    #[test]
    fn accents_join_their_letter() {
        assert_eq!(join_accent('e', '\u{301}'), Some('é'));
        assert_eq!(join_accent('e', 'f'), None);
    }
}
