//! Reading a page: what a reader sees is in the canonical text, in its order and letters, and
//! nothing else is.

use countersign::items::page::read_page;
use countersign::items::select::ReadError;
use countersign::model::canonical::{CanonicalPage, HiddenWhy};
use countersign::model::source::{ItemRule, Source};

fn source(rule: ItemRule) -> Source {
    Source { follow_links: false, items: rule, ..Source::new("test", "en") }
}

fn read(html: &str) -> CanonicalPage {
    read_page(html, &source(ItemRule::Headings)).unwrap()
}

fn text(body: &str) -> String {
    read(&format!("<main>{body}</main>")).text
}

#[test]
fn blocks_are_written_as_the_contract_says() {
    for (html, expected) in [
        (
            "<h1>Fees</h1><p>One <b>two</b>\n three.</p><p>Four.</p>",
            "# Fees\n\nOne two three.\n\nFour.",
        ),
        ("<p>a<br>b<br>\n<br>c</p>", "a\nb\n\nc"),
        ("<h2>a<br>b <div>c</div></h2>", "## a b c"),
        ("bare<div>one<div>two</div>three</div>four", "bare\n\none\n\ntwo\n\nthree\n\nfour"),
        (
            "<p>You need:</p><ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul><p>e</p>",
            "You need:\n- a\n- b\n  - c\n- d\n\ne",
        ),
        (
            "<ol start=3><li>a</li><li value=7><p>b</p><p>c</p></li><li>d<br>e</li></ol>",
            "3. a\n7. b\n\n   c\n8. d\n   e",
        ),
        ("<ol type=a reversed><li>x</li><li>y</li></ol>", "b. x\na. y"),
        ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n- b"),
        ("<ol><li>a</li><ul><li>b</li></ul><li>c</li></ol>", "1. a\n  - b\n2. c"),
        ("<ul><li><ul><li>a</li></ul></li></ul>", "- a"),
        (
            "<ol><li><h3>Step</h3><p>Do it.</p><ul><li>x</li></ul></li></ol>",
            "### Step\n\nDo it.\n- x",
        ),
        (
            "<dl><dt>Age</dt><dd>65</dd><dd>or 60</dd><dt>Fee</dt><dd>none</dd></dl>",
            "Age\n- 65\n- or 60\n\nFee\n- none",
        ),
        ("<pre>a  b\nc</pre>", "a b\nc"),
        ("<p>&nbsp;</p><p>a&nbsp;b &mdash; “c”</p>", "a\u{a0}b — “c”"),
        ("<div role=heading aria-level=3>a</div>", "### a"),
        ("<p>本辦法<ruby>漢<rp>(</rp><rt>ㄏㄢˋ</rt><rp>)</rp></ruby>字</p>", "本辦法漢字"),
        ("<p>over 65<sup>1</sup> and <b>note<sup>2</sup></b>.</p>", "over 65 1 and note2."),
        ("<button>Who</button><button>What</button>", "Who What"),
        (
            "<label>Name</label><input value=x><select><option>y</select><textarea>z</textarea> end",
            "Name end",
        ),
        ("<details><summary>More</summary>Text</details>", "More\n\nText"),
        ("<va-x>a</va-x><va-x>b</va-x>", "ab"),
        ("<span style='display:block'>a</span><span>b</span>", "a\n\nb"),
    ] {
        assert_eq!(text(html), expected, "{html}");
    }
}

