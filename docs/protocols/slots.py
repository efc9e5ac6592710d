"""Sharing the dispatch slots: who looks where for work, and that nothing rests on it. The page beside this module says what it means."""

from typing import NamedTuple

from exploration import Case, explore, replaced

READY, LOCKED, DONE = "ready", "locked", "done"
IDLE, DEAD = ("idle",), ("dead",)
OWN, WIDE, ALL = "own", "wide", "all"
SLOTS = (0, 1)
VIEWS = ((), (0,), (1,), (0, 1))
WATCHED_SLOT = 0


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out; then the bounds."""

    lock_names_the_version: bool = True
    # when others' slots are looked at: every few looks whatever there is; only when the own are empty; never
    others: str = "in time"
    wide_looks_go_by_age: bool = True
    looks_at_all_before_nothing: bool = True
    looks_between: int = 2
    older: tuple = (0, 1)
    crashes: int = 1
    lapses: int = 1


class State(NamedTuple):
    item: tuple = (READY, 0)  # what is watched: its state and version
    is_old: bool = False  # whether it has waited longer than its owner would let it
    older: tuple = ()  # slots of what is older, and may go first
    processes: tuple = (IDLE, IDLE)  # idle, (found, version), (holds, version), dead
    since_wide: tuple = (0, 0)  # own looks since the last that showed others' slots
    passed_over: tuple = (0, 0)  # looks that did not find the watched item though it was ready and old
    commits: int = 0
    crashes: int = 0
    lapses: int = 0
    violation: str | None = None


class Sharing:
    def __init__(self, rules: Rules):
        self.rules = rules
        # Each older item may take one wide look; the next one finds what is watched.
        self.most_passed = (rules.looks_between + 1) * (len(rules.older) + 1)

    def find(self):
        start = State(older=self.rules.older, crashes=self.rules.crashes, lapses=self.rules.lapses)
        return explore(start, self.steps, lambda s: s.item[0] == DONE)

    def steps(self, s):
        state, version = s.item
        if not s.is_old:
            yield "time passes", s._replace(is_old=True)
        if state == LOCKED and s.lapses:
            yield "the lock lapses", s._replace(item=(READY, version + 1), lapses=s.lapses - 1, passed_over=(0, 0))
        for i in range(len(s.processes)):
            doing = s.processes[i]
            if doing != DEAD and s.crashes:
                yield f"process {i} dies", self.dead(s, i)
            if doing == IDLE:
                yield from self.looks(s, i)
            elif doing[0] == "found":
                yield self.locks(s, i)
            elif doing[0] == "holds":
                yield self.acks(s, i)

    @staticmethod
    def dead(s, i):
        doing = s.processes[i]
        after = s._replace(processes=replaced(s.processes, i, DEAD), crashes=s.crashes - 1)
        # Its lock lapses some time later; when is nobody's choice, so at once will do.
        if doing[0] == "holds" and s.item == (LOCKED, doing[1]):
            after = after._replace(item=(READY, doing[1] + 1), passed_over=(0, 0))
        return after

    def looks(self, s, i):
        """Which slots it takes for its own is anybody's guess: leases are late, held by two, by nobody, or the store of them is away."""
        for view in VIEWS:
            if self.rules.others == "in time" and s.since_wide[i] >= self.rules.looks_between:
                yield from self.look(s, i, view, WIDE)
            else:
                yield from self.look(s, i, view, OWN)

    def look(self, s, i, view, kind):
        others = kind != OWN
        who = f"process {i}, own {list(view)}, looks at {kind}"
        shown = [slot for slot in s.older if slot in view or others]
        is_shown = s.item[0] == READY and (WATCHED_SLOT in view or kind == ALL or others and s.is_old)
        seen = s._replace(since_wide=replaced(s.since_wide, i, 0 if others else min(s.since_wide[i] + 1, self.rules.looks_between)))
        if kind == WIDE and not self.rules.wide_looks_go_by_age and view:
            yield f"{who}: takes young work of its own", self.not_found(seen, i)
            return
        if shown:
            older = list(s.older)
            older.remove(shown[0])
            yield f"{who}: takes what is older", self.not_found(seen._replace(older=tuple(older)), i)
            return
        if is_shown:
            yield f"{who}: finds it", seen._replace(processes=replaced(s.processes, i, ("found", s.item[1])))
            return
        if view:
            yield f"{who}: takes young work of its own", self.not_found(seen, i)
        if kind == ALL:
            yield f"{who}: nothing", self.nothing(seen, i)
        elif self.rules.others == "when its own are empty":
            yield from self.look(s, i, view, ALL)
        elif self.rules.looks_at_all_before_nothing and self.rules.others != "never":
            # A fetch whose time is over.
            yield from self.look(seen, i, view, ALL)
            yield f"{who}: nothing yet", self.not_found(seen, i)
        else:
            yield f"{who}: nothing", self.nothing(seen, i)

    def not_found(self, s, i):
        if s.item[0] != READY or not s.is_old:
            return s
        passed = s.passed_over[i] + 1
        if passed > self.most_passed:
            return s._replace(violation="STARVED")
        return s._replace(passed_over=replaced(s.passed_over, i, passed))

    def nothing(self, s, i):
        if s.item[0] == READY:
            return s._replace(violation="EMPTY")
        return self.not_found(s, i)

    def locks(self, s, i):
        version = s.processes[i][1]
        if s.item == (READY, version):
            after = s._replace(item=(LOCKED, version + 1), processes=replaced(s.processes, i, ("holds", version + 1)))
            return f"process {i} locks it", after
        if self.rules.lock_names_the_version:
            return f"process {i} loses the race", s._replace(processes=replaced(s.processes, i, IDLE))
        return f"process {i} takes it for its own", s._replace(processes=replaced(s.processes, i, ("holds", version + 1)))

    def acks(self, s, i):
        version = s.processes[i][1]
        after = s._replace(processes=replaced(s.processes, i, IDLE))
        if s.item == (LOCKED, version) or not self.rules.lock_names_the_version:
            commits = s.commits + 1
            violation = "ONCE" if commits > 1 else None
            return f"process {i} commits", after._replace(item=(DONE, version), commits=commits, violation=violation)
        return f"process {i} has lost its lock", after


def case(name, expected, rules):
    return Case(name, expected, Sharing(rules).find)


CASES = [
    case("the protocol", None, Rules()),
    case("the protocol, more that is older", None, Rules(older=(1, 0, 1), looks_between=3)),
    case("slots taken for locks", "ONCE", Rules(lock_names_the_version=False)),
    case("others are looked at only when the own slots are empty", "STARVED", Rules(others="when its own are empty")),
    case("others are never looked at", "EMPTY", Rules(others="never")),
    case("a wide look prefers the own slots", "STARVED", Rules(wide_looks_go_by_age=False)),
    case("a fetch ends after a look at the own slots", "EMPTY", Rules(looks_at_all_before_nothing=False)),
]
