//! One run at a time in a project. A lock left by a dead process is taken over, and said so.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Held while a run goes on; given back when dropped.
#[derive(Debug)]
pub struct ProjectLock {
    path: PathBuf,
    /// Process id of the dead holder whose lock was taken over.
    pub taken_over_from: Option<u32>,
}

/// Why the lock was not given.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("{path}: process {pid} is at work on this project; wait for it, or stop it")]
    Held { path: String, pid: u32 },
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
}

impl ProjectLock {
    /// Takes the lock of the project in `root` for process `pid`.
    ///
    /// # Errors
    /// When a living process holds it, or the file cannot be written.
    pub fn take(root: &Path, pid: u32) -> Result<Self, LockError> {
        let path = root.join(".countersign.lock");
        let shown = path.display().to_string();
        let mut taken_over_from = None;
        loop {
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    writeln!(file, "{pid}")
                        .map_err(|source| LockError::Io { path: shown, source })?;
                    return Ok(Self { path, taken_over_from });
                }
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {
                    let holder: u32 = fs::read_to_string(&path)
                        .ok()
                        .and_then(|it| it.trim().parse().ok())
                        .unwrap_or(0);
                    if holder != pid && is_alive(holder) {
                        return Err(LockError::Held { path: shown, pid: holder });
                    }
                    taken_over_from = Some(holder);
                    fs::remove_file(&path)
                        .map_err(|source| LockError::Io { path: shown.clone(), source })?;
                }
                Err(source) => return Err(LockError::Io { path: shown, source }),
            }
        }
    }
}

impl Drop for ProjectLock {
    fn drop(&mut self) {
        // A lock that cannot be removed is taken over by the next run.
        let _ = fs::remove_file(&self.path);
    }
}

/// A process that cannot be looked up counts as dead: on systems without /proc a second run is
/// the operator's to avoid.
fn is_alive(pid: u32) -> bool {
    pid != 0 && Path::new("/proc").join(pid.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_holders_lock_is_taken_over_and_a_living_ones_is_not() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".countersign.lock"), "4000000000\n").unwrap();
        let lock = ProjectLock::take(dir.path(), 7).unwrap();
        assert_eq!(lock.taken_over_from, Some(4_000_000_000));
        drop(lock);
        let own = std::process::id();
        let lock = ProjectLock::take(dir.path(), own).unwrap();
        assert_eq!(lock.taken_over_from, None);
        assert!(
            matches!(ProjectLock::take(dir.path(), 7), Err(LockError::Held { pid, .. }) if pid == own)
        );
        drop(lock);
        assert!(!dir.path().join(".countersign.lock").exists());
    }
}