#[test]
fn tables_keep_their_cells_apart_and_their_header_known() {
    for (html, expected) in [
        (
            "<table><caption>Rates</caption><tr><th>Who<th>Rate<tr><td>Single<td>$10<br>a week</table>",
            "Rates\n\n| Who | Rate |\n| --- | --- |\n| Single | $10 a week |",
        ),
        ("<table><tr><th scope=row>Date<td>1 May</table>", "| Date | 1 May |"),
        (
            "<table><thead><tr><td><th>A<tbody><tr><th>x<td>1</table>",
            "|  | A |\n| --- | --- |\n| x | 1 |",
        ),
        ("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>", "| a | b |\n| a | c |"),
        (
            "<table><tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e</table>",
            "| a |  | b |\n| c | d | e |",
        ),
        (
            "<table><tr><th rowspan=2>Who<th colspan=2>Rate<tr><th>Week<th>Month<tr><td>a<td>1<td>2</table>",
            "| Who | Rate |  |\n| Who | Week | Month |\n| --- | --- | --- |\n| a | 1 | 2 |",
        ),
        ("<table><tr><td><h2>A</h2>text<td><p>more</table>", "## A\n\ntext\n\nmore"),
        ("<table><tr><td><table><tr><td>a<td>b</table></table>", "| a | b |"),
        ("<table><tr><td><ul><li>a<li>b</ul><td>c</table>", "| a b | c |"),
    ] {
        assert_eq!(text(html), expected, "{html}");
    }
}

#[test]
fn what_a_reader_does_not_see_is_kept_apart() {
    let page = read(
        "<main><p>seen<span hidden>one</span><span style='display:none'>two</span> here</p>\
         <template><p>three</p></template><noscript><p>four</p></noscript>\
         <p><del>five</del><ins>six</ins></p><script>seven</script><style>eight</style>\
         <svg><text>nine</text></svg><!-- ten --><p aria-hidden=true>eleven</p>\
         <img alt='twelve' src=x></main>",
    );
    assert_eq!(page.text, "seen here\n\nsix\n\neleven");
    let hidden: Vec<_> = page.hidden.iter().map(|it| (it.why, it.text.as_str())).collect();
    assert_eq!(
        hidden,
        [
            (HiddenWhy::Attribute, "one"),
            (HiddenWhy::Style, "two"),
            (HiddenWhy::Element, "three"),
            (HiddenWhy::Element, "<p>four</p>"),
            (HiddenWhy::Struck, "five"),
        ]
    );
    let apart: Vec<_> = page.alternatives.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(apart, ["nine", "twelve"]);
    let html = "<style>.n{display:none}</style><main>a<i class=n>b</i><p class=n>c</p>d</main>";
    assert_eq!(read(html).text, "a\n\nd");
}

#[test]
fn what_a_control_opens_is_part_of_the_page() {
    let html = "<button aria-controls=p1>Who</button><div id=p1 hidden>You.</div><div id=p2 hidden>No.</div>";
    assert_eq!(text(html), "Who\n\nYou.");
}

#[test]
fn content_is_what_the_selectors_name() {
    let html =
        "<nav>menu</nav><div class=a>one</div><p>not</p><div class=b>two<i class=x>not</i></div>";
    let mut source = source(ItemRule::Page);
    source.content = vec![".b".into(), ".a".into(), ".none".into()];
    source.exclude = vec![".x".into()];
    let page = read_page(html, &source).unwrap();
    assert_eq!(page.text, "one\n\ntwo");
    assert_eq!(page.signs.content_selectors, [".b", ".a"]);

    source.content = vec![".none".into(), "#gone".into()];
    let error = read_page(html, &source).unwrap_err();
    assert!(matches!(&error, ReadError::SelectorMissing { selectors } if selectors.len() == 2));
    assert!(error.to_string().contains("`.none`, `#gone`"), "{error}");
    assert_eq!(read("<nav>menu</nav><p>one</p><footer>not</footer>").text, "one");
}

