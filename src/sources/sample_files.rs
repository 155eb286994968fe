//! The files of the sample, built into the program. A list and nothing else: a test compares it with
//! the folder, so that no page is left out.

macro_rules! built_in {
    ($folder:literal; $($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../sources/", $folder, $name)))),*]
    };
}

/// Path below `sources/site/` and text, always UTF-8.
pub const FILES: &[(&str, &str)] = built_in![
    "site/";
    "bulk/common/draft-rates.html",
    "bulk/common/not-found.html",
    "bulk/en/appeals.html",
    "bulk/en/bridging-loan.html",
    "bulk/en/business-grant.html",
    "bulk/en/carer-grant.html",
    "bulk/en/coal-coupon.html",
    "bulk/en/disability-bands.html",
    "bulk/en/elder-allowance.html",
    "bulk/en/ferry-card.html",
    "bulk/en/index.html",
    "bulk/en/news-pier-counter.html",
    "bulk/en/partners.html",
    "bulk/en/questions.html",
    "bulk/en/rates-2026.html",
    "bulk/en/regulation.html",
    "bulk/en/rent-support.html",
    "bulk/en/school-meals.html",
    "bulk/en/site-map.html",
    "bulk/en/taxi-voucher.html",
    "bulk/en/winter-warmth.html",
    "bulk/zh/appeals.html",
    "bulk/zh/bridging-loan.html",
    "bulk/zh/business-grant.html",
    "bulk/zh/carer-grant.html",
    "bulk/zh/coal-coupon.html",
    "bulk/zh/disability-bands.html",
    "bulk/zh/elder-allowance.html",
    "bulk/zh/ferry-card.html",
    "bulk/zh/index.html",
    "bulk/zh/news-pier-counter.html",
    "bulk/zh/partners.html",
    "bulk/zh/questions.html",
    "bulk/zh/rates-2026.html",
    "bulk/zh/regulation.html",
    "bulk/zh/rent-support.html",
    "bulk/zh/school-meals.html",
    "bulk/zh/site-map.html",
    "bulk/zh/taxi-voucher.html",
    "bulk/zh/winter-warmth.html",
    "layout.en.html",
    "layout.zh.html",
    "site.toml",
    "style.css",
    "update/en/elder-allowance.html",
    "update/en/regulation.html",
    "update/zh/elder-allowance.html",
    "update/zh/regulation.html",
    "update/zh/winter-warmth.html",
];

/// Name below `sources/` and text.
pub const SOURCE_FILES: &[(&str, &str)] = built_in![
    "";
    "harbour-en.toml",
    "harbour-zh.toml",
];
