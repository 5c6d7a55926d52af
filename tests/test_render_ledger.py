"""The account of a session as people and programs read it: balances, payments and the chart."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.render import Paint, build_ledger_document, draw_ledger
from cp_cli.render.chart import HEIGHT, draw_chart
from cp_cli.render.lines import measure_text
from cp_cli.settlement import Hand, Item, Ledger, Money, Pair, Player, Settlement, Units
from tests.settled_deals import CASES, EURO, read_amount
from tests.test_settle_vectors import lay_table, load

History = list[dict[str, Units]]


# --- sessions ------------------------------------------------------------------------------------


def make_hand(name: str) -> Hand:
    return Hand(name, name, None, ())


def make_deal(paid: dict[tuple[str, str], int], **chips: int) -> Settlement:
    """Return a deal in which the second of each pair paid the first."""
    names = list(dict.fromkeys(name for pair in paid for name in pair))
    pairs = tuple(
        Pair(make_hand(a), make_hand(b), units, (Item("rows", None, units),))
        for (a, b), units in paid.items()
    )
    units = {
        name: sum(n * ((a == name) - (b == name)) for (a, b), n in paid.items()) for name in names
    }
    players = tuple(Player(name, units[name], chips=chips.get(name)) for name in names)
    return Settlement(tuple(map(make_hand, names)), pairs, players)


def open_ledger(*deals: Settlement) -> Ledger:
    ledger = Ledger()
    for deal in deals:
        ledger.add(deal)
    return ledger


SESSION = open_ledger(
    make_deal({("Amy", "Bob"): 3, ("Amy", "Cat"): -1, ("Bob", "Cat"): 2}, Amy=50),
    make_deal({("Amy", "Bob"): 4, ("Amy", "Dan"): 2, ("Bob", "Dan"): -5}, Amy=56),
)


def test_balances_and_pairs_of_a_session() -> None:
    """Worked by hand: Amy +2 +6, Bob -1 -9, Cat -1, Dan +3; Bob paid Amy 3 and 4."""
    told = [line.split() for line in draw_ledger(SESSION, Paint(80), EURO)]
    assert told[0] == ["after", "2", "deals"]
    assert told[1] == ["Amy", "Bob", "Cat", "Dan", "deals", "units", "EUR", "chips"]
    assert told[2] == ["Amy", ".", "+7", "-1", "+2", "2", "+8", "+2.00", "56"]
    assert told[3] == ["Bob", "-7", ".", "+2", "-5", "2", "-10", "-2.50"]
    assert told[4] == ["Cat", "+1", "-2", ".", "2", "-1", "-0.25"]
    assert told[5] == ["Dan", "-2", "+5", ".", "1", "+3", "+0.75"]
    assert ["Bob", "pays", "Amy", "8", "(2.00", "EUR)"] in told


def test_one_deal_and_none() -> None:
    lines = list(draw_ledger(open_ledger(make_deal({("A", "B"): 0})), Paint(80)))
    assert lines[0] == "after 1 deal"
    assert "nobody owes anything" in lines
    assert list(draw_ledger(Ledger(), Paint(80))) == ["no deals"]


def test_what_is_left_open() -> None:
    ledger = open_ledger(*CARRIED)
    lines = list(draw_ledger(ledger, Paint(80)))
    assert "in the pot: 8 (A 2, B 2, C 2, D 2)" in lines
    ledger = Ledger(scores={"A": 9})
    for deal_id in ("V21", "V21", "V06"):
        ledger.add(settle_deal(ledger, deal_id, "first-to-11"))
    told = [line.split() for line in draw_ledger(ledger, Paint(80))]
    assert not any("deal by deal" in line for line in draw_ledger(ledger, Paint(80)))
    # A has 9 + 4, which wins; then 4 of a new game. V06 has other players: E 1, S 2.
    assert ["A", "0", "1", "4"] in [line[:1] + line[2:] for line in told if line[:1] == ["A"]]
    raked = open_ledger(settle_deal(Ledger(), "V06", "basic", "rake=1"))
    assert "the house took 4" in list(draw_ledger(raked, Paint(80)))


def test_who_is_in_fantasyland_next() -> None:
    ledger = open_ledger(CASES["fantasyland"][0])
    assert "next deal in fantasyland: A, B" in list(draw_ledger(ledger, Paint(80)))
    assert build_ledger_document(ledger)["fantasyland"] == ["A", "B"]
    assert build_ledger_document(SESSION)["fantasyland"] == []


def test_money_of_shares_adds_up() -> None:
    """Two thirds and a third less a unit: 0.67 and 0.33 are rounded, and are a whole."""
    balances: dict[str, Units] = {"A": Fraction(2, 3), "B": Fraction(1, 3), "C": -1}
    ledger = Ledger(deals=1, balances=balances, history=[balances])
    told = [line.split() for line in draw_ledger(ledger, Paint(80), Money(Decimal("0.25"), "EUR"))]
    assert told[2:5] == [["A", "+2/3", "+0.17"], ["B", "+1/3", "+0.08"], ["C", "-1", "-0.25"]]
    assert ["C", "pays", "A", "2/3", "(0.17", "EUR)"] in told
    document = build_ledger_document(ledger, EURO)
    assert [each.get("exact") for each in document["players"]] == ["2/3", "1/3", None]
    assert [each["money"] for each in document["players"]] == [0.17, 0.08, -0.25]
    assert [(each["exact"], each["money"]) for each in document["transfers"]] == [
        ("2/3", 0.17), ("1/3", 0.08)
    ]  # fmt: skip


def settle_deal(ledger: Ledger, deal_id: str, name: str, *overrides: str) -> Settlement:
    from cp_cli.settlement import settle

    return settle(ledger.prepare(lay_table(deal_id)), load(name, *overrides))


def carry_twice() -> Iterator[Settlement]:
    ledger = Ledger()
    for _ in range(2):
        done = settle_deal(ledger, "V35", "sole-winner")
        ledger.add(done)
        yield done


CARRIED = list(carry_twice())


def make_session(names: Sequence[str], deals: int, most: int) -> Ledger:
    """Return a session in which every two players settle each deal."""
    ledger = Ledger()
    for deal in range(deals):
        paid = {
            pair: (deal * 7 + at * 5) % (2 * most + 1) - most
            for at, pair in enumerate(combinations(names, 2))
        }
        ledger.add(make_deal(paid))
    return ledger


@pytest.mark.parametrize("players", [2, 4, 7, 10])
@pytest.mark.parametrize("most", [1, 999_999])
def test_a_session_fits(players: int, most: int) -> None:
    names = [f"Player with a long name {at}" for at in range(players)]
    ledger = make_session(names, 30, most)
    lines = list(draw_ledger(ledger, Paint(80), EURO))
    assert [line for line in lines if measure_text(line) > 80] == []
    if players == 10 and most > 1:  # no room for a matrix: a line for each pair
        a, b = names[0], names[9]
        units = ledger.pairs[a, b]
        payer, payee = (b, a) if units > 0 else (a, b)
        assert f"{payer} paid {payee} {abs(units)}" in " ".join(lines)


def test_names_of_a_session_cannot_command_a_terminal() -> None:
    ledger = open_ledger(make_deal({("A\x1b[2J", "B\n"): 1}))
    assert all(line.isprintable() for line in draw_ledger(ledger, Paint(80)))


# --- the chart -----------------------------------------------------------------------------------


def read_chart(history: History, width: int = 80) -> dict[str, Any]:
    """Return the parts of a chart: the value of each line, its field, and the marks beside it."""
    lines = list(draw_chart(history, Paint(width)))
    assert max(map(measure_text, lines)) <= width
    fields = [line for line in lines[1:] if "|" in line]
    axis = fields[0].index("|")
    assert all(line[axis] == "|" for line in fields)
    labels = [line[:axis].strip() for line in fields]
    known = {at: read_amount(text) for at, text in enumerate(labels) if text}
    zero = next(at for at, value in known.items() if value == 0)
    step = next((abs(value / (zero - at)) for at, value in known.items() if value), Fraction(1))
    foot = lines[1 + len(fields)]
    legend = " ".join(lines[2 + len(fields) :])
    return {
        "lines": lines,
        "values": [(zero - at) * step for at in range(len(fields))],
        "labels": known,
        "fields": [line[axis + 1 :] for line in fields],
        "foot": foot[axis + 1 :],
        "marks": {name: mark for mark, name in re.findall(r"(\S) (\S+),", legend)},
        "step": step,
        "zero": zero,
    }


def find_line(chart: dict[str, Any], units: Units) -> int:
    """Return the line nearest to a balance."""
    near = [
        at for at, value in enumerate(chart["values"]) if abs(value - units) <= chart["step"] / 2
    ]
    assert near, (units, chart["values"])
    return near[0]


BALANCES = st.lists(
    st.lists(st.integers(-400, 400), min_size=3, max_size=3), min_size=1, max_size=120
)


@given(BALANCES, st.sampled_from([1, 40]), st.sampled_from([80, 60, 200]))
def test_chart_ends_where_the_players_stand(deals: list[list[int]], scale: int, width: int) -> None:
    history: History = [dict(zip("xyz", map(int, deal), strict=True)) for deal in deals]
    history = [{name: n // scale for name, n in each.items()} for each in history]
    chart = read_chart(history, width)
    assert len(chart["lines"]) <= HEIGHT + 4
    assert chart["marks"] == {"x": "X", "y": "Y", "z": "Z"}
    where = {name: find_line(chart, units) for name, units in history[-1].items()}
    last = chart["foot"].index(str(len(history)), len(chart["foot"].rstrip(" deals")) - 4)
    column = last + len(str(len(history))) - 1
    for name, at in where.items():
        sharing = "".join(other.upper() for other in "xyz" if where[other] == at)
        field = chart["fields"][at]
        assert field[column + 1 :] == f" {sharing}", name
        assert field[column] == (name.upper() if len(sharing) == 1 else "*")
    for at, value in enumerate(chart["values"]):
        if at not in where.values():
            assert len(chart["fields"][at]) <= column + 1, value


@given(BALANCES)
def test_every_deal_of_a_short_session_has_its_point(deals: list[list[int]]) -> None:
    """Fewer deals than columns: each has a column, and a mark on the line of the balance."""
    deals = deals[:60]
    history: History = [{"x": deal[0]} for deal in deals]
    chart = read_chart(history)
    end = chart["fields"][find_line(chart, deals[-1][0])]
    apart, rest = divmod(len(end) - 3, len(deals))  # before the first deal, and the mark beside
    assert rest == 0
    for played, units in enumerate([0, *(deal[0] for deal in deals)]):
        drawn = [field[played * apart : played * apart + 1] for field in chart["fields"]]
        assert drawn[find_line(chart, units)] == "X"
        assert drawn.count("X") == 1


def test_a_long_session_is_sampled() -> None:
    """A balance that rises evenly makes a straight line however many deals there are."""
    history: History = [{"Amy": at, "Bob": -at} for at in range(1, 1001)]
    chart = read_chart(history)
    assert len(chart["lines"]) <= 16
    lines = list(zip(*(field.ljust(80) for field in chart["fields"]), strict=True))
    ups = [at for column in lines[1:] for at, cell in enumerate(column) if cell == "A"]
    assert ups[:-1] == sorted(ups[:-1], reverse=True)
    assert chart["foot"].split() == ["0", "500", "1000", "deals"]
    assert (chart["values"][0], chart["values"][-1]) == (1000, -1000)


def test_the_last_deal_is_never_left_out() -> None:
    history: History = [{"Amy": 10 * (at == 500)} for at in range(501)]
    chart = read_chart(history)
    assert chart["fields"][0].rstrip().endswith("A A")
    assert not any("A" in field for field in chart["fields"][1 : chart["zero"]])


def test_the_way_to_the_next_deal_is_straight() -> None:
    """Six columns for one deal, and six units: a step up in each column."""
    fields = read_chart([{"Amy": 6}])["fields"]
    assert [field.find(".") for field in fields] == [-1, 5, 4, 3, 2, 1, -1]


@pytest.mark.parametrize(
    ("history", "labels"),
    [
        ([{"A": 0, "B": 0}], [0]),
        ([{"A": -1}, {"A": -3}], [0, -1, -2, -3]),
        ([{"A": 2}], [2, 1, 0]),
        ([{"A": Fraction(4, 3), "B": Fraction(-4, 3)}], [1, 0, -1]),
    ],
)
def test_scale(history: History, labels: list[int]) -> None:
    chart = read_chart(history)
    assert list(chart["labels"].values()) == labels


def test_the_line_of_nothing_is_drawn() -> None:
    chart = read_chart([{"A": 5, "B": -5}])
    assert "-" in chart["fields"][chart["zero"]]
    assert not any("-" in field for at, field in enumerate(chart["fields"]) if at != chart["zero"])


def test_who_comes_later_begins_there() -> None:
    history: History = [{"A": 1}, {"A": 2}, {"A": 1, "B": 1}]
    chart = read_chart(history)
    start = [field[12:13] for field in chart["fields"]]  # after two of three deals, 6 columns each
    assert start[chart["zero"]] == "B"
    assert not any("B" in field[:12] for field in chart["fields"])


def test_marks_are_initials_if_they_differ() -> None:
    assert read_chart([{"Amy": 1, "Bob": -1}])["marks"] == {"Amy": "A", "Bob": "B"}
    assert read_chart([{"Amy": 1, "Ann": -1}])["marks"] == {"Amy": "1", "Ann": "2"}
    assert read_chart([{"王": 1, "Bo": -1}])["marks"] == {"王": "1", "Bo": "2"}
    ten = {f"P{at}": at - 5 for at in range(10)}
    assert "".join(read_chart([dict(ten)])["marks"].values()) == "1234567890"


def test_a_chart_of_a_whole_club_shows_ten() -> None:
    """Of fourteen players those four are left out who won or lost least."""
    club: dict[str, Units] = {f"P{at}": (at - 7) * 10 for at in range(14)}
    chart = read_chart([club])
    assert len(chart["marks"]) == 10
    assert chart["lines"][0] == "balance in units, deal by deal; 4 with smaller balances left out"
    assert not {"P6", "P7", "P8"} & chart["marks"].keys()


def test_each_player_has_a_colour() -> None:
    paint = Paint(80, lambda text, style: f"<{style}>{text}</>")
    text = "\n".join(draw_chart([{"Amy": 1, "Bob": -1}], paint))
    styles = {mark: set(re.findall(rf"<([a-z_ ]+)>{mark}</>", text)) for mark in "AB"}
    assert all(len(found) == 1 for found in styles.values())
    assert styles["A"] != styles["B"]


# --- documents -----------------------------------------------------------------------------------


def test_document_of_a_session() -> None:
    document = build_ledger_document(SESSION, EURO)
    assert document["deals"] == 2
    told = [tuple(each.values()) for each in document["players"]]
    assert told == [
        ("Amy", 8, 2.0, 56), ("Bob", -10, -2.5, None), ("Cat", -1, -0.25, None),
        ("Dan", 3, 0.75, None),
    ]  # fmt: skip
    pairs = {(each["a"], each["b"]): each["units"] for each in document["pairs"]}
    assert pairs["Amy", "Bob"] == 7
    assert pairs["Bob", "Dan"] == -5
    assert {"from": "Bob", "to": "Amy", "units": 8, "money": 2.0} in document["transfers"]
    assert build_ledger_document(open_ledger(*CARRIED))["pot"] == dict.fromkeys("ABCD", 2)
