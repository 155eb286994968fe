//! Canonical text against what headless Chromium shows as the content's innerText: nothing of the
//! content lost, nothing else in, in the same order and to the letter.
//!
//! Needs `chromium` on the path (`apt-get install -y --no-install-recommends chromium`) and fails
//! where it is missing. Chromium reads files from a temporary folder and has no network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use countersign::items::block::{Kind, Written};
use countersign::items::page::read_blocks;
use countersign::text::glyphs::charset::decode_page;
use serde_json::Value;

use crate::corpus::{page_shared, page_source};
use crate::page::{folded, read_json, squeezed};

/// Pages compared, spread evenly over the four sets.
const SPREAD: [(&str, usize); 4] = [("va", 16), ("twlaw", 9), ("twlaw_en", 4), ("govuk", 3)];

/// Pages of special kinds that the spread must not miss: two encodings, entities, both templates,
/// a table of data, accordion titles in buttons, the chapters of a law.
const SPECIAL: [&str; 8] = [
    "pages/pension/survivors-pension.html",
    "pages/education/about-gi-bill-benefits/post-9-11.html",
    "pages/education/survivor-dependent-benefits.html",
    "pages/education/gi-bill/survivors-dependent-assistance.html",
    "pages/health-care/about-va-health-benefits/dental-care.html",
    "pages/faq.html",
    "law/H0080043.html",
    "law/N0050001.html",
];

/// Constructs of HTML one by one, in invented words, that we read as Chromium shows them.
///
/// Where we differ, we do so on purpose: closed `<details>` and panels that a control opens are
/// read; struck-out text, ruby annotations, texts of drawings and options of a choice are kept apart
/// or left out.
const CONSTRUCTS: &[&str] = &[
    "<p>plain <b>bold</b><i>joined</i> <a href=x>link</a>&nbsp;no-break&ensp;en &amp; &lt;tag&gt; &copy;</p>",
    "<div>text<div>inner</div>after<span>span</span><section>sec</section>end</div>",
    "<p>one<br>two<br><br>three<br></p>",
    "<ul><li>a<li>b<ol><li>c<li>d</ol><li><p>e</p><p>f</p></ul>",
    "<ol start=5 type=i reversed><li>x<li value=9>y</ol><menu><li>m</menu>",
    "<dl><dt>term<dd>one<dd>two<div><dt>t2<dd>three</div></dl>",
    "<table><caption>cap</caption><thead><tr><th>A<th>B<tbody><tr><td>1<td>2<br>3<tfoot><tr><td>f<td>g</table>",
    "<table><tr><td colspan=2>wide<tr><td>l<td>r</table>",
    "<table><tr><td><table><tr><td>in1<td>in2</table><td>out</table>",
    "<table role=presentation><tr><td>layout<td>cells</table>",
    "<p>seen<span hidden>NO</span><span style='display: none'>NO</span>end</p><div hidden>NO</div>",
    "<p>vis<span style='visibility:hidden'>NO</span>ible</p><template>NO</template><script>NO</script>",
    "<style>.a{color:red}</style><noscript>NO</noscript>text<iframe src='about:blank'>NO</iframe>",
    "<video>NO</video><audio>NO</audio><canvas>NO</canvas><dialog>NO</dialog><dialog open>open</dialog>",
    "<p aria-hidden=true>shown to eyes</p><p class=sr-only>for readers</p>",
    "<h2>head<br>ing <small>small</small></h2><hgroup><h3>x</h3><p>y</p></hgroup>",
    "<details open><summary>sum</summary>open details</details>",
    "<button>b1</button> <button><div>b2</div></button><label>lab <input value=NO></label>",
    "<fieldset><legend>leg</legend>field</fieldset><figure><figcaption>fig</figcaption><img alt=NO src=x></figure>",
    "<pre>line 1\n  line 2\n\nline 4</pre><blockquote>quote<address>addr</address></blockquote>",
    "<p>x<sup>2</sup> H<sub>2</sub>O m<sup>a</sup> <q>quoted</q> <abbr title=NO>ab</abbr> <kbd>k</kbd> <mark>m</mark></p>",
    "<va-box>custom <x-y>el</x-y></va-box><unknown>tag</unknown><font color=red>font</font><center>cen</center>",
    "<p>un<wbr>break soft\u{ad}hyphen zero\u{200b}width</p><p>full\u{3000}width</p>",
    "<p>申請人<span>須</span>年滿\n六十歲，<b>但</b>不包括<i>外國人</i>。</p>",
    "<span style='display:block'>block span</span><div style='display:inline'>inline</div><div style='display:inline-block'>ib</div>",
    "<main><p>unclosed<div>p<p>more</main>",
    "<form>form <textarea>NO</textarea> end</form><progress>NO</progress><meter>NO</meter>",
    "text<datalist><option>NO</datalist><svg><title>NO</title></svg><object>fallback</object><object data=x>NO</object>",
    "<bdo dir=rtl>abc</bdo><bdi>d</bdi><time>t</time><data value=1>v</data><output>o</output><samp>s</samp><var>w</var>",
    "<article><header>ah</header>body<footer>af</footer></article><aside>as</aside><search>se</search>",
    "<style>.n{display:none}.m.n{display:block}@media print{p{display:none}}</style><p>a<i class=n>NO</i><b class='m n'>b</b></p>",
    "<ins>ins</ins><u>u</u><tt>tt</tt><big>big</big><dfn>dfn</dfn><cite>cite</cite><em>em</em><strong>st</strong>",
];