#[test]
fn hostile_markup_is_read_to_its_end_and_without_recursion() {
    let n = 8_000;
    let numbered = |form: fn(usize) -> String| (0..n).map(form).collect::<String>();
    let pages = [
        ("<div>a".repeat(n), n),
        ("<ul><li>a".repeat(n), n),
        ("<table><tr><td>a".repeat(n), n),
        ("<span>a".repeat(n), n),
        (format!("{}a", "<div>".repeat(9 * n)), 1),
        ("<svg><g>".repeat(n), 0),
        (format!("a{}", "<svg><g>".repeat(5 * n)), 1),
        (format!("a{}", "<template>".repeat(5 * n)), 1),
        ("<b><i><p></b>a</i>".repeat(n), n),
        (numbered(|it| format!("<div><b id=x{it}>a</div>")), n),
        (format!("<p {}>a</p>", numbered(|it| format!("a{it} "))), 1),
        (format!("<table><tr>{}</table>", "<td rowspan=60000 colspan=900>a<tr>".repeat(n)), n),
        ("a<br>".repeat(n), n),
        (format!("<style>{}</style>{}", "p ~ p,i p{display:none}".repeat(n), "<p>a".repeat(n)), n),
        ("a ".repeat(10 * n), 10 * n),
        (format!("a<!--{}", "-".repeat(10 * n)), 1),
        (format!("<h1>{}</h1>{}", "a".repeat(n), "<h2>a</h2><p>a".repeat(n)), 3 * n),
    ];
    // A recursive walk or drop would not fit into this stack.
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    let reader = small.spawn(move || {
        for (html, n_words) in pages {
            let page = text(&html);
            let letters = page.matches('a').count();
            let name: String = html.chars().take(40).collect();
            assert!(n_words <= letters && letters <= 4 * n_words + 9000, "{name}: {letters}");
            assert!(page.len() < 40 * n + 2 * html.len(), "{name}: {} bytes", page.len());
        }
    });
    reader.unwrap().join().unwrap();
}

fn items(html: &str, rule: ItemRule) -> Vec<(String, Vec<String>, String)> {
    let page = read_page(html, &source(rule)).unwrap();
    page.items
        .iter()
        .map(|it| {
            let text = it.span.slice(&page.text).unwrap().to_owned();
            (it.key.clone(), it.heading_path.clone(), text)
        })
        .collect()
}

fn keys_by(html: &str, rule: ItemRule) -> Vec<String> {
    items(html, rule).into_iter().map(|it| it.0).collect()
}

const GUIDE: &str = "<main><p>Notice.</p><h1>Ferry grant</h1><p>Intro.</p><h2>Who can apply</h2>\
    <h3>Residents</h3><p>Aged 60.</p><h3>Visitors</h3><p>None.</p><h2>申請方式</h2><p>郵寄。</p>\
    <h2>Who can apply</h2><p>Again.</p></main>";

#[test]
fn sections_have_keys_of_their_headings_and_bare_headings_go_to_the_first_below() {
    let found = items(GUIDE, ItemRule::Headings);
    let keys: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(
        keys,
        ["intro", "who-can-apply/residents", "who-can-apply/visitors", "申請方式", "who-can-apply"]
    );
    assert_eq!(found[0].2, "Notice.\n\n# Ferry grant\n\nIntro.");
    assert_eq!(found[1].1, ["Ferry grant", "Who can apply", "Residents"]);
    assert_eq!(found[1].2, "## Who can apply\n\n### Residents\n\nAged 60.");
    assert_eq!(found[3].1, ["Ferry grant", "申請方式"]);
    assert_eq!(keys_of("<main><h2>A</h2><p>1<h2>A</h2><p>2</main>"), ["a", "a~2"]);
    assert_eq!(keys_of("<main><p>no heading</main>"), ["intro"]);
    assert_eq!(keys_of("<main></main>"), Vec::<String>::new());
}

fn keys_of(html: &str) -> Vec<String> {
    keys_by(html, ItemRule::Headings)
}

