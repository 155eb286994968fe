//! From a source to an edition of frozen pages: asks politely, judges, accounts for every page.

pub mod frontier;
pub mod retry;
pub mod robots;
pub mod scope;
pub mod sitemap;
pub mod url;