struct Shown {
    corpus: &'static str,
    file: PathBuf,
    css: Option<PathBuf>,
}

#[test]
fn canonical_text_is_what_chromium_shows() {
    let chosen = choose();
    assert!(chosen.len() >= 30, "{} pages", chosen.len());
    let texts = inner_texts(&chosen);
    let (mut n_sentences, mut problems) = (0, Vec::new());
    for (page, shown) in chosen.iter().zip(&texts) {
        let name = format!("{} {}", page.corpus, page.file.file_name().unwrap().display());
        let bytes = fs::read(&page.file).unwrap();
        let source = page_source(page.corpus);
        let (read, blocks) = read_blocks(&decode_page(&bytes, None).text, &source).unwrap();
        let ours = words_of(&read.text, &blocks);
        let (lost, n) = missing_sentences(shown, &squeezed(&ours));
        let (added, _) = missing_sentences(&ours, &squeezed(shown));
        n_sentences += n;
        problems.extend(lost.into_iter().map(|it| format!("{name}: lost: {it}")));
        problems.extend(added.into_iter().map(|it| format!("{name}: added: {it}")));
        if squeezed(shown) != squeezed(&ours) {
            problems
                .push(format!("{name}: {}", first_difference(&squeezed(shown), &squeezed(&ours))));
        }
    }
    println!("{} pages, {n_sentences} sentences, {} problems", chosen.len(), problems.len());
    assert!(n_sentences > 1000);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn choose() -> Vec<Shown> {
    let shared = page_shared();
    let mut out = Vec::new();
    for (corpus, n) in SPREAD {
        let (mut files, css) = if corpus == "govuk" {
            let folder = fs::read_dir(shared.join("govuk/pages")).unwrap();
            (folder.map(|it| it.unwrap().path()).collect::<Vec<_>>(), None)
        } else {
            let edition = shared.join("corpus").join(corpus).join("bulk");
            let truth = read_json(&shared.join("corpus/truth").join(corpus).join("bulk.json"));
            let pages = truth["pages"].as_array().unwrap().clone();
            let files = pages.iter().map(|it| edition.join(it["file"].as_str().unwrap()));
            let css = fs::read_dir(edition.join("assets")).unwrap().next().unwrap().unwrap().path();
            (files.collect(), Some(css))
        };
        files.retain(|it| it.extension().is_some_and(|it| it == "html"));
        files.sort();
        let step = files.len() / n;
        let is_chosen = |at: usize, file: &Path| {
            (at.is_multiple_of(step) && at / step < n)
                || SPECIAL.iter().any(|it| file.ends_with(it))
        };
        let chosen = files.into_iter().enumerate().filter(|(at, file)| is_chosen(*at, file));
        out.extend(chosen.map(|(_, file)| Shown { corpus, file, css: css.clone() }));
    }
    out
}

/// The words of a canonical text without its marks of layout.
fn words_of(text: &str, blocks: &[Written]) -> String {
    let words = |it: &Written| {
        let content = it.content.slice(text).unwrap();
        match it.kind {
            Kind::TableRow | Kind::TableHeader => content.replace(" | ", "\n"),
            _ => content.to_owned(),
        }
    };
    blocks.iter().filter(|it| it.kind != Kind::TableRule).map(words).collect::<Vec<_>>().join("\n")
}

/// Sentences of `text` that `all`, without white space, does not hold; and how many there are.
fn missing_sentences(text: &str, all: &str) -> (Vec<String>, usize) {
    let pieces = text.split(['\n', '\t', '。', '！', '？', '；']).flat_map(|it| it.split(". "));
    let mut n = 0;
    let mut missing = Vec::new();
    for piece in pieces.map(folded).filter(|it| !it.is_empty()) {
        n += 1;
        if !all.contains(&squeezed(&piece)) {
            missing.push(piece);
        }
    }
    (missing, n)
}

fn first_difference(shown: &str, ours: &str) -> String {
    let at = shown.chars().zip(ours.chars()).take_while(|(a, b)| a == b).count();
    let from = at.saturating_sub(20);
    let near = |it: &str| it.chars().skip(from).take(60).collect::<String>();
    format!("shown {:?}, read {:?}", near(shown), near(ours))
}

/// innerText of each page's content, from one run of Chromium.
fn inner_texts(pages: &[Shown]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut frames = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let home = folder.path().join(at.to_string());
        fs::create_dir(&home).unwrap();
        if let Some(css) = &page.css {
            fs::copy(css, home.join("site.css")).unwrap();
        }
        let bytes = fs::read(&page.file).unwrap();
        fs::write(home.join("page.html"), with_local_style(&bytes)).unwrap();
        frames.push(serde_json::json!([
            format!("{at}/page.html"),
            page_source(page.corpus).content.join(", "),
        ]));
    }
    let runner = RUNNER.replace("FRAMES", &Value::from(frames).to_string());
    fs::write(folder.path().join("run.html"), runner).unwrap();
    let out = run_chromium(folder.path());
    let start = out.find("BEGIN(").expect("Chromium printed no result") + "BEGIN(".len();
    let end = start + out[start..].find(")END").expect("Chromium's result is cut");
    let json = percent_decoded(&out[start..end]);
    let texts: Vec<String> = serde_json::from_str(&json).unwrap();
    assert_eq!(texts.len(), pages.len());
    assert!(texts.iter().all(|it| !it.trim().is_empty()), "Chromium shows nothing of a page");
    texts
}

