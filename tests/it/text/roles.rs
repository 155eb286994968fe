//! What is no value: references, ordinals, list markers, dates, clock times, pieces of words.

use crate::text::{check, others, values};

#[test]
fn references_are_no_values() {
    check(
        &[
            ("see Section 3", "reference 3"),
            ("under Article 12 and 13", "reference 12, reference 13"),
            ("Sections 3, 4 and 5 apply", "reference 3, reference 4, reference 5"),
            ("see Note 2", "reference 2"),
            ("第八條條文之附表二甲", "reference 8, reference 2"),
            ("如附件三乙所示", "reference 3"),
            ("No. 5 of the list", "reference 5"),
            ("Nos. 5 and 6", "reference 5, reference 6"),
            ("No 7", "reference 7"),
            ("see § 9", "reference 9"),
            ("send Form 10-10EZ", "reference 10"),
            ("send Form 20-0968", "reference 20"),
            ("under 38 U.S.C. 1718", "reference 38, reference 1718"),
            ("see 12 CFR 3.09(a)", "reference 12, reference 3.09"),
            ("Public Law 110-38", "reference 110"),
            ("paragraph 3(1)(b)", "reference 3, reference 1"),
            ("call 800-827-1000", "reference 800"),
            ("call 1-888-GO-FISH-1", "reference 1"),
            ("phone (02) 2345-6789", "reference 2, reference 2345, reference 6789"),
            ("TTY: 711", "reference 711"),
            ("Visa type I-9", "reference 9"),
            ("after COVID-19", "reference 19"),
            ("open 24/7", "reference 24, reference 7"),
            ("Harbour Town, NT 30329", "reference 30329"),
            ("at 2957 Old Harbour Road", "reference 2957"),
            ("room 41B", "reference 41"),
            ("第 5 條", "reference 5"),
            ("第5-1條", "reference 5, reference 1"),
            ("第三款", "reference 3"),
            ("第二十八條之一", "reference 28, reference 1"),
            ("第三、四款", "reference 3, reference 4"),
            ("第一款至第六款", "reference 1, reference 6"),
            ("第三、十三及十四條", "reference 3, reference 13, reference 14"),
            ("前二項", "reference 2"),
            ("附表二", "reference 2"),
            ("請撥1957", "reference 1957"),
            ("電話：1999", "reference 1999"),
            ("北字第1120001號", "reference 1120001"),
            ("第十二章", "reference 12"),
            ("第3页", "reference 3"),
        ],
        others,
    );
}

#[test]
fn ordinals_dates_and_times_of_day_are_no_values() {
    check(
        &[
            ("the 30th copy", "ordinal 30"),
            ("the third copy", "ordinal 3"),
            ("a twenty-first copy", "ordinal 21"),
            ("第二年", "ordinal 2"),
            ("第三次", "ordinal 3"),
            ("priority group 4", "ordinal 4"),
            ("in 2017", "date 2017"),
            ("during the 1960s", "date 1960"),
            ("on 7 September 1980", "date 7, date 1980"),
            ("2027-04-03", "date 2027"),
            ("民國 110 年 11 月 9 日", "date 110, date 11, date 9"),
            ("at 8:30 a.m.", "clock 8, clock 30"),
            ("from 9 a.m. to 5 p.m.", "clock 9, clock 5"),
            ("上午九時至十二時", "clock 9, clock 12"),
            ("次月五日", "ordinal 5"),
        ],
        others,
    );
}

#[test]
fn list_markers_are_no_values() {
    check(
        &[
            ("1. Apply", "list 1"),
            ("- 2) Wait", "list 2"),
            ("3．Apply", "list 3"),
            ("（一）申請人", "list 1"),
            ("一、年滿六十五歲", "list 1"),
            ("：一、年滿六十五歲；二、設籍", "list 1, list 2"),
            ("must (1) apply, (2) wait", "list 1, list 2"),
            ("① apply", "list 1"),
            ("㈡ 申請", "list 2"),
            ("# 4. Fees", "list 4"),
        ],
        others,
    );
}

#[test]
fn numerals_inside_words_are_no_values() {
    let none = |text: &str| values(text);
    check(
        &[
            ("護老隊伍", ""),
            ("隊伍人員", ""),
            ("收拾個人文件", ""),
            ("大陸地區", ""),
            ("參加活動", ""),
            ("參考人選", ""),
            ("放肆", ""),
            ("一般規定", ""),
            ("一定期間", ""),
            ("統一編號", ""),
            ("同一戶籍", ""),
            ("同一人", ""),
            ("任一性別", ""),
            ("單一項目", ""),
            ("下列情形之一者", ""),
            ("有前項規定之一，", ""),
            ("擇一請領", ""),
            ("一併辦理", ""),
            ("一律退回", ""),
            ("萬一發生", ""),
            ("千萬不可", ""),
            ("十分重要", ""),
            ("四捨五入", ""),
            ("一方死亡", ""),
            ("三重區", ""),
            ("七堵區", ""),
            ("百姓", ""),
            ("萬物", ""),
            ("三角形", ""),
            ("四周環境", ""),
            ("一一列舉", ""),
            ("歸零", ""),
            ("畸零日數", ""),
            ("零星支出", ""),
            ("九龍", ""),
            ("no one may enter", ""),
            ("one of the following", ""),
            ("One may apply", ""),
            ("the one who applies", ""),
            ("a loved one", ""),
            ("this one.", ""),
            ("once you apply", ""),
            ("all at once", ""),
            ("a double room", ""),
            ("half-brother", ""),
            ("someone", ""),
        ],
        none,
    );
}

#[test]
fn numerals_that_count_are_values() {
    check(
        &[
            ("一人", "1"),
            ("以一次為限", "1"),
            ("汽車每年徵收一次", "1"),
            ("選擇一次請領", "1"),
            ("最低生活費之一倍", "1"),
            ("最高一級", "1"),
            ("置管制員一人", "1"),
            ("成長率為零或負數", "0"),
            ("除以三十計算", "30"),
            ("有二以上雇主", "2"),
            ("| 五 | 六十 |", "5 60"),
            ("一年內", "1"),
            ("四周內", "4"),
            ("十分鐘", "10"),
            ("得十分者", "10"),
            ("約二、三人", "2 3"),
            ("二或三人", "2 3"),
            ("at least one of the following", "1"),
            ("more than one home", "1"),
            ("one or more homes", "1"),
            ("one year", "1"),
            ("the one-year period", "1"),
            ("one to three months", "1 3"),
            ("only one carer", "1"),
            ("one child", "1"),
            ("at least once", "1"),
            ("No 5 persons may share", "5"),
            ("under section 5, 30 days' notice is due", "30"),
            ("see Section 3. 30 days later", "30"),
            ("twelve (12) months", "12 12"),
            ("a fee (5 shells)", "5"),
            ("2000 people", "2000"),
            ("a 10-day wait", "10"),
        ],
        values,
    );
}
