//! Laws of the crawl's pure parts, on whatever input proptest can think of.

use countersign::crawl::apology::{Said, read_apology};
use countersign::crawl::listing::read_stated;
use countersign::crawl::media::media_of;
use countersign::crawl::retry::read_http_date;
use countersign::crawl::robots::RobotsFile;
use countersign::crawl::sitemap::{is_sitemap, read_sitemap};
use countersign::crawl::url::{page_of, read_address, read_link};
use countersign::crawl::volatile::differences;
use countersign::crawl::words::words_digest;
use proptest::prelude::*;

proptest! {
    #[test]
    fn the_normal_form_of_a_normal_form_is_itself(tail in "[a-zA-Z0-9/._~%?&=;#+:@ 津貼-]{0,60}") {
        if let Ok(url) = read_address(&format!("https://Harbour.Example/{tail}")) {
            let page = page_of(&url);
            prop_assert_eq!(url.host_str(), Some("harbour.example"));
            let again = page_of(&read_address(page.as_str()).unwrap());
            prop_assert_eq!(again, page);
        }
    }

    #[test]
    fn no_address_leads_to_another_host_than_the_one_that_is_read(raw in ".{0,40}") {
        // What is accepted names its host in plain sight.
        if let Ok(url) = read_address(&format!("https://harbour.example/{raw}")) {
            let host = url.host_str().unwrap();
            prop_assert!(url.username().is_empty() && url.password().is_none());
            prop_assert_eq!(host, "harbour.example");
        }
        let base = read_address("https://harbour.example/a/").unwrap();
        if let Ok(url) = read_link(&raw, &base, None) {
            prop_assert!(matches!(url.scheme(), "http" | "https"));
            prop_assert!(url.fragment().is_none());
        }
    }

    #[test]
    fn readers_of_hostile_bytes_come_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..400), text in "\\PC{0,200}") {
        let _ = media_of(&bytes, Some(&text));
        let _ = is_sitemap(&bytes);
        let _ = read_sitemap(&bytes);
        let _ = read_sitemap(format!("<urlset>{text}</urlset>").as_bytes());
        let _ = RobotsFile::parse(&bytes);
        let _ = differences(&bytes, text.as_bytes());
        let _ = read_stated(&text);
        let _ = read_http_date(&text);
        let _ = read_apology(&Said { title: &text, first_heading: &text, text: &text });
        prop_assert_eq!(words_digest(&text).len(), 64);
    }
}

#[test]
fn long_hostile_texts_are_read_to_their_end() {
    for piece in [
        "! ",
        "? ",
        "<",
        "</",
        "<!--",
        "<script>",
        "<a href=;jsessionid=",
        "&",
        "共",
        "1-2 of ",
        "%0",
        "\n",
        "https://",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let _ = read_apology(&Said { title: &text, first_heading: &text, text: &text });
        let _ = read_stated(&text);
        let _ = differences(text.as_bytes(), b"x");
        let _ = read_sitemap(text.as_bytes());
        let _ = RobotsFile::parse(text.as_bytes());
        let _ = read_address(&text);
        let _ = words_digest(&text);
    }
}
