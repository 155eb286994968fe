//! The settings in force as lines for people and scripts: key, value, origin; never a key's value.

use serde::Serialize;
use serde_json::Value;

use crate::sources::config_file::{ConfigReading, Origin};

/// One setting in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownSetting {
    /// `extractor.model`.
    pub key: String,
    /// As it would be written in the file; empty where nothing is set.
    pub value: String,
    pub origin: Origin,
}

/// Every setting, ordered by key.
pub fn shown_settings(reading: &ConfigReading) -> Vec<ShownSetting> {
    let all = serde_json::to_value(&reading.config).unwrap_or(Value::Null);
    reading
        .origins
        .iter()
        .map(|(key, origin)| {
            let value = all.pointer(&format!("/{}", key.replace('.', "/"))).unwrap_or(&Value::Null);
            ShownSetting { key: key.clone(), value: plain(value), origin: origin.clone() }
        })
        .collect()
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(pairs) => {
            let pairs: Vec<String> =
                pairs.iter().map(|(key, it)| format!("{key}={}", plain(it))).collect();
            pairs.join(",")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::config_file::{Overrides, read_config};
    use crate::sources::setting::SECTIONS;

    #[test]
    fn every_setting_is_shown_with_value_and_origin() {
        let file = "name = \"海港\"\n[budget]\nmax_cost = 12.50\n[crawl.connect_to]\n\
                    \"b.example\" = \"127.0.0.1:2\"\n\"a.example\" = \"127.0.0.1:1\"\n";
        let reading =
            read_config("countersign.toml", file.as_bytes(), &Overrides::default()).unwrap();
        let shown = shown_settings(&reading);
        let n_settings: usize = SECTIONS.iter().map(|(_, keys)| keys.len()).sum();
        assert_eq!(shown.len(), n_settings);
        let of = |key: &str| shown.iter().find(|it| it.key == key).unwrap();
        assert_eq!(of("name").value, "海港");
        assert_eq!(of("name").origin.to_string(), "countersign.toml, line 1");
        assert_eq!(of("budget.max_cost").value, "12.50");
        assert_eq!(of("budget.quote_above").value, "");
        assert_eq!(of("crawl.connect_to").value, "a.example=127.0.0.1:1,b.example=127.0.0.1:2");
        assert_eq!(of("extractor.answerer").value, "rules");
        assert_eq!(of("extractor.answerer").origin, Origin::Default);
    }
}
