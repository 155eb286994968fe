//! Edits that leave a row's own words alone and change what it means: the sign-off ends, and the row is shown.

use std::collections::BTreeSet;

use countersign::model::row::RowRecord;

use crate::change_kinds::{agreed, cards, issued, sections};
use crate::ferry::{Project, html};

/// Keys of the rows of `/card` whose sign-off ended with an update.
fn lapsed(was: &BTreeSet<(String, String)>, project: &Project) -> BTreeSet<String> {
    was.difference(&agreed(project)).map(|it| it.0.clone()).collect()
}

const ROWS: [(&str, &str); 2] =
    [("en", "<p>The fee is $20 a year.</p>"), ("zh-Hant", "<p>每年收費新臺幣二百元。</p>")];

fn row_in(language: &str) -> &'static str {
    ROWS[usize::from(language != "en")].1
}

#[test]
fn a_number_that_names_a_group_is_signed_and_one_that_counts_clauses_is_not() {
    for (language, one, two, ends) in [
        ("en", "Rule 2", "Rule 3", true),
        ("en", "Category 1", "Category 2", true),
        ("en", "Tier 2", "Tier 3", true),
        ("en", "Part 1", "Part 2", true),
        ("en", "Article 5", "Article 6", false),
        ("en", "Clause 5", "Clause 6", false),
        ("en", "5. Fees", "6. Fees", false),
        ("en", "Rule 5: Fees", "Rule 6: Fees", false),
        ("en", "Chapter 3 Fees", "Chapter 4 Fees", false),
        ("en", "Section 8", "Section 9", true),
        ("zh-Hant", "第一款", "第二款", true),
        ("zh-Hant", "第一款 低收入戶", "第二款 低收入戶", true),
        ("zh-Hant", "第一級", "第二級", true),
        ("zh-Hant", "第一類", "第二類", true),
        ("zh-Hant", "第五條", "第六條", false),
        ("zh-Hant", "第二章 收費", "第三章 收費", false),
        ("zh-Hant", "五、收費", "六、收費", false),
    ] {
        let of = |heading: &str| format!("<h2>{heading}</h2>{}", row_in(language));
        let project = sections(language, &of(one), &of(two));
        let was = agreed(&project);
        let update = project.update_to("two");
        let lapsed = lapsed(&was, &project);
        assert_eq!(!lapsed.is_empty(), ends, "{one}: {lapsed:?} {}", update.summary);
        let (_, changed) = issued(&project, &update);
        let shown: BTreeSet<String> = changed.iter().map(|it| it.0.clone()).collect();
        assert_eq!(!shown.is_empty(), ends, "{one}: {changed:?}");
        assert!(!ends || changed.iter().all(|it| it.1.contains(two)), "{one}: {changed:?}");
    }
}

/// Two editions of a page whose title alone differs: its first heading, or only what the browser shows.
fn titled(language: &str, [one, two]: [&str; 2], is_in_content: bool) -> Project {
    let of = |title: &str| {
        let heading = format!("<h1>{title}</h1>");
        let within = if is_in_content { heading.as_str() } else { "" };
        let section = if language == "en" { "<h2>Amounts</h2>" } else { "<h2>金額</h2>" };
        html(&format!("<main>{within}{section}{}</main>", row_in(language)), title)
    };
    cards(language, of(one), of(two))
}

#[test]
fn another_title_of_the_page_ends_its_sign_offs_and_a_sites_name_beside_it_does_not() {
    for (language, one, two, ends) in [
        ("en", "Payment rates 2025", "Payment rates 2026", true),
        ("en", "Fees for adults", "Fees for children", true),
        ("en", "Fees - Adults", "Fees - Children", true),
        ("en", "Fees | Part A", "Fees | Part B", true),
        ("en", "Payment rates 2025", "Payment rates 2025 | GOV", false),
        ("en", "Payment rates 2025", "Payment rates 2025 - Ministry of Ferries", false),
        ("en", "Payment rates 2025", "Payment  rates\u{a0}2025 ", false),
        ("zh-Hant", "一一四年度標準", "一一五年度標準", true),
        ("zh-Hant", "成人收費", "兒童收費", true),
        ("zh-Hant", "收費-成人", "收費-兒童", true),
        ("zh-Hant", "一一四年度標準", "一一四年度標準 - 某某部", false),
        ("zh-Hant", "一一四年度標準", "渡輪局全球資訊網-一一四年度標準", false),
        ("zh-Hant", "一一四年度標準", "一一四年度　標準", false),
    ] {
        for is_in_content in [true, false] {
            let project = titled(language, [one, two], is_in_content);
            let was = agreed(&project);
            let update = project.update_to("two");
            let lapsed = lapsed(&was, &project);
            let (_, changed) = issued(&project, &update);
            let of_fee = |it: &RowRecord| row_in(language).contains(it.sentence.as_str());
            let rows = project.rows().into_iter().filter(of_fee);
            let mut n_rows = 0;
            for row in rows.filter(|it| it.page.ends_with("/card")) {
                n_rows += 1;
                assert_eq!(lapsed.contains(&row.key), ends, "{two}: {}", update.summary);
                let told = changed.iter().find(|it| it.0 == row.key);
                assert_eq!(told.is_some(), ends, "{two} {is_in_content}: {changed:?}");
                assert!(told.is_none_or(|it| it.1.contains(two)), "{two}: {changed:?}");
            }
            assert!(n_rows > 0, "{two}");
        }
    }
}

