//! Numbers of provisions in Chinese: 第五條, 前二項, 第二十八條之一, 第三、十三及十四條.
//! Never takes a count for one: 二項以上 and 三項目 are counts.

use crate::text::amounts::money::{currency_after, currency_before};
use crate::text::amounts::unit::unit_after;
use crate::text::lexeme::{LexKind, Lexemes};
use crate::text::numbers::numeral::RawNumber;
use crate::text::numbers::numeral_zh::is_han_numeral;

/// Measure characters of provisions: 第五條, 前二項, 三款.
const PROVISIONS: &str = "條項款目章節編點號頁表欄冊卷";

/// How far a list of provisions is followed: 第三、十三、十四及十八條.
const LIST_REACH: usize = 40;

/// 第五條, 第 5-1 條, 前二項, 第二十八條之一, 三款, 第三、十三及十四條; 二項以上 and 三項目 are counts.
pub fn is_provision(lexemes: &Lexemes<'_>, raw: &RawNumber, next: usize) -> bool {
    let before = lexemes.head_before(raw.first);
    let mark = lexemes.head(next);
    let provision = is_provision_mark(lexemes, next);
    if before == '第' {
        return provision || list_of_provisions(lexemes, next);
    }
    if before == '前' && provision {
        return true;
    }
    if before == '之' {
        let mark = lexemes.solid_before(raw.first).and_then(|it| lexemes.solid_before(it));
        let upon = mark
            .is_some_and(|it| "條項款目".contains(lexemes.head(it)) && lexemes.head(it) != '\0');
        let numbered = mark.and_then(|it| lexemes.solid_before(it)).is_some_and(|it| {
            is_han_numeral(lexemes.head(it)) || lexemes.kind(it) == LexKind::Digits
        });
        if upon && numbered && !is_counted(lexemes, raw) {
            return true;
        }
    }
    provision && matches!(mark, '條' | '款' | '目')
        || mark == '號' && provision && lexemes.head(next + 1) != '以'
}

/// One of the measure characters of provisions, not the first half of another word (項目, 條件).
pub fn is_provision_mark(lexemes: &Lexemes<'_>, at: usize) -> bool {
    let mark = lexemes.head(at);
    let after = lexemes.head(at + 1);
    let other_word = match mark {
        '項' => after == '目' && !is_han_numeral(lexemes.head(at + 2)),
        '條' => after == '件',
        '款' => after == '項',
        '目' => matches!(after, '的' | '標'),
        '表' => after == '現',
        '號' => after == '碼',
        '點' => is_han_numeral(after),
        _ => false,
    };
    lexemes.kind(at) == LexKind::Han && PROVISIONS.contains(mark) && !other_word
}

/// 第三、十三及十四條: what ends the list says what its first member is.
fn list_of_provisions(lexemes: &Lexemes<'_>, next: usize) -> bool {
    if !matches!(lexemes.head(next), '、' | '及' | '或' | '至' | '~' | '-') {
        return false;
    }
    for at in next..next + LIST_REACH {
        let passes = match lexemes.kind(at) {
            LexKind::Digits | LexKind::Space => true,
            LexKind::Han => {
                is_han_numeral(lexemes.head(at))
                    || matches!(lexemes.head(at), '及' | '或' | '至' | '第' | '之')
            }
            LexKind::Mark => matches!(lexemes.head(at), '、' | '-' | '~' | '〇'),
            _ => false,
        };
        if !passes {
            return is_provision_mark(lexemes, at) && "條項款目章節".contains(lexemes.head(at));
        }
    }
    false
}

/// True where the number has a unit or a currency.
pub fn is_counted(lexemes: &Lexemes<'_>, raw: &RawNumber) -> bool {
    currency_before(lexemes, raw.first).is_some()
        || currency_after(lexemes, raw.end).is_some()
        || unit_after(lexemes, raw.end).is_some()
}