#[test]
fn articles_have_keys_of_their_numbers_and_chapters_above() {
    let law = "<main><h1>渡輪補助辦法</h1><table><tr><th scope=row>修正日期：<td>民國 113 年</table>\
        <h2>第 一 章 總則</h2><div>第 1 條</div><div>為補助渡輪費用，訂定本辦法。</div>\
        <div>第 1-1 條</div><div>一、甲。</div><div>第 1 條所定之補助，以一次為限。</div>\
        <h2>第 二 章 申請</h2><div>第二條之一</div><div>申請期限三十日。</div></main>";
    let found = items(law, ItemRule::Articles);
    let keys: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(keys, ["header", "art-1", "art-1-1", "art-2-1"]);
    assert_eq!(found[1].1, ["渡輪補助辦法", "第 一 章 總則", "第 1 條"]);
    assert!(found[1].2.starts_with("## 第 一 章 總則\n\n第 1 條\n\n為補助"));
    assert!(found[2].2.ends_with("以一次為限。"), "a reference begins no article");
    assert_eq!(found[3].1[1], "第 二 章 申請");

    let act = "<main><h1>Ferry Act</h1><h2>Chapter 1 General</h2><h3>Section 1 Aims</h3>\
        <h4>Article 1</h4><p>Aim.</p><h4>Article 2 (Terms)</h4><p>In this Act:</p>\
        <p>Article 1 of the Port Act applies.</p><h2>Annex</h2><p>Form.</p></main>";
    assert_eq!(keys_by(act, ItemRule::Articles), ["header", "art-1", "art-2", "annex"]);
    let rules =
        "<main><p>Preamble.</p><h2>Section 1. Scope</h2><p>a</p><h2>Section 2A</h2><p>b</p></main>";
    assert_eq!(keys_by(rules, ItemRule::Articles), ["header", "sec-1", "sec-2a"]);
}

#[test]
fn a_renumbered_article_keeps_its_fingerprint() {
    let law = |n: u32, fee: u32| {
        let html = format!("<main><div>第 {n} 條</div><div>規費為{fee}元。</div></main>");
        read_page(&html, &source(ItemRule::Articles)).unwrap().items[0].fingerprint.clone()
    };
    assert_eq!(law(5, 300), law(6, 300));
    assert_ne!(law(5, 300), law(5, 301));
    let guide = |heading: &str| {
        read(&format!("<main><h2>{heading}</h2><p>Free.</p></main>")).items[0].fingerprint.clone()
    };
    assert_eq!(guide("2. Fees"), guide("3. Fees"));
    assert_ne!(guide("2. Fees"), guide("2. Costs"));
}

#[test]
fn rows_are_items_with_their_header_above() {
    let html = "<main><h1>Rates</h1><p>Weekly.</p><table><tr><th>Who<th>Rate<tr><td>Single<td>$10\
        <tr><td>Couple<td>$15</table><p>From May.</p></main>";
    let found = items(html, ItemRule::Rows);
    let keys: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(keys, ["intro", "intro/single", "intro/couple", "intro~2"]);
    assert_eq!(found[1].1, ["Rates", "Who | Rate"]);
    assert_eq!(found[1].2, "| Single | $10 |");
    assert_eq!(found[3].2, "From May.");
}

#[test]
fn named_elements_are_items_and_the_rest_is_too() {
    let html = "<main><h1>News</h1><p>All.</p><section id=one><h2>First</h2><p>a</p></section>\
        <section><h2>Second</h2><p>b</p></section><p>End.</p></main>";
    let rule = ItemRule::Selector { selector: "section".into() };
    assert_eq!(keys_by(html, rule.clone()), ["intro", "one", "second", "second~2"]);
    let found = items(html, rule);
    assert_eq!(found[1].1, ["News", "First"]);
    assert_eq!(found[3].2, "End.");
    assert_eq!(keys_by(html, ItemRule::Page), ["page"]);
}

#[test]
fn a_place_in_the_text_leads_back_to_its_element() {
    let html = "<main><h1>Fees</h1><ul id=list><li>One<li>Two <b id=b>bold</b> more</ul>\
        <table id=t><tr><td>a<td>b<tr><td>c<td>d</table></main>";
    let page = read(html);
    let at = |words: &str| page.map.selector_at(page.text.find(words).unwrap()).unwrap();
    assert_eq!(at("One"), "#list > li:nth-child(1)");
    assert_eq!(at("bold"), "#b");
    assert_eq!(at("more"), "#list > li:nth-child(2)");
    assert!(at("d |").ends_with("tr:nth-child(2) > td:nth-child(2)"), "{}", at("d |"));
    assert_eq!(page.map.anchor_at(page.text.find("c |").unwrap()), Some("t"));
    for selector in ["#list > li:nth-child(2)", "#b"] {
        assert!(scraper::Selector::parse(selector).is_ok());
    }
}

