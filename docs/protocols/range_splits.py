"""Exactly once over splits: ranges of the feed that follow the service's partitions. The page beside this module says what it means.

Transactions are one step here: what can happen within one is the model `positions`.
"""

from typing import NamedTuple

from exploration import Case, explore, replaced

ENDED = "ended"
WHOLE = ""


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one does; then the bounds."""

    ends_with_its_parts: bool = True  # the end of a range and the positions of its parts are one transaction
    parts_first: bool = False  # else, when these are two: which is the first
    parts_behind_the_page: bool = True  # parts begin behind the page that showed the split, each where it was read to
    only_with_a_position: bool = True  # a range that the service shows and that has no position is left alone
    begins_at_the_end: bool = False  # else where it begins: at the end of the feed, or at its beginning
    fences: bool = True
    keys: tuple = ("00", "01", "1")
    documents: int = 3
    splits: int = 2
    failures: int = 2  # owners that die, or are replaced while they live


class Owner(NamedTuple):
    """Who has taken a range over: at which epoch and position, and the page that it holds, with the positions behind it."""

    range: str
    epoch: int
    base: int
    page: tuple = ()
    behind: tuple = ()  # (range, position)
    rest: tuple = ()  # what a transaction of its own is still to write


class State(NamedTuple):
    """A range is a prefix of keys; a position is how much of the feed was read, as log sequence numbers go on over splits."""

    feed: tuple  # keys, in the order of the feed
    parts: tuple  # of the service
    positions: tuple  # (range, position or ENDED)
    epochs: tuple  # (range, epoch)
    owners: tuple
    log: tuple
    splits: int
    failures: int
    violation: str | None = None


class Splitting:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self, only):
        start = State((), (WHOLE,), ((WHOLE, 0),), (), (), (), self.rules.splits, self.rules.failures)
        return explore(start, self.steps, self.is_done, only)

    def is_done(self, s):
        return set(s.log) == set(range(self.rules.documents))

    def steps(self, s):
        if len(s.feed) < self.rules.documents:
            for key in self.rules.keys:
                yield f"{key} is written", s._replace(feed=s.feed + (key,))
        for part in s.parts:
            if s.splits and any(len(key) > len(part) and key.startswith(part) for key in self.rules.keys):
                parts = tuple(sorted(set(s.parts) - {part} | {part + "0", part + "1"}))
                yield f"the service splits {name(part)}", s._replace(parts=parts, splits=s.splits - 1)
        for taken, base in self.ranges_to_take(s):
            is_owned = any(owner.range == taken for owner in s.owners)
            if s.failures or not is_owned:
                epoch = dict(s.epochs).get(taken, 0) + 1
                # One that holds nothing is fenced before it can do harm.
                owners = tuple(each for each in s.owners if each.range != taken or each.page or each.rest)
                after = s._replace(
                    epochs=put(s.epochs, taken, epoch), owners=owners + (Owner(taken, epoch, base),), failures=s.failures - is_owned
                )
                yield f"{name(taken)} is taken over at {base}", after
        for i, owner in enumerate(s.owners):
            yield from self.owner_steps(s, i, owner)

    def ranges_to_take(self, s):
        known = dict(s.positions)
        for each, position in s.positions:
            if position != ENDED:
                yield each, position
        if not self.rules.only_with_a_position:
            for part in s.parts:
                if part not in known:
                    yield part, len(s.feed) if self.rules.begins_at_the_end else 0

    def owner_steps(self, s, i, owner):
        who = f"owner {owner.epoch} of {name(owner.range)}"
        if s.failures and (owner.page or owner.rest):
            yield f"{who} dies", s._replace(owners=s.owners[:i] + s.owners[i + 1 :], failures=s.failures - 1)
        if owner.rest:
            yield f"{who} writes the rest", self.with_positions(s, owner.rest)._replace(owners=replaced(s.owners, i, owner._replace(rest=())))
        elif owner.page:
            yield f"{who} commits documents {owner.page}", self.committed(s, i, owner)
        elif owner.base != ENDED:
            for page, behind in self.pages(s, owner):
                yield f"{who} reads documents {page}", s._replace(owners=replaced(s.owners, i, owner._replace(page=page, behind=behind)))

    def pages(self, s, owner):
        """A page is of one part of the service; behind it, parts that have not been read stand where the range stood."""
        parts = [part for part in s.parts if part.startswith(owner.range)]
        if not parts:  # the range is a part of a part: parts were never merged here
            parts = [owner.range]
        for part in parts:
            for end in range(owner.base + 1, len(s.feed) + 1):
                page = tuple(n for n in range(owner.base, end) if s.feed[n].startswith(part))
                if page:
                    yield page, tuple((each, end if each == part else owner.base) for each in parts)

    def committed(self, s, i, owner):
        is_fenced = dict(s.epochs)[owner.range] != owner.epoch
        if self.rules.fences and is_fenced:
            return s._replace(owners=s.owners[:i] + s.owners[i + 1 :])
        behind = owner.behind
        if len(behind) == 1:
            written, rest = behind, ()
        else:
            if not self.rules.parts_behind_the_page:
                behind = tuple((part, owner.base) for part, _ in behind)
            written, rest = behind + ((owner.range, ENDED),), ()
            if not self.rules.ends_with_its_parts:
                end = ((owner.range, ENDED),)
                written, rest = (behind, end) if self.rules.parts_first else (end, behind)
        base = owner.behind[0][1] if len(behind) == 1 else ENDED
        after = s._replace(log=s.log + owner.page, owners=replaced(s.owners, i, Owner(owner.range, owner.epoch, base, rest=rest)))
        return self.with_positions(judged(after, owner.page, s.log), written)

    @staticmethod
    def with_positions(s, written):
        positions = s.positions
        for each, position in written:
            positions = put(positions, each, position)
        s = s._replace(positions=positions)
        if s.violation:
            return s
        passed = (n for n, key in enumerate(s.feed) if n not in s.log and any(key.startswith(r) and p != ENDED and p > n for r, p in positions))
        return s._replace(violation="LOST" if next(passed, None) is not None else None)


def judged(s, page, before):
    violation = None
    if set(page) & set(before):
        violation = "TWICE"
    else:
        for key in set(s.feed):
            of_key = [n for n in s.log if s.feed[n] == key]
            if of_key != sorted(of_key):
                violation = "ORDER"
    return s._replace(violation=violation)


def name(part):
    return f"range {part or 'all'}"


def put(pairs, key, value):
    return tuple(sorted({**dict(pairs), key: value}.items(), key=lambda pair: pair[0]))


def case(title, expected, **rules):
    return Case(title, expected, lambda: Splitting(Rules(**rules)).find(expected))


CASES = [
    case("the end of a range is committed before the positions of its parts", "STUCK", ends_with_its_parts=False, keys=("0", "1"), splits=1),
    case("the positions of the parts are committed before the end of their range", "TWICE", ends_with_its_parts=False, parts_first=True, keys=("0", "1"), splits=1),
    case("the parts begin before the page that showed the split", "TWICE", parts_behind_the_page=False, keys=("0", "1"), splits=1),
    case("a range without a position begins at the beginning of the feed", "TWICE", only_with_a_position=False, keys=("0", "1"), splits=1),
    case("a range without a position begins at the end of the feed", "LOST", only_with_a_position=False, begins_at_the_end=True, keys=("0", "1"), splits=1),
    case("an owner that was replaced is not fenced", "TWICE", fences=False, keys=("0", "1"), splits=1),
    case("a range splits, and one of its parts", None, failures=1),
    case("a range splits, two failures", None, keys=("0", "1"), splits=1),
    case("a range splits, four documents", None, keys=("0", "1"), documents=4, splits=1, failures=1),
]
