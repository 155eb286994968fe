//! Where a redirect leads, judged before it is followed. Redirects are data.

use url::Url;

use crate::crawl::scope::{Place, Scope};
use crate::crawl::url::{is_home, is_same_site};
use crate::model::page::Outcome;
use crate::model::snapshot::FoundBy;

/// A redirect and what is known of its two ends.
#[derive(Clone, Copy, Debug)]
pub struct Redirect<'a> {
    /// The page that was asked for.
    pub page: &'a Url,
    /// Where it sends us now.
    pub target: &'a Url,
    pub found_by: FoundBy,
    /// Host of the last accepted capture of the page, where there is one.
    pub accepted_host: Option<&'a str>,
    /// True where the target is a page of this crawl already.
    pub target_is_known: bool,
}

/// What to do with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Course {
    /// Ask the target; what it holds is judged.
    Follow,
    /// The target is a page of its own and is the record.
    Moved,
    /// The target is not asked.
    Stop { outcome: Outcome, reason: &'static str },
}

/// Decides. See the module's words.
pub fn decide(redirect: &Redirect<'_>, scope: &Scope) -> Course {
    let Redirect { page, target, .. } = *redirect;
    let stop = |outcome, reason| Course::Stop { outcome, reason };
    if is_sign_in(target) && !is_sign_in(page) {
        return stop(Outcome::Suspect, "login_wall");
    }
    match error_page(target).filter(|_| error_page(page).is_none()) {
        Some(ErrorPage::NotFound) => {
            return stop(Outcome::SoftGone, "redirect_to_not_found_page");
        }
        Some(ErrorPage::Maintenance) => return stop(Outcome::Suspect, "maintenance"),
        Some(ErrorPage::Error) => return stop(Outcome::Suspect, "redirect_to_error_page"),
        None => {}
    }
    if !is_same_site(page, target) {
        return to_other_host(redirect);
    }
    if is_home(target) && !is_home(page) {
        return stop(Outcome::SoftGone, "redirect_to_site_root");
    }
    match scope.place(target) {
        Place::Inside if redirect.target_is_known => Course::Moved,
        Place::Inside => Course::Follow,
        Place::ForeignHost => to_other_host(redirect),
        Place::OutsidePatterns => stop(Outcome::MovedUnconfirmed, "redirect_out_of_scope"),
    }
}

fn to_other_host(redirect: &Redirect<'_>) -> Course {
    let stop = |reason| Course::Stop { outcome: Outcome::MovedUnconfirmed, reason };
    let host = redirect.target.host_str();
    if redirect.accepted_host.is_some() && redirect.accepted_host == host {
        return Course::Follow;
    }
    if is_home(redirect.target) {
        return stop("redirect_to_other_host_root");
    }
    // A page that the operator declared may stand elsewhere; one that was seen at home may not
    // leave it in silence, and a link found on the way is no declaration.
    let is_declared = matches!(redirect.found_by, FoundBy::Start | FoundBy::Sitemap);
    if redirect.accepted_host.is_none() && is_declared {
        Course::Follow
    } else {
        stop("redirect_to_other_host")
    }
}

/// Names of the last or only part of a path that is a sign-in page.
const SIGN_IN: &[&str] = &[
    "login",
    "log-in",
    "logon",
    "signin",
    "sign-in",
    "sign_in",
    "sso",
    "auth",
    "authorize",
    "oauth",
    "oauth2",
    "saml",
    "saml2",
    "cas",
    "adfs",
];

/// First labels of hosts that do nothing but sign people in.
const SIGN_IN_HOSTS: &[&str] =
    &["login", "signin", "sso", "auth", "idp", "adfs", "accounts", "identity", "oauth"];

