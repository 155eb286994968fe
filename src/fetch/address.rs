//! Which addresses may be connected to, and names resolved once and held to what was checked.
//!
//! A page, a sitemap or a client's list must never lead the crawler into the network it runs in:
//! a name is refused when any of its addresses is, and only a checked address is connected to.

use std::collections::BTreeMap;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use crate::fetch::exchange::FetchError;

/// What a resolver gives back: addresses, or why there are none.
pub type Lookup = Pin<Box<dyn Future<Output = Result<Vec<IpAddr>, String>> + Send>>;

/// Turns a name into addresses.
pub trait Resolve: Send + Sync {
    /// All addresses of `host`, in the resolver's order.
    fn lookup(&self, host: &str) -> Lookup;
}

/// The system's resolver.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn lookup(&self, host: &str) -> Lookup {
        let host = host.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((host.as_str(), 0)).await;
            found.map(|it| it.map(|it| it.ip()).collect()).map_err(|cause| cause.to_string())
        })
    }
}

/// Why an address is not connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressKind {
    Public,
    /// May be connected to where the source says so: loopback, private and shared ranges.
    Private,
    /// Never: metadata services, link-local, multicast, reserved, unspecified.
    Forbidden,
}

/// Names resolved once, checked, and held to the answer until a connection fails.
pub struct AddressGuard {
    resolver: Arc<dyn Resolve>,
    pinned: Mutex<BTreeMap<String, Vec<IpAddr>>>,
}

impl AddressGuard {
    /// A guard that asks `resolver`.
    pub fn new(resolver: Arc<dyn Resolve>) -> Self {
        Self { resolver, pinned: Mutex::default() }
    }

    /// The checked addresses of `host`: a name, or an address in any spelling the URL standard
    /// knows, with or without brackets.
    ///
    /// # Errors
    /// When the name has no address, or any of its addresses must not be connected to.
    pub async fn check(
        &self,
        host: &str,
        private_allowed: bool,
    ) -> Result<Vec<IpAddr>, FetchError> {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let addresses = match bare.parse::<IpAddr>() {
            Ok(literal) => vec![literal],
            Err(_) => self.resolve(host).await?,
        };
        for address in &addresses {
            let is_refused = match kind_of(*address) {
                AddressKind::Public => false,
                AddressKind::Private => !private_allowed,
                AddressKind::Forbidden => true,
            };
            if is_refused {
                return Err(FetchError::RefusedAddress {
                    host: host.to_owned(),
                    address: address.to_string(),
                });
            }
        }
        Ok(addresses)
    }

    /// Forgets what `host` resolved to, so that the next check asks again.
    pub fn forget(&self, host: &str) {
        self.pinned.lock().unwrap_or_else(PoisonError::into_inner).remove(host);
    }

    async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, FetchError> {
        let unresolved = |detail: String| FetchError::Unresolved { host: host.to_owned(), detail };
        let pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner).get(host).cloned();
        if let Some(addresses) = pinned {
            return Ok(addresses);
        }
        let addresses = self.resolver.lookup(host).await.map_err(unresolved)?;
        if addresses.is_empty() {
            return Err(unresolved("the name has no address".to_owned()));
        }
        // Two lookups at once: the first answer stands for both.
        let mut pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(pinned.entry(host.to_owned()).or_insert(addresses).clone())
    }
}

/// What kind of address it is, by the IANA special-purpose registries (RFC 6890 and successors).
/// Forms that carry an IPv4 address inside are judged by that address.
pub fn kind_of(address: IpAddr) -> AddressKind {
    match address {
        IpAddr::V4(it) => kind_of_v4(it),
        IpAddr::V6(it) => kind_of_v6(it),
    }
}

fn kind_of_v4(address: Ipv4Addr) -> AddressKind {
    let [a, b, c, d] = address.octets();
    match (a, b, c, d) {
        // Addresses on which clouds answer with credentials of the machine.
        (168, 63, 129, 16) | (100, 100, 100, 200) | (192, 0, 0, 192) => AddressKind::Forbidden,
        (127 | 10, ..) | (172, 16..=31, ..) | (192, 168, ..) | (100, 64..=127, ..) => {
            AddressKind::Private
        }
        (0 | 224..=255, ..)
        | (169, 254, ..)
        | (192, 0, 0 | 2, _)
        | (192, 88, 99, _)
        | (198, 18 | 19, ..)
        | (198, 51, 100, _)
        | (203, 0, 113, _) => AddressKind::Forbidden,
        _ => AddressKind::Public,
    }
}

