"""Settings from a file, the environment and the command line, all from one list."""

import tomllib
from pathlib import Path

import pytest

from grandtour.cli import main
from grandtour.engine.refusal import Refusal
from grandtour.server import serve
from grandtour.server.configuration import all_settings, configure, settings_in_force, settings_table
from grandtour.server.settings import Limits, Rate, Settings

GUIDE = Path(__file__).parents[2] / "docs" / "operate.md"


def test_defaults_apply_without_any_settings() -> None:
    settings, sources = configure()
    assert settings == Settings(settings.data)
    assert sources == {}


def test_the_command_line_overrides_the_environment_which_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "grandtour.toml"
    file.write_text(
        'port = 1\nbot_pause = 1\nidle = 1.5\nhosts = ["a.example", "b.example"]\n'
        "[limits]\nsockets = 7\nchat = [2, 3]\n"
    )
    environment = {"GRANDTOUR_PORT": "2", "GRANDTOUR_BOT_PAUSE": "2.5", "GRANDTOUR_LIMITS_FRAMES": "5,6", "HOME": "/"}
    settings, sources = configure(file, environment, {"port": 3, "limits.reviews": "9", "proxies": "10.0.0.1, ::1"})
    assert (settings.port, settings.bot_pause, settings.idle) == (3, 2.5, 1.5)
    assert settings.hosts == {"a.example", "b.example"}
    assert settings.proxies == {"10.0.0.1", "::1"}
    assert settings.limits == Limits(sockets=7, chat=Rate(2, 3), frames=Rate(5, 6), reviews=9)
    assert sources["port"] == "command line"
    assert sources["bot_pause"] == "$GRANDTOUR_BOT_PAUSE"
    assert sources["idle"] == str(file)


def test_the_printed_settings_are_a_file_with_the_same_effect(tmp_path: Path) -> None:
    configuration = configure(flags={"hosts": "x.example,y.example", "limits.tables": "0.5,4", "data": tmp_path / "d"})
    text = settings_in_force(configuration)
    assert "port = 8000  # built in" in text
    assert 'hosts = ["x.example", "y.example"]  # command line' in text
    file = tmp_path / "again.toml"
    file.write_text(text)
    assert tomllib.loads(text)["limits"]["tables"] == [0.5, 4]
    assert configure(file).settings == configuration.settings


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"nonsense": 1}, "There is no setting 'nonsense' (command line)"),
        ({"limits.nonsense": 1}, "There is no setting 'limits.nonsense'"),
        ({"limits": 1}, "There is no setting 'limits'"),
        ({"port": "many"}, "'port' (command line) is invalid"),
        ({"idle": -1}, "'idle' (command line) cannot be -1"),
        ({"limits.chat": "1"}, "'limits.chat' (command line) is invalid"),
        ({"bot_processes": 0}, "at least 1"),
        ({"proxies": "proxy.example"}, "an address or a network"),
        ({"proxy_header": "via"}, "'proxy_header' (command line) is invalid"),
    ],
)
def test_an_invalid_setting_is_refused_with_a_reason(flags: dict[str, object], words: str) -> None:
    with pytest.raises(Refusal) as refused:
        configure(flags=flags)
    assert words in refused.value.reason


def test_an_unreadable_file_or_variable_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be read"):
        configure(tmp_path / "nowhere.toml")
    (tmp_path / "bad.toml").write_text("port 7")
    with pytest.raises(Refusal, match="is not TOML"):
        configure(tmp_path / "bad.toml")
    with pytest.raises(Refusal, match="no setting 'GRANDTOUR_PROT'"):
        configure(environment={"GRANDTOUR_PROT": "1"})


def test_check_prints_the_settings_and_starts_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    serve(port=1, data=tmp_path / "none", check=True, bot_pause=0.25)
    said = capsys.readouterr().out
    assert "port = 1  # command line" in said
    assert "bot_pause = 0.25  # command line" in said
    assert not (tmp_path / "none").exists()


def test_the_guide_lists_every_setting() -> None:
    assert [each.name for each in all_settings() if not each.about] == [], "these have no docstring in settings.py"
    assert settings_table() in GUIDE.read_text("utf-8"), (
        "the list of settings in docs/operate.md is old; write it again:"
        " python -c 'from grandtour.server.configuration import settings_table; print(settings_table())'"
    )


@pytest.mark.parametrize(
    "address", ["postgresql://ada:hush@host/games", "postgresql://host/games?password=hush&user=ada"]
)
def test_the_password_of_a_database_is_not_printed(address: str) -> None:
    text = settings_in_force(configure(environment={"GRANDTOUR_STORE": address}))
    assert "hush" not in text
    assert "***" in text
    assert "ada" in text


def test_a_server_with_a_database_can_leave_bots_to_others() -> None:
    store = "postgresql://db.example.org/grandtour"
    assert configure(flags={"bot_processes": 0, "store": store}).settings.bot_processes == 0


def test_check_prints_the_settings_of_a_bot_server(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bots", "--check", "--store", "postgresql://me:secret@db.example.org/it", "--processes", "3"]
    assert main([*arguments, "--set", "inside_host=10.0.0.7"]) == 0
    printed = tomllib.loads(capsys.readouterr().out)
    assert (printed["bot_processes"], printed["inside_host"]) == (3, "10.0.0.7")
    assert printed["store"] == "postgresql://me:***@db.example.org/it"
