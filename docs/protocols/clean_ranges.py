"""New intents found by the reader of the feed, and by scans where it may have missed some. The page beside this module says what it means."""

from typing import NamedTuple

from exploration import Case, explore, replaced


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one does; then the bounds."""

    begins_unclean: bool = True  # a new owner scans
    scans_twice: bool = True  # once more when what the first could not see yet can be seen
    waits_for_replicas: bool = True
    drops_make_unclean: bool = True
    reads_ahead_of_publishing: bool = True  # while Kafka takes nothing
    intents: int = 2
    room: int = 1  # in the queue of sources
    deaths: int = 1
    outages: int = 1


class Owner(NamedTuple):
    """Who reads the range: how far, what waits in its memory, and how many scans have ended since it last may have missed something."""

    read: int
    queue: tuple = ()
    scans: int = 0
    unseen: tuple = ()  # what a scan might not have seen when the first one ended


class State(NamedTuple):
    written: int  # intents, in the order of the feed
    fresh: tuple  # not on every replica of the store yet: a scan may not see them
    delivered: tuple
    position: int  # committed with the history, in Kafka
    kafka: bool
    owners: tuple  # the last one is the owner; those before it live, and do not know yet
    deaths: int
    outages: int
    violation: str | None = None


class Finding:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self, only):
        start = State(0, (), (), 0, True, (), self.rules.deaths, self.rules.outages)
        return explore(start, self.steps, lambda s: len(s.delivered) == self.rules.intents, only)

    def steps(self, s):
        for name, after in self.all_steps(s):
            yield name, self.judged(after)

    def all_steps(self, s):
        if s.written < self.rules.intents:
            yield f"intent {s.written} is written", s._replace(written=s.written + 1, fresh=s.fresh + (s.written,))
        for intent in s.fresh:
            yield f"all replicas have intent {intent}", s._replace(fresh=tuple(n for n in s.fresh if n != intent))
        if s.kafka and s.outages:
            yield "Kafka goes away for ever", s._replace(kafka=False, outages=s.outages - 1)
        if len(s.owners) < 1 + self.rules.deaths - s.deaths or not s.owners:
            read = s.position if s.kafka else s.written
            owner = Owner(read, scans=0 if self.rules.begins_unclean else 2)
            yield f"an owner begins to read at {read}", s._replace(owners=s.owners + (owner,))
        for i, owner in enumerate(s.owners):
            if s.deaths:
                yield f"owner {i} dies", s._replace(owners=s.owners[:i] + s.owners[i + 1 :], deaths=s.deaths - 1)
            yield from self.owner_steps(s, i, owner)

    def owner_steps(self, s, i, owner):
        def then(what, **changes):
            return s._replace(owners=replaced(s.owners, i, what), **changes)

        is_newest = i == len(s.owners) - 1
        if owner.read < s.written and (self.rules.reads_ahead_of_publishing or owner.read <= s.position):
            yield f"owner {i} reads intent {owner.read}", then(self.reading(s, owner))
        if is_newest and s.kafka and owner.read > s.position:
            yield f"owner {i} publishes to {owner.read}", s._replace(position=owner.read)
        for intent in owner.queue:
            left = owner._replace(queue=tuple(n for n in owner.queue if n != intent))
            yield f"owner {i} delivers intent {intent}", then(left, delivered=delivered(s, (intent,)))
        if owner.scans == 0 or owner.scans == 1 and not (self.rules.waits_for_replicas and set(owner.unseen) & set(s.fresh)):
            found = tuple(n for n in range(s.written) if n not in s.fresh)
            scans = owner.scans + 1 if self.rules.scans_twice else 2
            unseen = s.fresh if owner.scans == 0 else ()
            yield f"owner {i} scans, and delivers {found}", then(owner._replace(scans=scans, unseen=unseen), delivered=delivered(s, found))

    def reading(self, s, owner):
        intent = owner.read
        read = owner._replace(read=intent + 1)
        if intent in s.delivered:
            return read
        if len(owner.queue) < self.rules.room:
            return read._replace(queue=owner.queue + (intent,))
        return read._replace(scans=0, unseen=()) if self.rules.drops_make_unclean else read

    @staticmethod
    def judged(s):
        """Of a clean range, what is not delivered waits in memory or is still to be read. Of others, a scan follows."""
        for owner in s.owners:
            if owner.scans == 2 and any(n not in s.delivered and n not in owner.queue for n in range(owner.read)):
                if owner is s.owners[-1]:
                    return s._replace(violation="FORGOTTEN")
        return s


def delivered(s, more):
    """Receipts make a second delivery harmless: that is the model `intents`."""
    return tuple(sorted({*s.delivered, *more}))


def case(title, expected, **rules):
    return Case(title, expected, lambda: Finding(Rules(**rules)).find(expected))


CASES = [
    case("a new owner counts as clean", "FORGOTTEN", begins_unclean=False),
    case("one scan makes a range clean", "FORGOTTEN", scans_twice=False),
    case("the second scan does not wait for the store's replicas", "FORGOTTEN", waits_for_replicas=False),
    case("what finds no room in memory is dropped, and the range stays clean", "FORGOTTEN", drops_make_unclean=False),
    case("the reader waits for Kafka", "STUCK", reads_ahead_of_publishing=False),
    case("two intents, an owner dies, Kafka goes away", None),
    case("two intents, two owners die", None, deaths=2, outages=0),
    case("three intents", None, intents=3, outages=0),
]
