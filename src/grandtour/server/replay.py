"""A finished match, step by step, as one seat or an onlooker saw it."""

from grandtour.engine.dice import seal
from grandtour.engine.events import seen
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.server.bodies import Replay, ReplayStep
from grandtour.server.telling import final_of, prompt_for, sentences


def replay(match: Match, names: list[str], seat: int | None) -> Replay:
    """Every step with what was to be seen; `seat` None is an onlooker."""
    if seat is not None and not 0 <= seat < match.seats:
        raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
    game = match.game
    steps: list[ReplayStep] = []
    for n, (entry, events, state) in enumerate(match.steps()):
        shown = [seen(event, seat) for event in events]
        steps.append(
            ReplayStep(
                n,
                entry.seat if entry is not None else None,
                game.moves.name(entry.move) if entry is not None and entry.seat == seat else None,
                shown,
                sentences(game, shown, names, seat),
                game.view(state, seat),
                prompt_for(game, state, names, seat),
            )
        )
    return Replay(
        game.name,
        match.options,
        names,
        seal(match.seed) if isinstance(match.seed, bytes) else None,
        match.result(),
        final_of(game, match.state) if match.over else None,
        steps,
    )
