//! Where the links of a chain are read from: a project's own files or a bundle's parts. Says what is
//! there; proves nothing.

use crate::model::source::Field;

/// Where the links are read from. A string says why one cannot be read.
pub trait Links {
    /// A canonical text by its digest.
    ///
    /// # Errors
    /// When it is not there or is not what its name says.
    fn text(&self, source: &str, digest: &str) -> Result<String, String>;

    /// The page's raw bytes by their digest.
    ///
    /// # Errors
    /// When they are not there or are not what their name says.
    fn raw(&self, source: &str, digest: &str) -> Result<Vec<u8>, String>;

    /// Ask and answer as they stand on file.
    ///
    /// # Errors
    /// When one of them is not there.
    fn exchange(&self, ask: &str) -> Result<(String, String), String>;

    /// The declared fields of a source.
    fn fields(&self, source: &str) -> Vec<Field>;
}
