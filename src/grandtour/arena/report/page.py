"""Renders a report as one self-contained HTML file."""

import json
import shlex
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from typing import NamedTuple

from grandtour import __version__
from grandtour.arena.report import effect_sections, findings
from grandtour.arena.report.findings import Drawing, Section, Table
from grandtour.arena.report.formatting import number, percent, quantile
from grandtour.arena.report.sample import Sample
from grandtour.engine.words import join_and
from grandtour.players.pipe import DEADLINE

NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six"}
SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


class Chapter(NamedTuple):
    """Related findings, with an introduction to all of them."""

    title: str
    intro: str
    sections: list[Section]


def chapters(sample: Sample) -> list[Chapter]:
    """All chapters that have something to report."""
    study = sample.game.study
    game = [findings.players, findings.seats, findings.length, findings.endings, findings.scores, findings.finishes]
    found = [Chapter("The game", "", _existing(make(sample) for make in game))]
    if study and study.chart:
        kind = next(kind for kind in study.choice if kind.one == study.chart.kind)
        found.append(Chapter("The map", "", _existing([effect_sections.map_section(sample, study.chart, kind)])))
    found.append(Chapter("What players choose", "", _existing([findings.choices(sample)])))
    if study:
        by_chance = _existing(effect_sections.effect_section(sample, kind) for kind in study.chance)
        # If everyone ends up using what they were dealt, the same figures would appear twice.
        shown = [section.table.rows for section in by_chance if section.table]
        by_choice = _existing(effect_sections.effect_section(sample, kind) for kind in study.choice)
        new = [section for section in by_choice if section.table and section.table.rows not in shown]
        found.append(Chapter("What chance deals", effect_sections.BY_CHANCE, by_chance))
        found.append(Chapter("What players get", effect_sections.BY_CHOICE, new))
    return [chapter for chapter in found if chapter.sections]


def _existing(some: Iterable[Section | None]) -> list[Section]:
    return [section for section in some if section]


def make_page(sample: Sample) -> str:
    """The whole page."""
    game = sample.game
    found = chapters(sample)
    body = [
        _header(sample),
        _summary([section for chapter in found for section in chapter.sections]),
        *map(_chapter, found),
        _footer(sample),
    ]
    style = files(__package__).joinpath("page.css").read_text("utf-8")
    title = f"{game.title}: what {sample.games:,} games show"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{SECURITY_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def _header(sample: Sample) -> str:
    figures = [
        (f"{sample.games:,}".replace(",", " "), "games"),
        (str(sample.seats), "players at the table"),
        (number(quantile([float(moves) for moves in sample.moves], 0.5)), "moves in a typical game"),
    ]
    if sample.game.team:
        figures.append((percent(sample.mean_share()), "of the maximum result on average"))
    elif sample.by_order[0]:
        figures.append((percent(sum(sample.by_order[0]) / sample.games), "of games won by the first player"))
    cells = "".join(f"<div><dt>{escape(what)}</dt><dd>{escape(figure)}</dd></div>" for figure, what in figures)
    return (
        f'<header><p class="kicker">Grand Tour · a report</p><h1>{escape(sample.game.title)}</h1>'
        f'<p class="lead">{escape(_who_played(sample))}</p><dl class="figures">{cells}</dl></header>'
    )


def _who_played(sample: Sample) -> str:
    names = list(sample.plan.players)
    if len(sample.names) == 1:
        seats = f"all {NUMBERS[len(names)]} seats" if len(names) > 2 else "both seats"
        who = f"The player “{names[0]}” sat in {seats}"
    else:
        who = f"The players {join_and([f'“{name}”' for name in names])} shared a table and changed seats every game"
    return f"{who}. The report shows how the game behaves among such players; people may play differently."


def _summary(found: list[Section]) -> str:
    clear = [section for section in found if section.clear]
    items = "".join(f'<li><a href="#{section.anchor}">{escape(section.heading)}</a></li>' for section in clear)
    unclear = [section for section in found if not section.clear]
    rest = ""
    if unclear:
        links = join_and([f'<a href="#{section.anchor}">{escape(section.topic)}</a>' for section in unclear])
        rest = f'<p class="quiet">No clear differences were found for {links}.</p>'
    return f'<nav class="short" aria-label="Summary"><h2>Summary</h2><ol>{items}</ol>{rest}</nav>'


def _chapter(chapter: Chapter) -> str:
    intro = f'<p class="intro">{escape(chapter.intro)}</p>' if chapter.intro else ""
    return f'<h2 class="chapter">{escape(chapter.title)}</h2>{intro}' + "".join(map(_section, chapter.sections))


def _section(section: Section) -> str:
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in section.text)
    drawings = "".join(map(_figure, section.drawings))
    table = _table(section.table) if section.table else ""
    wide = " wide" if len(section.drawings) > 1 else ""
    return (
        f'<section id="{section.anchor}" class="finding{wide}"><div class="words"><h3>{escape(section.heading)}</h3>'
        f'{text}{table}</div><div class="drawings">{drawings}</div></section>'
    )


def _figure(drawing: Drawing) -> str:
    keys = "".join(
        f'<li><span style="background: var(--{colour})"></span>{escape(words)}</li>' for colour, words in drawing.legend
    )
    legend = f'<ul class="legend">{keys}</ul>' if keys else ""
    return f"<figure>{drawing.svg}{legend}<figcaption>{escape(drawing.caption)}</figcaption></figure>"


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in table.head)
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in table.rows
    )
    return (
        f"<details><summary>{escape(table.title)}</summary>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></details>"
    )


def _footer(sample: Sample) -> str:
    plan = sample.plan
    options = ", ".join(f"{name} {json.dumps(value).strip(chr(34))}" for name, value in plan.options.items()) or "none"
    asked = "" if sample.games == plan.games else f" of {plan.games:,} planned"
    command = ["grandtour", "report", plan.game, "--players", ",".join(plan.players)]
    command += ["--games", str(plan.games), "--seed", str(plan.seed)]
    for option in sample.game.options:
        if plan.options[option.name] != option.default:
            command += ["--option", f"{option.name}={plan.options[option.name]}"]
    if plan.deadline != DEADLINE:
        command += ["--deadline", str(plan.deadline)]
    rows = [
        ("Sample", f"{sample.games:,} simulated games{asked}"),
        ("Players", ", ".join(plan.players)),
        ("Options", options),
        ("Seed", str(plan.seed)),
        ("Version", f"Grand Tour {__version__}, rules {sample.game.version} of {sample.game.title}"),
    ]
    if forfeited := sample.forfeit_lines():
        rows.insert(2, ("Forfeits", " ".join(forfeited)))
    lines = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in rows)
    return (
        '<footer id="sample"><h2>How this report was made</h2>'
        f"<dl>{lines}</dl><p>The same command gives the same page:</p>"
        f"<pre><code>{escape(shlex.join(command))}</code></pre>"
        f"<p>{'A shared win counts as a fraction. ' if sample.split else ''}"
        "Intervals are 95 % confidence intervals; each game is one observation. "
        "An effect is the difference between those who had something and the same players' average.</p>"
        "</footer>"
    )
