//! What a run is given from outside: time, environment, progress, approval. Nothing else is read.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::pipeline::money::estimate::Estimate;
use crate::pipeline::progress::{Progress, Stop};

/// What a run is given from outside.
pub struct Surroundings<'a> {
    pub now: Timestamp,
    pub environment: &'a BTreeMap<String, String>,
    pub progress: Arc<dyn Progress>,
    pub stop: Stop,
    /// Asked before anything that costs is begun.
    pub approve: &'a dyn Fn(&Estimate) -> bool,
    /// Used only where the project has no identity yet.
    pub fresh_uuid: &'a str,
    /// A project's own prices: file name and text.
    pub prices: Option<(&'a str, &'a str)>,
}
