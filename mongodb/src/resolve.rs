//! Names of servers under WASI. There the driver cannot look up names: it does so on a thread, there are none, and the guest
//! ends. It takes addresses as they are, so names are looked up before it sees them.
//!
//! Members of a replica set tell the driver what they are called, and it goes by that and no longer by what it was given.
//! Where those are names it is not to hear them: it is sent straight to the primary, and keeps to that server.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, SocketAddrV4, TcpStream, ToSocketAddrs};
use std::time::Duration;

use bson::{Bson, Document, doc};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use mongodb::Client;
use mongodb::error::Result as DriverResult;
use mongodb::options::{ClientOptions, ServerAddress};

/// The port where the address names none.
const PORT: u16 = 27017;

/// How long is waited for a connection that is only to show whether there may be any.
const MOMENT: Duration = Duration::from_millis(1);

/// Returns options with which the driver meets no name, whatever the servers call each other.
pub(crate) async fn reachable(mut options: ClientOptions) -> DriverResult<ClientOptions> {
    options.hosts = resolved(options.hosts).map_err(io::Error::other)?;
    if options.direct_connection == Some(true) || options.load_balanced == Some(true) {
        return Ok(options);
    }
    let Some(server) = only_way(&options).await? else { return Ok(options) };
    options.hosts = vec![server];
    options.direct_connection = Some(true);
    Ok(options)
}

/// Asks all servers, and returns the primary where the driver would meet names on its way to it; where none of them knows
/// of a primary, the one that said so.
async fn only_way(options: &ClientOptions) -> DriverResult<Option<ServerAddress>> {
    let mut asked: FuturesUnordered<_> = options.hosts.iter().map(|server| hello(options, server)).collect();
    let (mut without_primary, mut fault) = (None, None);
    while let Some(answer) = asked.next().await {
        let (server, answer) = match answer {
            Ok(answer) => answer,
            Err(error) => {
                fault = Some(error);
                continue;
            }
        };
        if members(&answer).all(|member| member.parse::<SocketAddrV4>().is_ok()) {
            return Ok(None);
        }
        // What the primary is called matters only to who has not reached it yet.
        if answer.get_bool("isWritablePrimary").unwrap_or_default() {
            return Ok(Some(server));
        }
        if let Ok(primary) = answer.get_str("primary") {
            return one(ServerAddress::parse(primary)?).map(Some).map_err(|fault| io::Error::other(fault).into());
        }
        without_primary = Some(server);
    }
    match (without_primary, fault) {
        (None, Some(fault)) => Err(fault),
        (server, _) => Ok(server),
    }
}

/// Asks one server who it is. It says so to everybody.
async fn hello(options: &ClientOptions, server: &ServerAddress) -> DriverResult<(ServerAddress, Document)> {
    let mut options = options.clone();
    options.hosts = vec![server.clone()];
    options.direct_connection = Some(true);
    (options.repl_set_name, options.credential) = (None, None);
    let client = Client::with_options(options)?;
    let answer = client.database("admin").run_command(doc! { "hello": 1 }).await;
    client.shutdown().immediate(true).await;
    Ok((server.clone(), answer?))
}

/// Lists what the members of a server's replica set are called; a server by itself has none.
fn members(hello: &Document) -> impl Iterator<Item = &str> {
    let lists = ["hosts", "passives", "arbiters"].into_iter().filter_map(|list| hello.get_array(list).ok());
    lists.flatten().filter_map(Bson::as_str)
}

/// Puts an address in the place of each name, or says what is wrong and what to do.
fn resolved(hosts: Vec<ServerAddress>) -> Result<Vec<ServerAddress>, String> {
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
