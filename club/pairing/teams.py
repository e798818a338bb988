"""Fixed teams of two: each is paired like one person, and partners sit opposite each other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from club.pairing import model
from club.pairing.pair import pair

Team = tuple[str, str]


def pair_teams(
    mode: model.Mode, request: model.PairingRequest, teams: Sequence[Team]
) -> model.Round:
    """Return a round of two teams at each table; people without their partner sit out.

    PairingError `few-teams` if there are not two whole teams.
    """
    whole = {" ".join(team): team for team in teams if set(team) <= set(request.people)}
    if len(whole) < 2:
        raise model.PairingError("few-teams", round=request.number, n=len(whole))
    team_of = {p: " ".join(team) for team in teams for p in team}
    paired = pair(
        mode,
        replace(
            request,
            people=tuple(whole),
            history=tuple(_of_teams(each, team_of) for each in request.history),
            results=tuple(_scored(each, team_of) for each in request.results),
            per_table=2,
            roster=tuple(team_of[team[0]] for team in teams),
        ),
    )
    # partners take turns at the first move
    tables = [
        [whole[name][:: 1 if request.number % 2 else -1] for name in table.people]
        for table in paired.tables
    ]
    byes = [p for name in paired.byes for p in whole[name]]
    in_teams = {p for team in whole.values() for p in team}
    return model.Round(
        paired.number,
        tuple(
            model.Seating((one[0], two[0], one[1], two[1]), table.game)
            for (one, two), table in zip(tables, paired.tables, strict=True)
        ),
        (*byes, *(p for p in request.people if p not in in_teams)),
    )


def _names(people: Sequence[str], team_of: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(team_of.get(p, p) for p in people))


def _of_teams(played: model.Round, team_of: Mapping[str, str]) -> model.Round:
    tables = tuple(model.Seating(_names(each.people, team_of), each.game) for each in played.tables)
    return model.Round(played.number, tables, _names(played.byes, team_of))


def _scored(result: model.TableResult, team_of: Mapping[str, str]) -> model.TableResult:
    ranks = {team_of.get(seat.p or "", seat.p): seat.rank for seat in result.seats}
    return replace(result, seats=tuple(model.Scored(name, rank) for name, rank in ranks.items()))