fn kind_of_v6(address: Ipv6Addr) -> AddressKind {
    let words = address.segments();
    let v4 = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        kind_of_v4(Ipv4Addr::new(a, b, c, d))
    };
    match words {
        [0, 0, 0, 0, 0, 0, 0, 0] => AddressKind::Forbidden,
        [0, 0, 0, 0, 0, 0, 0, 1] => AddressKind::Private,
        // Mapped, translated, compatible and NAT64 forms.
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0, 0, 0, 0, 0, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x64, 0xff9b, 1, ..] => AddressKind::Forbidden,
        [0x2002, high, low, ..] => v4(high, low),
        // Teredo, ORCHID, benchmarking and documentation.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => {
            AddressKind::Forbidden
        }
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] => AddressKind::Forbidden,
        [0xfc00..=0xfdff, ..] => AddressKind::Private,
        [0x2000..=0x3fff, ..] => AddressKind::Public,
        _ => AddressKind::Forbidden,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> AddressKind {
        kind_of(text.parse().unwrap())
    }

    #[test]
    fn only_globally_routed_addresses_are_public() {
        for public in ["93.184.216.34", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"] {
            assert_eq!(kind(public), AddressKind::Public, "{public}");
        }
        for private in
            ["127.0.0.1", "127.9.9.9", "10.0.0.5", "172.31.255.1", "192.168.0.1", "100.64.0.1"]
        {
            assert_eq!(kind(private), AddressKind::Private, "{private}");
            assert_eq!(kind(&format!("::ffff:{private}")), AddressKind::Private, "{private}");
        }
        assert_eq!(kind("::1"), AddressKind::Private);
        assert_eq!(kind("fd12::1"), AddressKind::Private);
        for never in [
            "0.0.0.0",
            "169.254.169.254",
            "168.63.129.16",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "::",
            "fe80::1",
            "ff02::1",
            "fd00:ec2::254",
            "64:ff9b::a9fe:a9fe",
            "2002:a9fe:a9fe::",
            "2001:db8::1",
        ] {
            assert_eq!(kind(never), AddressKind::Forbidden, "{never}");
        }
        assert_eq!(kind("64:ff9b::7f00:1"), AddressKind::Private);
        assert_eq!(kind("2002:0a00:0005::"), AddressKind::Private);
    }

    /// Answers from a list, one entry a call, the last one for ever.
    struct Scripted(Mutex<Vec<Vec<IpAddr>>>);

    impl Resolve for Scripted {
        fn lookup(&self, _: &str) -> Lookup {
            let mut left = self.0.lock().unwrap();
            let answer = if left.len() > 1 { left.remove(0) } else { left[0].clone() };
            Box::pin(async move { Ok(answer) })
        }
    }

    fn guard(answers: &[&[&str]]) -> AddressGuard {
        let parse = |it: &&[&str]| it.iter().map(|it| it.parse().unwrap()).collect();
        AddressGuard::new(Arc::new(Scripted(Mutex::new(answers.iter().map(parse).collect()))))
    }

    #[tokio::test]
    async fn a_name_is_refused_when_any_of_its_addresses_is() {
        let guard = guard(&[&["93.184.216.35", "10.0.0.5"]]);
        let error = guard.check("inner.example", false).await.unwrap_err();
        assert!(
            matches!(error, FetchError::RefusedAddress { address, .. } if address == "10.0.0.5")
        );
        assert!(guard.check("inner.example", true).await.is_ok());
    }

    #[tokio::test]
    async fn a_name_that_flips_stays_with_the_address_that_was_checked() {
        let guard = guard(&[&["93.184.216.36"], &["127.0.0.1"]]);
        let first = guard.check("flip.example", false).await.unwrap();
        assert_eq!(guard.check("flip.example", false).await.unwrap(), first);
        guard.forget("flip.example");
        assert!(guard.check("flip.example", false).await.is_err());
    }

    #[tokio::test]
    async fn metadata_services_are_refused_even_where_private_ranges_are_allowed() {
        let guard = guard(&[&["169.254.169.254"]]);
        assert!(guard.check("meta.example", true).await.is_err());
        assert!(guard.check("[::ffff:169.254.169.254]", true).await.is_err());
        assert!(guard.check("[::1]", true).await.is_ok());
    }
}
