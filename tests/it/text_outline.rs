//! Blocks of canonical text, of statutes and of plain text in both languages.

use countersign::text::blocks::outline::{Block, BlockKind, read_outline};

/// Each block as `kind depth<parent: first line of its content`.
fn shape(text: &str) -> Vec<String> {
    let blocks = read_outline(text).blocks;
    let word = |it: &Block| match it.kind {
        BlockKind::Heading => "h",
        BlockKind::Paragraph => "p",
        BlockKind::ListItem => "li",
        BlockKind::TableHeader => "th",
        BlockKind::TableRow => "tr",
        BlockKind::TableRule => "rule",
        BlockKind::DocumentMark => "mark",
    };
    let parent = |it: &Block| it.parent.map_or("-".to_owned(), |at| at.to_string());
    blocks
        .iter()
        .map(|it| {
            let content = it.content.slice(text).unwrap().replace('\n', "/");
            format!("{} {}<{} {content}", word(it), it.depth, parent(it))
        })
        .collect()
}

#[test]
fn canonical_text_gives_its_blocks() {
    let text = "# Harbour Grant\n\nYou must be 60.\nCall us.\n\n## Who can apply\n\nAll of these:\n\
        - aged 60\n  - or 55 with a card\n- a resident\n\n  Bring proof.\n\n\
        | Household | Grant |\n| --- | --- |\n| Single | HK$10 |\n";
    assert_eq!(
        shape(text),
        [
            "h 1<- Harbour Grant",
            "p 0<0 You must be 60./Call us.",
            "h 2<0 Who can apply",
            "p 0<2 All of these:",
            "li 1<3 aged 60",
            "li 2<4 or 55 with a card",
            "li 1<3 a resident",
            "p 0<6 Bring proof.",
            "th 0<2 Household/Grant".replace("Household/Grant", "Household | Grant").as_str(),
            "rule 0<8 | --- | --- |",
            "tr 0<8 Single | HK$10",
        ]
    );
}

#[test]
fn law_text_nests_by_the_style_of_its_markers() {
    let text = "第 二 章 資格\n第 5-1 條\n符合下列各款規定者，得申請津貼：\n一、年滿六十歲。\n\
        二、財產符合下列基準：\n（一）存款未超過二十萬元。\n１．活期。\n２．定期。\n（二）無房屋。\n\
        三、未受收容。\n前項津貼按月發給。\n一、單人。\n二、夫婦。\n";
    assert_eq!(
        shape(text),
        [
            "h 3<- 第 二 章 資格",
            "h 5<0 第 5-1 條",
            "p 0<1 符合下列各款規定者，得申請津貼：",
            "li 1<2 年滿六十歲。",
            "li 1<2 財產符合下列基準：",
            "li 2<4 存款未超過二十萬元。",
            "li 3<5 活期。",
            "li 3<5 定期。",
            "li 2<4 無房屋。",
            "li 1<2 未受收容。",
            "p 0<1 前項津貼按月發給。",
            "li 1<10 單人。",
            "li 1<10 夫婦。",
        ]
    );
}

#[test]
fn english_statute_markers_nest() {
    let text = "Article 3\nA tenant may apply if:\n(a) the flat is let,\n(i) by a landlord, or\n\
        (ii) by an agent;\n(b) the rent is paid;\n(h) other;\n(i) more.\n";
    let kinds: Vec<_> = shape(text).iter().map(|it| it[..6].to_owned()).collect();
    assert_eq!(
        kinds,
        ["h 5<- ", "p 0<0 ", "li 1<1", "li 2<2", "li 2<2", "li 1<1", "li 1<1", "li 1<1"]
    );
}

#[test]
fn wrapped_lines_are_one_paragraph_and_elements_are_not() {
    assert_eq!(
        shape("Payment is made\nwithin 10 working days."),
        ["p 0<- Payment is made/within 10 working days."]
    );
    assert_eq!(
        shape("Who can apply\nYou must be 60.\nYou must rent a flat.\nHow to apply"),
        [
            "p 0<- Who can apply",
            "p 0<- You must be 60.",
            "p 0<- You must rent a flat.",
            "p 0<- How to apply"
        ]
    );
    let wrapped = "The Harbour Grant is paid each month to every person who lives in a rented\n\
        flat. Tenants who moved in before the scheme began are paid from the\n\
        Office of Housing once a year.";
    assert_eq!(shape(wrapped).len(), 1);
    assert_eq!(shape("申請人須年滿六十歲，\n並持有許可證。\n本津貼每月發放。").len(), 2);
}