#[test]
fn a_footnote_that_changes_elsewhere_ends_the_sign_off_of_the_row_that_points_to_it() {
    for (language, row, notes) in [
        ("en", "<p>The fee is $20* a year.</p>", ["* Only for residents.", "* Only for citizens."]),
        (
            "en",
            "<table><tr><th>Card</th><th>Fee*</th></tr><tr><td>Pier 1</td><td>$4</td></tr></table>",
            ["* Before tax.", "* After tax."],
        ),
        (
            "zh-Hant",
            "<p>每年收費新臺幣二百元（註1）。</p>",
            ["註1：限本區居民。", "註1：限本國國民。"],
        ),
        ("zh-Hant", "<p>每年收費新臺幣二百元※。</p>", ["※ 限本區居民。", "※ 限本國國民。"]),
        (
            "en",
            "<p>The fee is $20<sup>1</sup> a year.</p>",
            [
                "</p><h2>Notes</h2><ol><li>Only for residents.</li></ol><p>",
                "</p><h2>Notes</h2><ol><li>Only for citizens.</li></ol><p>",
            ],
        ),
        (
            "zh-Hant",
            "<p>每年收費新臺幣二百元<sup>1</sup>。</p>",
            [
                "</p><h2>附註</h2><ol><li>限本區居民。</li></ol><p>",
                "</p><h2>附註</h2><ol><li>限本國國民。</li></ol><p>",
            ],
        ),
    ] {
        let of = |note: &str| format!("<h2>A</h2>{row}<h2>B</h2><p>{note}</p>");
        let project = sections(language, &of(notes[0]), &of(notes[1]));
        let was = agreed(&project);
        let of_row: BTreeSet<String> = project
            .rows()
            .into_iter()
            .filter(|it| it.page.ends_with("/card") && it.heading_path.ends_with(&["A".to_owned()]))
            .map(|it| it.key)
            .collect();
        assert!(!of_row.is_empty(), "{row}");
        let update = project.update_to("two");
        let lapsed = lapsed(&was, &project);
        assert!(of_row.is_subset(&lapsed), "{row}: {of_row:?} {lapsed:?} {}", update.summary);
        let (_, changed) = issued(&project, &update);
        for key in &of_row {
            let told = changed.iter().find(|it| it.0 == *key);
            let words = if language == "en" { ["citizens", "After"] } else { ["國民", "國民"] };
            let is_true = told.is_some_and(|it| words.iter().any(|word| it.1.contains(word)));
            assert!(is_true, "{row}: {changed:?}");
        }
    }
}

#[test]
fn of_two_equal_rows_the_one_whose_clause_went_is_named() {
    let en = (
        ["Adults", "Children"],
        "The fee is $20 a year. ",
        ["A copy costs $7.", "A trip costs $3."],
    );
    let zh = (
        ["成人", "兒童"],
        "申請人每月收入不得超過新臺幣二萬元。",
        ["補發每張新臺幣七十元。", "退費新臺幣十元。"],
    );
    for (language, (headings, row, others)) in [("en", en), ("zh-Hant", zh)] {
        let of = |adults: &str, children: &str| {
            let [above, below] = headings;
            format!("<h2>{above}</h2><p>{adults}</p><h2>{below}</h2><p>{children}</p>")
        };
        let project = sections(
            language,
            &of(row, &format!("{row}{}", others[0])),
            &of(others[1], &format!("{row}{}", others[1])),
        );
        let equal: Vec<RowRecord> =
            project.rows().into_iter().filter(|it| it.sentence == row.trim()).collect();
        let under = |heading: &str| {
            let found = equal.iter().find(|it| it.heading_path.iter().any(|it| it == heading));
            found.unwrap_or_else(|| panic!("{heading}: {equal:#?}")).key.clone()
        };
        let (first, second) = (under(headings[0]), under(headings[1]));
        assert_eq!(second, format!("{first}~2"));
        let was = agreed(&project);
        let update = project.update_to("two");
        let (rows, changed) = issued(&project, &update);
        let removed: Vec<&String> =
            rows.iter().filter(|it| it.0 == "removed").map(|it| &it.1).collect();
        assert!(!removed.contains(&&second), "{language}: {rows:?}");
        assert!(!changed.iter().any(|it| it.0 == second), "{language}: {changed:?}");
        let kept = was.iter().find(|it| it.0 == second).unwrap();
        assert!(agreed(&project).contains(kept), "{language}: {rows:?} {changed:?}");
        // What stood in the first section went, or became another.
        let told =
            changed.iter().any(|it| it.1.contains(if language == "en" { "20" } else { "二萬" }));
        assert!(told || removed.contains(&&first), "{language}: {rows:?} {changed:?}");
        let again = project.run("update");
        assert_eq!((again.asks(), again.changes()[1]), (0, 0), "{language}");
    }
}

