//! From a source to an edition of frozen pages: asks politely, judges, accounts for every page.

pub mod apology;
pub mod asker;
pub mod capture;
pub mod challenge;
pub mod edition;
pub mod frontier;
pub mod journal;
pub mod judge;
pub mod keep;
pub mod manifest;
pub mod media;
pub mod politeness;
pub mod progress;
pub mod reading;
pub mod redirect;
pub mod retry;
pub mod robots;
pub mod run;
pub mod scope;
pub mod seeds;
pub mod settle;
pub mod sitemap;
pub mod suspicion;
pub mod url;
pub mod visit;
pub mod walk;
