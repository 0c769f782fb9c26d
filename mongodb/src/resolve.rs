//! Names of servers under WASI. There the driver cannot look up names: it does so on a thread, and there are none. It takes
//! addresses as they are, so names are looked up before it sees them.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use mongodb::options::ServerAddress;

/// The port where the address names none.
const PORT: u16 = 27017;

/// How long is waited for a connection that is only to show whether there may be any.
const MOMENT: Duration = Duration::from_millis(1);

/// Puts an address in the place of each name, or says what is wrong and what to do.
pub(crate) fn resolved(hosts: Vec<ServerAddress>) -> Result<Vec<ServerAddress>, String> {
    hosts.into_iter().map(one).collect()
}

fn one(server: ServerAddress) -> Result<ServerAddress, String> {
    let ServerAddress::Tcp { host, port } = &server else { return Ok(server) };
    let found = (bare(host), port.unwrap_or(PORT)).to_socket_addrs();
    let found = found.map_err(|error| {
        format!(
            "looking up the name {host} failed ({error}): check the name, and that the host lets the component look up \
             names (wasmtime run -S inherit-network -S allow-ip-name-lookup)"
        )
    })?;
    let address = preferred(found).ok_or_else(|| format!("the name {host} leads to no address: check the name"))?;
    if is_forbidden(address) {
        return Err(format!(
            "the component may not connect to {address}: let the host give it the network (wasmtime run \
             -S inherit-network -S allow-ip-name-lookup)"
        ));
    }
    Ok(ServerAddress::Tcp { host: written(address), port: Some(address.port()) })
}

/// Chooses one of a name's addresses: servers listen on IPv4 unless they are told otherwise, so that comes first, and
/// `localhost` is 127.0.0.1 before it is `::1`.
fn preferred(found: impl Iterator<Item = SocketAddr>) -> Option<SocketAddr> {
    // Of several that are equal the first is taken, which is the one that the host prefers.
    found.min_by_key(SocketAddr::is_ipv6)
}

/// Writes the address as the driver can read it without looking it up: it puts the port behind a colon, and behind an
/// address of IPv6 without brackets that is not understood.
fn written(address: SocketAddr) -> String {
    match address {
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    }
}

fn bare(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// Asks the host for a connection, to know at once what the driver would find out again and again until its patience ends.
/// Whether anybody answers is not asked here.
fn is_forbidden(address: SocketAddr) -> bool {
    TcpStream::connect_timeout(&address, MOMENT).is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}