/// True for the address of a sign-in page.
pub fn is_sign_in(url: &Url) -> bool {
    let label = url.host_str().and_then(|it| it.split('.').next()).unwrap_or_default();
    stems(url).iter().any(|it| SIGN_IN.contains(&it.as_str())) || SIGN_IN_HOSTS.contains(&label)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorPage {
    NotFound,
    Maintenance,
    Error,
}

fn error_page(url: &Url) -> Option<ErrorPage> {
    let stems = stems(url);
    match stems.last()?.as_str() {
        "404" | "notfound" | "not-found" | "not_found" | "page-not-found" | "pagenotfound"
        | "error404" | "error-404" | "404error" | "error_404" | "filenotfound" | "nopage" => {
            Some(ErrorPage::NotFound)
        }
        "maintenance" | "maintain" | "outage" | "unavailable" | "sorry" | "offline" | "503"
        | "under-maintenance" | "site-maintenance" => Some(ErrorPage::Maintenance),
        "error" | "errors" | "500" | "errorpage" | "error-page" | "error_page" => {
            Some(ErrorPage::Error)
        }
        _ => None,
    }
}

/// The parts of the path in lower case, without file extensions.
fn stems(url: &Url) -> Vec<String> {
    let parts = url.path().split('/').filter(|it| !it.is_empty());
    parts.map(|it| it.split('.').next().unwrap_or_default().to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::source::{ItemRule, Source};

    fn scope() -> Scope {
        let source = Source {
            start: vec!["https://gov.example/".to_owned()],
            deny: vec!["^/drafts/".to_owned()],
            items: ItemRule::Headings,
            ..Source::new("harbour", "en")
        };
        Scope::new(&source).unwrap()
    }

    fn course(page: &str, target: &str, accepted_host: Option<&str>) -> Course {
        let (page, target) = (Url::parse(page).unwrap(), Url::parse(target).unwrap());
        decide(
            &Redirect {
                page: &page,
                target: &target,
                found_by: FoundBy::Start,
                accepted_host,
                target_is_known: false,
            },
            &scope(),
        )
    }

    #[test]
    fn a_page_that_ends_at_a_front_page_is_softly_gone() {
        let page = "https://gov.example/grants/heat";
        for home in
            ["https://gov.example/", "https://www.gov.example/en/", "https://gov.example/index.php"]
        {
            let Course::Stop { outcome, reason } = course(page, home, None) else {
                panic!("{home}")
            };
            assert_eq!((outcome, reason), (Outcome::SoftGone, "redirect_to_site_root"), "{home}");
        }
        assert_eq!(course("https://gov.example/", "https://gov.example/en/", None), Course::Follow);
    }

    #[test]
    fn another_host_is_followed_only_where_nothing_was_known() {
        let page = "https://gov.example/grants/heat";
        let stop = |reason| Course::Stop { outcome: Outcome::MovedUnconfirmed, reason };
        let own = Some("gov.example");
        assert_eq!(course(page, "https://new.example/", own), stop("redirect_to_other_host_root"));
        assert_eq!(course(page, "https://new.example/heat", own), stop("redirect_to_other_host"));
        assert_eq!(course(page, "https://new.example/heat", None), Course::Follow);
        assert_eq!(course(page, "https://new.example/heat", Some("new.example")), Course::Follow);
        assert_eq!(
            course(page, "https://gov.example/drafts/a", own),
            stop("redirect_out_of_scope")
        );
    }

    #[test]
    fn sign_in_and_error_pages_are_known_by_their_address() {
        let page = "https://gov.example/rates";
        let reason = |target: &str| match course(page, target, None) {
            Course::Stop { reason, .. } => reason,
            other => panic!("{target}: {other:?}"),
        };
        assert_eq!(reason("https://gov.example/login?next=%2Frates"), "login_wall");
        assert_eq!(reason("https://id.example/oauth2/authorize?client_id=1"), "login_wall");
        assert_eq!(
            reason("https://gov.example/Account/Login.aspx?ReturnUrl=%2frates"),
            "login_wall"
        );
        assert_eq!(reason("https://login.gov.example/"), "login_wall");
        assert_eq!(reason("https://gov.example/errors/404.html"), "redirect_to_not_found_page");
        assert_eq!(reason("https://gov.example/maintenance.html"), "maintenance");
        assert_eq!(course(page, "https://gov.example/sign-in-faq.html", None), Course::Follow);
        assert_eq!(course(page, "https://gov.example/maintenance-grant/", None), Course::Follow);
    }
}
