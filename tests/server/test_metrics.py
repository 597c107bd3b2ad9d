"""Metrics in the format of Prometheus, and who may read them."""

import asyncio
import random
import re
import time
from collections.abc import Callable

import pytest

from grandtour.engine.refusal import Refusal
from grandtour.server.metrics import SECONDS, Histogram, Metrics, MetricsReaders
from tests.server.client import Api
from tests.server.conftest import Serving
from tests.server.test_proxy import nginx

__all__ = ["nginx"]

LOCAL = frozenset({"127.0.0.0/8"})
SAMPLE = re.compile(r'([a-z_]+)(\{[a-z]+="[^"\n]*"\})? (-?[0-9.e+-]+|NaN|\+Inf)')


def read(api: Api) -> dict[str, float]:
    """Every sample by its name and label. Fails if a line is not in the format."""
    status, text, headers = api.fetch("GET", "/metrics")
    assert (status, headers["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    found: dict[str, float] = {}
    typed: set[str] = set()
    for line in text.splitlines():
        if line.startswith("#"):
            _, word, name, rest = line.split(" ", 3)
            assert word in ("HELP", "TYPE")
            assert rest
            typed.add(name)
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample, f"this is not a sample: {line}"
        assert {sample[1], re.sub("_(bucket|sum|count)$", "", sample[1])} & typed, f"{sample[1]} has no type"
        name = sample[1] + (sample[2] or "")
        assert name not in found, f"{name} occurs twice"
        found[name] = float(sample[3])
    return found


def test_moves_refusals_and_times_are_counted(serving: Serving) -> None:
    api = serving(metrics_from=LOCAL)
    opened = api.open("me", "random", options={"turn_limit": 10})
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(1).choice, moves=3)
        me.until(me.my_turn)
        assert me.move({"do": "nothing of the kind"})["type"] == "refused"
        api.request("GET", "/api/tables/nowhere")
        during = read(api)
        acknowledged = len([message for message in me.received if message["type"] == "ack"])
        assert during['grandtour_moves_total{by="person"}'] == acknowledged == 3
        assert during['grandtour_moves_total{by="bot"}'] >= 1
        assert during['grandtour_refusals_total{code="unknown-table"}'] == 1
        assert sum(count for name, count in during.items() if name.startswith("grandtour_refusals_total")) == 2
        stored = during["grandtour_store_seconds_count"]
        assert stored >= 4, "opening the table, and three moves"
        assert during['grandtour_store_seconds_bucket{le="+Inf"}'] == stored
        assert during["grandtour_send_seconds_count"] >= acknowledged
        assert during["grandtour_bot_seconds_count"] >= 1
        assert during["grandtour_sockets"] == 1
        assert during['grandtour_tables{phase="playing"}'] == 1
        assert during["grandtour_tables_bytes"] > 0
        assert during["grandtour_connections"] >= 1
        assert during["grandtour_store_ok"] == 1
        assert during["process_resident_memory_bytes"] > 1e6
    api.until(lambda: read(api)["grandtour_sockets"] == 0)
    api.until(lambda: read(api)["grandtour_loop_lag_seconds_count"] > 0)


def test_a_histogram_adds_up() -> None:
    histogram = Histogram("t", "Times.")
    for seconds in (0.0, 0.0005, 0.0006, 3.0, 100.0):
        histogram.observe(seconds)
    lines = dict(line.rsplit(" ", 1) for line in histogram.lines() if not line.startswith("#"))
    assert lines['t_bucket{le="0.0005"}'] == "2"
    assert lines['t_bucket{le="0.001"}'] == "3"
    assert lines['t_bucket{le="5.0"}'] == "4"
    assert lines['t_bucket{le="+Inf"}'] == lines["t_count"] == "5"
    assert float(lines["t_sum"]) == pytest.approx(103.0011)
    assert len(lines) == len(SECONDS) + 3


def test_a_blocked_event_loop_is_measured() -> None:
    async def main() -> float:
        metrics = Metrics()
        watching = asyncio.create_task(metrics.watch_lag())
        await asyncio.sleep(0.01)
        time.sleep(0.4)  # noqa: ASYNC251 - to hold the loop up
        await asyncio.sleep(0.15)
        watching.cancel()
        return metrics.lag.longest

    assert asyncio.run(main()) >= 0.2


def test_only_addresses_in_the_settings_can_read_the_metrics(serving: Serving) -> None:
    for settings in ({}, {"metrics_from": frozenset({"192.0.2.0/24"})}):
        status, text, _ = serving(**settings).fetch("GET", "/metrics")
        assert status == 404
        assert "grandtour_" not in text
    api = serving(metrics_from=frozenset({"127.0.3.1"}))
    assert api.fetch("GET", "/metrics")[0] == 404
    assert api.seen_from("127.0.3.1").fetch("GET", "/metrics")[0] == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via"])
def test_metrics_cannot_be_read_through_a_proxy(serving: Serving, header: str) -> None:
    for proxies in (frozenset[str](), LOCAL):
        api = serving(metrics_from=LOCAL, proxies=proxies)
        assert api.fetch("GET", "/metrics", headers={header: "127.0.0.1"})[0] == 404


def test_nginx_as_configured_in_the_guide_shows_no_metrics(serving: Serving, nginx: Callable[[str], Api]) -> None:
    direct = serving(metrics_from=LOCAL)
    assert direct.fetch("GET", "/metrics")[0] == 200
    assert nginx(direct.url).fetch("GET", "/metrics")[0] == 404


def test_invalid_addresses_are_refused() -> None:
    with pytest.raises(Refusal, match="an address or a network"):
        MetricsReaders(["prometheus.example"])
