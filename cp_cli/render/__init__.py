"""Results as text: tables for people, JSON documents and CSV records for programs.

Nothing is computed here but the layout.
"""

from cp_cli.render.chances import (
    CHANCE_COLUMNS,
    build_chance_document,
    draw_chances,
    list_chance_records,
)
from cp_cli.render.documents import (
    SPLIT_COLUMNS,
    build_document,
    list_split_records,
    write_document,
)
from cp_cli.render.gains import (
    GAIN_COLUMNS,
    build_gain_document,
    draw_gains,
    list_gain_records,
)
from cp_cli.render.ledger import draw_ledger
from cp_cli.render.matches import (
    MATCH_COLUMNS,
    build_match_document,
    draw_match,
    list_match_record,
)
from cp_cli.render.natural_chances import (
    NATURAL_COLUMNS,
    build_natural_document,
    draw_naturals,
    list_natural_records,
)
from cp_cli.render.pages import PAGE_SUFFIXES, write_page
from cp_cli.render.paint import Paint, open_page_paint, open_paint
from cp_cli.render.progress import RunProgress, TrainingProgress, WorkProgress
from cp_cli.render.settlement_documents import (
    SETTLEMENT_COLUMNS,
    build_ledger_document,
    build_settlement_document,
    list_settlement_records,
)
from cp_cli.render.settlement_table import DealTable
from cp_cli.render.settlements import draw_settlement
from cp_cli.render.simulation_documents import (
    SIMULATION_COLUMNS,
    build_simulation_document,
    list_simulation_records,
)
from cp_cli.render.simulations import draw_simulation
from cp_cli.render.splits import (
    SHORT_HEADER,
    describe_price,
    draw_analysis,
    draw_short,
    draw_splits,
)
from cp_cli.render.words import (
    count_nouns,
    count_samples,
    describe_choices,
    describe_decision,
    format_estimate,
    format_ranks,
    format_units,
    is_within_error,
    list_notes,
    name_rows,
)

__all__ = [
    "CHANCE_COLUMNS",
    "GAIN_COLUMNS",
    "MATCH_COLUMNS",
    "NATURAL_COLUMNS",
    "PAGE_SUFFIXES",
    "SETTLEMENT_COLUMNS",
    "SHORT_HEADER",
    "SIMULATION_COLUMNS",
    "SPLIT_COLUMNS",
    "DealTable",
    "Paint",
    "RunProgress",
    "TrainingProgress",
    "WorkProgress",
    "build_chance_document",
    "build_document",
    "build_gain_document",
    "build_ledger_document",
    "build_match_document",
    "build_natural_document",
    "build_settlement_document",
    "build_simulation_document",
    "count_nouns",
    "count_samples",
    "describe_choices",
    "describe_decision",
    "describe_price",
    "draw_analysis",
    "draw_chances",
    "draw_gains",
    "draw_ledger",
    "draw_match",
    "draw_naturals",
    "draw_settlement",
    "draw_short",
    "draw_simulation",
    "draw_splits",
    "format_estimate",
    "format_ranks",
    "format_units",
    "is_within_error",
    "list_chance_records",
    "list_gain_records",
    "list_match_record",
    "list_natural_records",
    "list_notes",
    "list_settlement_records",
    "list_simulation_records",
    "list_split_records",
    "name_rows",
    "open_page_paint",
    "open_paint",
    "write_document",
    "write_page",
]