#[test]
fn links_and_signs_are_reported_as_the_page_writes_them() {
    let page = read(
        "<html lang=en><head><title> Fees \n page</title><base href='/x/'>\
         <link rel=canonical href='https://a.example/fees'><meta name=ROBOTS content='NoIndex'>\
         <link rel=alternate hreflang=zh-Hant href=/zh><meta http-equiv=refresh content='0;url=/y'></head>\
         <body><nav><a href=/home>Home</a></nav><main lang=en-GB><p>See <a rel='NOFOLLOW' href=' b?c '>the\n <b>list</b></a>\
         <input type=Password></main><script>1</script></body></html>",
    );
    assert_eq!(page.title, "Fees page");
    assert_eq!(page.language.as_deref(), Some("en-GB"));
    assert_eq!(page.signs.canonical_link.as_deref(), Some("https://a.example/fees"));
    assert_eq!(page.signs.base_href.as_deref(), Some("/x/"));
    assert_eq!(page.signs.robots, "noindex");
    assert_eq!(page.signs.refresh.as_deref(), Some("0;url=/y"));
    assert_eq!(page.signs.alternates, [("zh-Hant".to_owned(), "/zh".to_owned())]);
    assert!(page.signs.has_password_field);
    assert_eq!(page.signs.scripts, 1);
    let links: Vec<_> = page
        .links
        .iter()
        .map(|it| (it.href.as_str(), it.text.as_str(), it.is_in_content))
        .collect();
    assert_eq!(links, [("/home", "Home", false), ("b?c", "the list", true)]);
    assert_eq!(page.links[1].rel, "nofollow");
}

const PIECES: [&str; 44] = [
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<ul>",
    "</ul>",
    "<ol start=3>",
    "</ol>",
    "<li>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<td rowspan=2 colspan=3>",
    "<th>",
    "<h1>",
    "</h1>",
    "<h2>",
    "<h3>",
    "</h3>",
    "<br>",
    "<b>",
    "</b>",
    "<a href=x>",
    "</a>",
    "<span hidden>",
    "</span>",
    "<button>",
    "<dl>",
    "<dt>",
    "<dd>",
    "<pre>",
    "</pre>",
    "<thead>",
    "<caption>",
    "<sup>",
    "</sup>",
    "<del>",
    "text ",
    "第 5 條",
    "一、年滿65歲",
    "- x\n",
    "| y |",
    "&nbsp;",
];

proptest::proptest! {
    #[test]
    fn any_markup_gives_a_text_in_which_everything_has_its_place(
        picks in proptest::collection::vec(0..PIECES.len(), 0..60),
        rule in 0..4usize,
    ) {
        let html: String = picks.iter().map(|&it| PIECES[it]).collect();
        let rule = [ItemRule::Headings, ItemRule::Articles, ItemRule::Rows, ItemRule::Page][rule].clone();
        let page = read_page(&html, &source(rule.clone())).unwrap();
        assert_eq!(page, read_page(&html, &source(rule)).unwrap());
        let mut end = 0;
        for item in &page.items {
            assert!(page.text[end..item.span.start].trim().is_empty(), "{html}: {:?}", page.items);
            assert!(end <= item.span.start && !item.span.is_empty());
            end = item.span.end;
        }
        assert!(page.text[end..].trim().is_empty(), "{html}");
        assert!(page.map.runs.is_sorted_by_key(|it| it[0]), "{html}");
        assert!(!page.text.starts_with('\n') && !page.text.ends_with('\n') && !page.text.contains("\n\n\n"));
        for at in 0..page.text.len() {
            assert!(page.map.selector_at(at).is_some());
        }
    }
}