#[test]
fn a_sign_off_ends_where_the_words_above_an_unchanged_row_are_others() {
    let en = |above: [&str; 2]| {
        format!(
            "<h2>Fares</h2><table><tr><th>Route</th><th>{}</th></tr><tr><td>Pier 1</td><td>$4</td></tr></table>\
             <p>{}</p><ul><li>people aged 65 or over</li></ul>",
            above[0], above[1]
        )
    };
    let zh = |above: [&str; 2]| {
        format!(
            "<h2>票價</h2><table><tr><th>航線</th><th>{}</th></tr><tr><td>一號碼頭</td><td>40 元</td></tr></table>\
             <p>{}</p><ul><li>年滿六十五歲者</li></ul>",
            above[0], above[1]
        )
    };
    for (language, one, two) in [
        ("en", en(["Adult", "A card is for:"]), en(["Child", "A season ticket is for:"])),
        (
            "zh-Hant",
            zh(["成人票", "下列之人得申請渡輪卡："]),
            zh(["兒童票", "下列之人得申請季票："]),
        ),
    ] {
        let project = sections(language, &one, &two);
        let was = agreed(&project);
        let of_card = |it: &(String, String)| {
            let rows = project.rows();
            rows.iter().any(|row| row.key == it.0 && row.page.ends_with("/card"))
        };
        assert!(was.iter().filter(|it| of_card(it)).count() >= 2, "{language}: {was:?}");
        let update = project.update_to("two");
        let is = agreed(&project);
        let still: Vec<_> = was.intersection(&is).filter(|it| of_card(it)).collect();
        assert!(still.is_empty(), "{language}: {still:?} {}", update.summary);
        let again = project.run("update");
        assert_eq!((again.asks(), agreed(&project)), (0, is), "{language}");
    }
}

#[test]
fn rows_under_another_heading_are_shown_as_changed_whether_their_item_is_read_again_or_not() {
    for (language, one, two, asked) in [
        ("en", "<h2>Fees for adults</h2>", "<h2>Fees for children</h2>", 1),
        ("en", "<h2>Adults</h2><h3>Fees</h3>", "<h2>Children</h2><h3>Fees</h3>", 0),
        ("zh-Hant", "<h2>成人收費</h2>", "<h2>兒童收費</h2>", 1),
        ("zh-Hant", "<h2>成人</h2><h3>收費</h3>", "<h2>兒童</h2><h3>收費</h3>", 0),
    ] {
        let row = if language == "en" {
            "The fee is $20 a year."
        } else {
            "每年收費新臺幣二百元。"
        };
        let of = |heading: &str| format!("{heading}<p>{row}</p>");
        let project = sections(language, &of(one), &of(two));
        let was = agreed(&project);
        let update = project.update_to("two");
        assert_eq!(update.number("/items/asked"), asked, "{two}: {}", update.summary);
        let is = agreed(&project);
        let lapsed: BTreeSet<&String> = was.difference(&is).map(|it| &it.0).collect();
        assert!(!lapsed.is_empty(), "{two}");
        let (_, changed) = issued(&project, &update);
        assert_eq!(changed.len(), 1, "{two}: {changed:?}");
        assert!(lapsed.contains(&changed[0].0) || language != "en", "{changed:?} {lapsed:?}");
        assert!(
            changed[0].1.contains(if language == "en" { "children" } else { "兒童" })
                || changed[0].1.contains("Children"),
            "{changed:?}"
        );
    }
}

#[test]
fn a_row_that_the_gate_refuses_under_other_words_is_asked_about_once_with_the_true_reason() {
    for (language, one, two, row) in [
        ("en", "You can apply if:", "You cannot apply if:", "you are aged 65 or over"),
        ("zh-Hant", "符合下列條件者，得申請：", "符合下列條件者，不得申請：", "年滿六十五歲者"),
    ] {
        let of = |lead: &str| format!("<h2>1</h2><p>{lead}</p><ul><li>{row}</li></ul>");
        let project = sections(language, &of(one), &of(two));
        let update = project.update_to("two");
        let (rows, _) = issued(&project, &update);
        let removed: Vec<&String> =
            rows.iter().filter(|it| it.0 == "removed").map(|it| &it.1).collect();
        assert!(!removed.is_empty(), "{language}: {rows:?}");
        for key in removed {
            assert_eq!(rows.iter().filter(|it| it.1 == *key).count(), 1, "{language}: {rows:?}");
        }
        let stale = project.rows().into_iter().flat_map(|it| it.findings);
        let stale: Vec<String> =
            stale.filter(|it| it.code.as_str() == "STALE_SNAPSHOT").map(|it| it.detail).collect();
        let untrue = |it: &String| it.contains("did not change") || it.contains("並非來源變更");
        assert!(!stale.is_empty() && !stale.iter().any(untrue), "{stale:?}");
    }
}
