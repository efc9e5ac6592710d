"""Who sweeps the ranges of a replica that has died, before Kafka's group knows. The page beside this module says what it means."""

from typing import NamedTuple

from exploration import Case, explore, replaced

SILENCE = 4  # half seconds of its own pulses after which a replica takes one that it did not hear for silent
LONGEST = 6  # half seconds that nobody may look for the intents of a range
END = 11


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one does; then the bounds."""

    judges_by_own_pulses: bool = True  # in the topic's order; otherwise by its own clock
    from_first_after: bool = True  # from its first pulse after the latest one of the other; otherwise from that one
    gaps_count: bool = False  # a time without pulses of its own says nothing about others
    successor_lives: bool = True  # the first in order of those that are not silent; otherwise of all
    heir_has_heard: bool = True  # of the one that died; otherwise it may have begun after that
    until_owned: bool = True  # watches until a pulse names the range; otherwise sweeps once
    replicas: int = 3
    later: int = 0  # of them: so many begin later
    deaths: int = 2
    stalls: int = 1  # of Kafka, each of any length


class Replica(NamedTuple):
    alive: bool = True
    begun: bool = True
    told: bool = True  # has pulsed
    has_heard: bool = True  # the latest pulse that named the range, or a later one
    pulsed: bool = False  # in this half second
    own: int = 0  # when its latest pulse came to the topic
    heard: tuple = ()  # of each other: when the latest pulse came
    first: tuple = ()  # of each other: when its own first pulse after that came; -1 before there is one
    watches: bool = False
    swept: bool = False


class State(NamedTuple):
    now: int
    kafka: bool
    owner: int  # by Kafka's group
    named: int  # by whose latest pulse the range is named; -1: nobody's
    replicas: tuple
    unread: int  # for so many half seconds nobody looks for new intents
    deaths: int
    stalls: int
    violation: str | None = None


class Finding:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self, only):
        n = self.rules.replicas
        replica = Replica(pulsed=True, heard=(0,) * n, first=(-1,) * n)
        later = replica._replace(alive=False, begun=False, told=False, has_heard=False)
        replicas = (later,) * self.rules.later + (replica,) * (n - self.rules.later)
        owner = self.rules.later
        return explore(State(0, True, owner, owner, replicas, 0, self.rules.deaths, self.rules.stalls), self.steps, only=only)

    def steps(self, s):
        alive = [i for i, r in enumerate(s.replicas) if r.alive]
        for i in alive:
            if s.deaths and len(alive) > 1:
                died = replaced(s.replicas, i, s.replicas[i]._replace(alive=False, watches=False))
                yield f"replica {i} dies", s._replace(replicas=died, unread=0, deaths=s.deaths - 1)
            if s.kafka and not s.replicas[i].pulsed:
                yield f"replica {i} pulses", self.pulse(s, i)
            if s.kafka and not s.replicas[s.owner].alive:
                yield f"the group gives the range to {i}", s._replace(owner=i)
        for i, r in enumerate(s.replicas):
            if s.kafka and not r.begun:
                n = len(s.replicas)
                begun = Replica(told=False, has_heard=False, own=s.now, heard=(s.now,) * n, first=(-1,) * n)
                yield f"replica {i} begins", s._replace(replicas=replaced(s.replicas, i, begun))
        if s.kafka and s.stalls:
            yield "Kafka takes nothing", s._replace(kafka=False, stalls=s.stalls - 1)
        if not s.kafka:
            yield "Kafka takes pulses again", s._replace(kafka=True)
        if s.now < END and (not s.kafka or all(s.replicas[i].pulsed for i in alive)):
            yield "half a second passes", self.half_second(s)

    def pulse(self, s, i):
        replicas = list(s.replicas)
        for k, other in enumerate(replicas):
            if k != i:
                replicas[k] = other._replace(heard=replaced(other.heard, i, s.now), first=replaced(other.first, i, -1))
        me = replicas[i]
        has_gap = s.now - me.own > 1 and not self.rules.gaps_count
        first = tuple(s.now if at < 0 or has_gap else at for at in me.first)
        replicas[i] = me._replace(pulsed=True, told=True, own=s.now, first=first)
        named = i if s.owner == i else -1 if s.named == i else s.named
        if named == i:
            replicas = [r._replace(has_heard=r.alive) for r in replicas]
        return self.decided(s._replace(replicas=tuple(replicas), named=named))

    def half_second(self, s):
        is_read = s.replicas[s.owner].alive or any(r.watches for r in s.replicas)
        can_know = s.kafka and any(r.alive and r.has_heard for r in s.replicas)
        unread = 0 if is_read or not can_know else s.unread + 1
        fresh = tuple(r._replace(pulsed=False) for r in s.replicas)
        after = self.decided(s._replace(now=s.now + 1, replicas=fresh, unread=unread))
        return after._replace(violation="LATE") if unread > LONGEST and not after.violation else after

    def is_silent(self, s, me, other):
        r = s.replicas[me]
        if other == me:
            return False
        if not self.rules.judges_by_own_pulses:
            return s.now - r.heard[other] > SILENCE
        since = r.first[other] if self.rules.from_first_after else r.heard[other]
        return since >= 0 and r.own - since >= SILENCE

    def may_follow(self, s, me, other):
        """As far as `me` knows: of one that never pulsed it knows nothing."""
        r = s.replicas[other]
        if other == s.named or not (r.told or other == me):
            return False
        if self.rules.heir_has_heard and not r.has_heard:
            return False
        return not (self.rules.successor_lives and self.is_silent(s, me, other))

    def decided(self, s):
        """Each replica decides with all that it has heard."""
        for i, r in enumerate(s.replicas):
            if not r.alive:
                continue
            # Whoever is named last; before the group has decided that is who died.
            is_orphan = s.named >= 0 and s.owner != i and r.has_heard and self.is_silent(s, i, s.named)
            live = [k for k in range(len(s.replicas)) if self.may_follow(s, i, k)]
            watches = is_orphan and live[:1] == [i] and (self.rules.until_owned or not r.swept)
            if watches and s.replicas[s.named].alive:
                return s._replace(violation="COST")
            r = r._replace(watches=watches and self.rules.until_owned, swept=r.swept or watches)
            s = s._replace(replicas=replaced(s.replicas, i, r))
        return s


def case(title, expected, **rules):
    return Case(title, expected, lambda: Finding(Rules(**rules)).find(expected))


CASES = [
    case("silence is judged by a replica's own clock", "COST", judges_by_own_pulses=False),
    case("silence is counted from the other's latest pulse", "COST", from_first_after=False),
    case("silence goes on while it has no pulses of its own", "COST", gaps_count=True),
    case("the first in order takes over, silent or not", "LATE", successor_lives=False),
    case("who begins after the death may be the one that takes over", "LATE", heir_has_heard=False, later=1, deaths=1, stalls=0),
    case("who takes over sweeps once", "LATE", until_owned=False),
    case("three replicas, two die, Kafka stalls", None),
    case("two replicas, Kafka stalls twice", None, replicas=2, deaths=1, stalls=2),
    case("one of two dies, another begins at any moment", None, later=1, deaths=1, stalls=0),
]
