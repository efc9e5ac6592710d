#!/usr/bin/env python3
"""Explores the protocol models: all of them, or those named. `python3 docs/protocols/run.py [--traces] [name …]`; exits 1 on a surprise.

--traces also prints the shortest way to each hole of the weaker variants.
"""

import argparse
import importlib
import sys

sys.dont_write_bytecode = True

from exploration import run

MODELS = [
    "fetch_ack",
    "staged_turns",
    "deletion",
    "purge",
    "intents",
    "mixed_fleet",
    "positions",
    "range_splits",
    "clean_ranges",
    "takeover",
    "commands",
    "slots",
    "dispatch",
    "announced_looks",
    "host_turn",
]


def main() -> int:
    parser = argparse.ArgumentParser(description="Explores the protocol models.")
    parser.add_argument("name", nargs="*", help="of " + ", ".join(MODELS) + "; all when none is given")
    parser.add_argument("--traces", action="store_true", help="print the shortest way to each hole")
    asked = parser.parse_args()
    unknown = [name for name in asked.name if name not in MODELS]
    if unknown:
        parser.error("no such model: " + ", ".join(unknown) + "; there are " + ", ".join(MODELS))
    return 1 if sum(run(name, importlib.import_module(name).CASES, asked.traces) for name in asked.name or MODELS) else 0


if __name__ == "__main__":
    sys.exit(main())