/// Loads each page in a frame and prints the innerText of its content, one after the other.
const RUNNER: &str = r#"<!doctype html><meta charset=utf-8><pre id=out></pre><script>
const pages = FRAMES, texts = [];
function next() {
  if (texts.length === pages.length) {
    const text = encodeURIComponent(JSON.stringify(texts)).replace(/[()]/g, escape);
    document.getElementById('out').textContent = 'BEGIN(' + text + ')END';
    return;
  }
  const frame = document.createElement('iframe');
  frame.onload = () => {
    const all = [...frame.contentDocument.querySelectorAll(pages[texts.length][1])];
    const outer = all.filter(it => !all.some(o => o !== it && o.contains(it)));
    texts.push(outer.map(it => it.innerText).join('\n'));
    frame.remove();
    next();
  };
  frame.width = 1200;
  frame.src = pages[texts.length][0];
  document.body.append(frame);
}
next();
</script>"#;

/// The page with its style sheet beside it; all else is as served, its encoding too.
fn with_local_style(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    let mark = b"href=\"/assets/";
    while let Some(at) = rest.windows(mark.len()).position(|it| it == mark) {
        let value = at + b"href=\"".len();
        out.extend(&rest[..value]);
        out.extend(b"site.css");
        let end = rest[value..].iter().position(|it| *it == b'"').unwrap();
        rest = &rest[value + end..];
    }
    out.extend(rest);
    out
}

fn run_chromium(folder: &Path) -> String {
    let page = format!("file://{}", folder.join("run.html").display());
    let done = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-default-apps",
            "--disable-sync",
            "--no-first-run",
            "--metrics-recording-only",
            "--allow-file-access-from-files",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--virtual-time-budget=120000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(page)
        .output();
    let done = done
        .expect("`chromium` cannot be run: apt-get install -y --no-install-recommends chromium");
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "chromium failed: {error}");
    String::from_utf8(done.stdout).unwrap()
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            out.push(u8::from_str_radix(&text[at + 1..at + 3], 16).unwrap());
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).unwrap()
}

#[test]
fn constructs_of_html_are_read_as_chromium_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let source = page_source("va");
    let pages: Vec<Shown> = CONSTRUCTS
        .iter()
        .enumerate()
        .map(|(at, html)| {
            let file = folder.path().join(format!("{at}.html"));
            fs::write(&file, format!("<!doctype html><meta charset=utf-8><main>{html}</main>"))
                .unwrap();
            Shown { corpus: "va", file, css: None }
        })
        .collect();
    let mut problems = Vec::new();
    for (shown, page) in inner_texts(&pages).iter().zip(&pages) {
        let (read, blocks) =
            read_blocks(&fs::read_to_string(&page.file).unwrap(), &source).unwrap();
        let ours = words_of(&read.text, &blocks);
        if squeezed(shown) != squeezed(&ours) || ours.contains("NO") {
            problems.push(format!("shown {shown:?}\n read {ours:?}"));
        }
    }
    println!("{} constructs, {} problems", pages.len(), problems.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
