//! Reading a page: what a reader sees is in the canonical text, in its order and letters, and
//! nothing else is.

use countersign::items::page::read_page;
use countersign::items::select::ReadError;
use countersign::model::canonical::{CanonicalPage, HiddenWhy};
use countersign::model::source::{ItemRule, Source};

fn source(rule: ItemRule) -> Source {
    Source {
        id: "test".into(),
        title: String::new(),
        publisher: String::new(),
        language: "en".into(),
        start: Vec::new(),
        sitemaps: Vec::new(),
        allow: Vec::new(),
        deny: Vec::new(),
        follow_links: false,
        listings: Vec::new(),
        probe_twice: false,
        private_hosts: Vec::new(),
        content: Vec::new(),
        exclude: Vec::new(),
        items: rule,
        politeness: Default::default(),
        fields: Vec::new(),
    }
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
fn hostile_markup_is_read_in_linear_time_and_without_recursion() {
    let n = 20_000;
    let numbered = |form: fn(usize) -> String| (0..n).map(form).collect::<String>();
    let pages = [
        ("<div>a".repeat(n), n),
        ("<ul><li>a".repeat(n), n),
        ("<table><tr><td>a".repeat(n), n),
        ("<span>a".repeat(n), n),
        ("<svg><g>".repeat(n), 0),
        ("<b><i><p></b>a</i>".repeat(n), n),
        (numbered(|it| format!("<div><b id=x{it}>a</div>")), n),
        (format!("<p {}>a</p>", numbered(|it| format!("a{it} "))), 1),
        (format!("<table><tr>{}</table>", "<td rowspan=60000 colspan=900>a<tr>".repeat(n)), n),
        ("a<br>".repeat(n), n),
        ("a ".repeat(10 * n), 10 * n),
        (format!("a<!--{}", "-".repeat(10 * n)), 1),
        (format!("<h1>{}</h1>{}", "a".repeat(n), "<h2>a</h2><p>a".repeat(n)), 3 * n),
    ];
    // A recursive walk or drop would not fit into this stack.
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    let reader = small.spawn(move || {
        for (html, n_words) in pages {
            let start = std::time::Instant::now();
            let page = text(&html);
            let letters = page.matches('a').count();
            let name: String = html.chars().take(40).collect();
            assert!(n_words <= letters && letters <= 4 * n_words + 9000, "{name}: {letters}");
            assert!(page.len() < 40 * n + 2 * html.len(), "{name}: {} bytes", page.len());
            // Quadratic time would take minutes.
            assert!(start.elapsed().as_secs() < 20, "{name}: {:?}", start.elapsed());
        }
    });
    reader.unwrap().join().unwrap();
}
