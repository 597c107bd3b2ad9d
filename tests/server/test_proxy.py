"""Behind a reverse proxy: every client is counted separately, and none can fake its address."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grandtour.engine.refusal import Refusal
from grandtour.server.http.proxies import Proxies
from grandtour.server.settings import Limits, Rate
from tests.server.client import PATIENCE, PLENTY, Api, Client
from tests.server.conftest import Serving

CLIENTS = 60
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{sites}
}}
"""
SHIPPED = Path(__file__).parents[2] / "deploy" / "nginx.conf"


def sites(behind: str, port: int) -> str:
    """The shipped nginx configuration for this server at this port, without TLS, which the client here cannot speak."""
    text = SHIPPED.read_text("utf-8")
    for line, instead in (
        ("http://127.0.0.1:8000", behind),
        ("listen 80;", f"listen 127.0.0.1:{port};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} default_server;"),
    ):
        assert line in text, f"{SHIPPED} has no {line!r}"
        text = text.replace(line, instead)
    return "\n".join(line for line in text.splitlines() if not line.strip().startswith("ssl_"))


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Callable[[str], Api]]:
    """A real nginx in front of a server."""
    if NGINX is None:
        assert not os.environ.get("CI"), "there is no nginx here, and this test needs one: apt-get install nginx-light"
        pytest.skip("there is no nginx here: apt-get install nginx-light")
    started: list[subprocess.Popen[bytes]] = []

    def start(behind: str) -> Api:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        folder = tmp_path / "nginx"
        folder.mkdir()
        (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, sites=sites(behind, port)), "utf-8")
        assert NGINX is not None
        command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
        started.append(subprocess.Popen(command))
        until = time.monotonic() + PATIENCE
        while started[-1].poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return Api(f"http://127.0.0.1:{port}")
            assert time.monotonic() < until, "nginx does not respond"
            time.sleep(0.02)
        pytest.fail(f"nginx has ended: {(folder / 'error.log').read_text()}")

    yield start
    for process in started:
        process.terminate()
        process.wait()


def join_from(api: Api, address: str, table: str) -> Client:
    return api.seen_from(address).join(table)


def test_sixty_clients_behind_one_proxy_count_as_sixty_addresses(serving: Serving, nginx: Callable[[str], Api]) -> None:
    direct = serving(limits=Limits(tables=PLENTY), proxies=frozenset({"127.0.0.1"}))
    api = nginx(direct.url)
    table = api.open("me", "open")["table"]
    with contextlib.ExitStack() as stack:
        for number in range(CLIENTS):
            stack.enter_context(join_from(api, f"127.0.2.{number + 1}", table))
        assert direct.get("/api/health")["sockets"] == CLIENTS


def test_a_client_behind_a_proxy_cannot_fake_its_address(serving: Serving, nginx: Callable[[str], Api]) -> None:
    direct = serving(limits=Limits(tables=Rate(0, 2)), proxies=frozenset({"127.0.0.1"}))
    api = nginx(direct.url)
    wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}
    statuses = [
        api.request("POST", "/api/tables", wanted, {"X-Forwarded-For": f"198.51.100.{number}", "Forwarded": "for=1"})[0]
        for number in range(3)
    ]
    assert statuses == [200, 200, 429]


def test_the_page_works_behind_a_proxy(serving: Serving, nginx: Callable[[str], Api]) -> None:
    api = nginx(serving(proxies=frozenset({"127.0.0.1"})).url)
    table = api.open("me", "open")["table"]
    Client(api.socket(table, origin=api.url), None, 0).close()


def test_the_shipped_nginx_configuration_is_valid(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if NGINX is None or openssl is None:
        pytest.skip("there is no nginx or no openssl here")
    for name in ("body", "proxy", "fastcgi", "uwsgi", "scgi"):
        (tmp_path / name).mkdir()
    made = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=play.example.org -keyout privkey.pem -out fullchain.pem"
    subprocess.run([openssl, *made.split()], cwd=tmp_path, check=True, capture_output=True)
    text = SHIPPED.read_text("utf-8").replace("/etc/letsencrypt/live/play.example.org", str(tmp_path))
    (tmp_path / "nginx.conf").write_text(CONFIGURATION.format(folder=tmp_path, sites=text), "utf-8")
    command = [NGINX, "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "error.log")]
    checked = subprocess.run(command, capture_output=True, text=True)
    # Only root may listen on port 443, and nginx tries.
    assert checked.returncode == 0 or "Permission denied" in checked.stderr, checked.stderr


def client_of(proxies: Proxies, peer: str, **headers: str) -> str | None:
    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    found = proxies.client({"type": "http", "client": (peer, 1), "headers": given})
    return found[0] if found else None


@pytest.mark.parametrize(
    ("peer", "said", "client"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, nonsense", "10.0.0.1"),
        ("10.0.0.1", "nonsense, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("192.0.2.5", "203.0.113.9", "192.0.2.5"),
    ],
)
def test_only_trusted_proxies_are_believed_and_only_about_their_own_clients(peer: str, said: str, client: str) -> None:
    ours = Proxies(["10.0.0.0/8"], "x-forwarded-for")
    assert client_of(ours, peer, x_forwarded_for=said, forwarded="for=192.0.2.77") == client


@pytest.mark.parametrize(
    ("said", "client"),
    [
        ("for=203.0.113.9", "203.0.113.9"),
        ('proto=https; For="[2001:db8::1]:4711"', "2001:db8::1"),
        ("for=198.51.100.1, for=203.0.113.9;by=10.0.0.3", "203.0.113.9"),
        ("for=unknown", "10.0.0.1"),
        ("proto=https", "10.0.0.1"),
    ],
)
def test_the_standard_forwarded_header_can_be_chosen(said: str, client: str) -> None:
    ours = Proxies(["10.0.0.1"], "forwarded")
    assert client_of(ours, "10.0.0.1", forwarded=said, x_forwarded_for="192.0.2.77") == client


def test_an_invalid_proxy_address_is_refused() -> None:
    with pytest.raises(Refusal, match="an address or a network"):
        Proxies(["proxy.example"], "x-forwarded-for")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example"]
)
def test_an_unknown_host_name_is_refused(api: Api, host: str) -> None:
    for path in ("/", "/api/games"):
        status, text, _ = api.fetch("GET", path, headers={"Host": host})
        assert status == 421, f"{path} is shown to {host}"
        assert "wrong-host" in text
    wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}
    status, refused = api.request("POST", "/api/tables", wanted, {"Host": host, "Origin": f"http://{host}"})
    assert (status, refused["code"]) == (421, "wrong-host")


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.:80", "127.0.0.1:1", "[::1]:80", "192.168.1.7", socket.gethostname()]
)
def test_ip_addresses_and_the_machines_own_names_are_accepted(api: Api, host: str) -> None:
    assert api.fetch("GET", "/api/games", headers={"Host": host})[0] == 200


def test_host_names_from_the_settings_are_accepted(serving: Serving) -> None:
    api = serving(hosts=frozenset({"play.example.org"}))
    assert api.fetch("GET", "/api/games", headers={"Host": "Play.Example.org"})[0] == 200
    assert api.fetch("GET", "/api/games", headers={"Host": "example.org"})[0] == 421
    api = serving(hosts=frozenset({"*"}))
    assert api.fetch("GET", "/api/games", headers={"Host": "example.org"})[0] == 200