#[test]
fn a_list_without_markers_hangs_on_its_lead_in() {
    let text =
        "You can apply if:\nyou are over 60\nyou rent a flat\n65 or over\nHow to apply\nCall us.";
    assert_eq!(
        shape(text),
        [
            "p 0<- You can apply if:",
            "li 1<0 you are over 60",
            "li 1<0 you rent a flat",
            "li 1<0 65 or over",
            "p 0<- How to apply",
            "p 0<- Call us.",
        ]
    );
    let text = "申請資格：\n年滿六十歲；\n在港居住滿七年。\n津貼每月發放。";
    assert_eq!(
        shape(text),
        [
            "p 0<- 申請資格：",
            "li 1<0 年滿六十歲；",
            "li 1<0 在港居住滿七年。",
            "p 0<- 津貼每月發放。"
        ]
    );
}

#[test]
fn doubtful_lines_are_text_unless_a_neighbour_agrees() {
    assert_eq!(shape("- 5 is the lowest value."), ["p 0<- - 5 is the lowest value."]);
    assert_eq!(shape("- 5 days\n- 7 days").len(), 2);
    assert!(shape("- 5 days\n- 7 days").iter().all(|it| it.starts_with("li")));
    assert_eq!(shape("1. January 2030 is the day."), ["p 0<- 1. January 2030 is the day."]);
    assert_eq!(shape("under paragraph\n(a) of section 5.").len(), 1);
    assert_eq!(shape("Bar | Grill"), ["p 0<- Bar | Grill"]);
    assert_eq!(
        shape("Single | HK$10\nCouple | HK$20"),
        ["tr 0<- Single | HK$10", "tr 0<- Couple | HK$20"]
    );
}

#[test]
fn documents_in_one_text_are_kept_apart() {
    let text = "=== page A ===\n# T\nThe fee is HK$20.\n=== page B ===\nThe fee is HK$35.";
    assert_eq!(
        shape(text),
        [
            "mark 0<- page A",
            "h 1<- T",
            "p 0<1 The fee is HK$20.",
            "mark 0<- page B",
            "p 0<- The fee is HK$35."
        ]
    );
}

#[test]
fn numbering_goes_on_after_a_paragraph() {
    let text =
        "Do this:\n\n1. Fill in the form.\n\nIt is long.\n\n2. Send it.\n\nOther:\n\n1. Wait.\n";
    assert_eq!(
        shape(text),
        [
            "p 0<- Do this:",
            "li 1<0 Fill in the form.",
            "p 0<- It is long.",
            "li 1<0 Send it.",
            "p 0<- Other:",
            "li 1<4 Wait."
        ]
    );
}

#[test]
fn headings_of_plain_text_are_found() {
    let text = "Harbour Grant\nYou must be aged 60 or above to apply.\nLantern Aid\n\
        Carers must be aged 18 or above here.";
    assert_eq!(
        shape(text),
        [
            "h 2<- Harbour Grant",
            "p 0<0 You must be aged 60 or above to apply.",
            "h 2<- Lantern Aid",
            "p 0<2 Carers must be aged 18 or above here."
        ]
    );
    let text = "海港長者津貼\n申請人須年滿六十歲並居於本區。\n【青松租金援助】\n申請人須為租戶。";
    assert_eq!(
        shape(text),
        [
            "h 2<- 海港長者津貼",
            "p 0<0 申請人須年滿六十歲並居於本區。",
            "h 2<- 青松租金援助",
            "p 0<2 申請人須為租戶。"
        ]
    );
    let text = "海港長者津貼\n\n申請資格\n申請人須年滿六十歲並居於本區。\n";
    assert_eq!(shape(text)[..2], ["h 1<- 海港長者津貼", "h 2<0 申請資格"]);
    assert_eq!(shape("Title\n=====\n\nText is here.")[0], "h 1<- Title");
    assert_eq!(shape("**How to apply**\n\nText is here.")[0], "h 2<- How to apply");
}

#[test]
fn a_line_that_may_state_a_condition_is_no_heading() {
    for line in
        ["Aged 65 or above", "Fee HK$20", "No fee", "年滿六十歲", "香港居民", "Tenants only"]
    {
        let text = format!("{line}\n- a card\n");
        assert!(shape(&text)[0].starts_with("p"), "{line}");
    }
    for line in ["Aged 65 or above", "No fee", "Tenants only", "年滿六十歲者", "You pay,"] {
        let text = format!(
            "{line}\nThe office pays the grant every month.\n每月由本局發放津貼予申請人。\n"
        );
        assert!(shape(&text)[0].starts_with("p"), "{line}");
    }
    // A text with headings of its own gets no others.
    let text = "# Grant\n\nContact us\n\nThe office pays the grant every month.\n";
    assert!(shape(text)[1].starts_with("p"));
}
