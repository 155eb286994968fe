//! Returned files as they came, kept by their digest: what a signature names can be looked at again.

use std::path::PathBuf;

use crate::model::returned::FileKind;
use crate::pipeline::project::ProjectPaths;

/// Where a returned file is kept, relative to the project, so that people can open it.
pub fn kept_name(run: &str, digest: &str, kind: FileKind) -> String {
    format!("review/{run}/returned-{digest}.{}", kind.as_str())
}

/// The kept file with this digest, whatever run it belongs to; what is not that file is none.
pub fn kept_file(project: &ProjectPaths, digest: &str) -> Option<Vec<u8>> {
    kept_paths(project, digest).into_iter().find_map(|it| std::fs::read(it).ok())
}

fn kept_paths(project: &ProjectPaths, digest: &str) -> Vec<PathBuf> {
    let is_digest = digest.len() == 64 && digest.bytes().all(|it| it.is_ascii_hexdigit());
    if !is_digest {
        return Vec::new();
    }
    let runs = std::fs::read_dir(project.review()).into_iter().flatten().flatten();
    let kinds = [FileKind::Xlsx, FileKind::Ods, FileKind::Csv];
    let mut paths: Vec<PathBuf> = runs
        .flat_map(|run| {
            kinds.map(|it| run.path().join(format!("returned-{digest}.{}", it.as_str())))
        })
        .filter(|it| it.is_file())
        .collect();
    paths.sort();
    paths
}
