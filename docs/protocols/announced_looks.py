"""Looks at announced work: reads that lag, processes that are busy, names that a process can't run, and groups that move. The page beside
this module says what it means."""

from typing import NamedTuple

from exploration import Case, explore, replaced

TO_COME, STORED, CONSUMED = "to come", "stored", "consumed"
IDLE, DEAD = ("idle",), ("dead",)
NOBODY = None


class Entry(NamedTuple):
    """One announcement of one message, as a process holds it, or as it stands in a topic."""

    message: int
    # A read by a replica that is so far shows the message, unless it was consumed. None where the announcement has no session token.
    token: int | None
    # The name under which the message is run, where the relay knows it: starts say it.
    told: str | None = None
    # Where it came from: an offset of the topic, or nothing for a request for help, which another process has as well.
    offset: int | None = None
    was_asked_for: bool = False


class Group(NamedTuple):
    """The processes that run the same names: each group hears of everything."""

    committed: int = 0
    handled: tuple = ()
    next_offset: int = 0
    owner: int = 0
    # Requests for help that no member has taken.
    help: tuple = ()


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out; then the bounds."""

    compares_the_answer: bool = True
    tries_again_without_a_token: bool = True
    settles_what_is_absent_at_its_token: bool = True
    settles_only_what_was_taken: bool = True
    asks_for_help: bool = True
    asks_again: bool = True
    keeps_what_it_asked_help_for: bool = True
    a_group_for_each_filter: bool = True
    looks_again_where_told_otherwise: bool = True
    forgets_verdicts_at_a_start: bool = True
    the_dead_leave_the_group: bool = True
    begins_where_the_group_was: bool = True
    # The bounds: messages, and the name under which each is run; which names each process runs; processes that are busy for good.
    names: tuple = ("A", "A")
    runs: tuple = ("A", "A")
    busy: tuple = ()
    has_tokens: bool = True
    crashes: int = 0
    moves: int = 0
    sends_lost: int = 0
    repeats: int = 0


class State(NamedTuple):
    # The store: its messages, who holds the instance, and how many of the writes each process's replica shows.
    messages: tuple
    seen: tuple
    groups: tuple
    holder: int | None = NOBODY
    # The topic: one record a message, in order, some again.
    topic: tuple = ()
    # The processes: what a dispatcher does, what the process knows of, and whether it takes the instance for one that it can't run.
    processes: tuple = ()
    entries: tuple = ()
    refuses: tuple = ()
    crashes: int = 0
    moves: int = 0
    sends_lost: int = 0
    repeats: int = 0
    violation: str | None = None


class AnnouncedLooks:
    def __init__(self, rules: Rules):
        self.rules = rules
        self.all = range(len(rules.runs))
        self.filters = sorted(set(rules.runs)) if rules.a_group_for_each_filter else [None]

    def group_of(self, i):
        return self.filters.index(self.rules.runs[i]) if self.rules.a_group_for_each_filter else 0

    def members(self, g):
        return [i for i in self.all if self.group_of(i) == g]

    def find(self):
        r = self.rules
        each = len(r.runs)
        start = State(
            messages=(TO_COME,) * len(r.names),
            seen=(0,) * each,
            groups=tuple(Group(owner=self.members(g)[0]) for g in range(len(self.filters))),
            processes=(IDLE,) * each,
            entries=((),) * each,
            refuses=(False,) * each,
            crashes=r.crashes,
            moves=r.moves,
            sends_lost=r.sends_lost,
            repeats=r.repeats,
        )
        return explore(start, self.steps, lambda s: all(m == CONSUMED for m in s.messages))

    def steps(self, s):
        yield from self.writes(s)
        yield from self.troubles(s)
        for i in self.all:
            if s.processes[i] != DEAD:
                yield from self.reads(s, i)
                if i in self.rules.busy:
                    yield from self.asks(s, i)
                else:
                    yield from getattr(self, "when_" + s.processes[i][0])(s, i, *s.processes[i][1:])

    # The store, its replicas, the relay --------------------------------------------------------------------------------------------------

    def writes(self, s):
        written = self.written(s)
        if written < len(s.messages) and (written == 0 or not self.is_start(written)):
            yield f"message {written} is written and announced", self.written_next(s)
        if s.repeats:
            for record in sorted(set(s.topic), key=lambda r: r.message):
                yield f"message {record.message} is announced again", s._replace(topic=s.topic + (record,), repeats=s.repeats - 1)
        for i in self.all:
            if s.seen[i] < written:
                yield f"the replica of {i} catches up", s._replace(seen=replaced(s.seen, i, s.seen[i] + 1))

    def written_next(self, s):
        """The relay reads starts, and says what they name."""
        at = self.written(s)
        told = self.rules.names[at] if self.is_start(at) else None
        record = Entry(at, at + 1 if self.rules.has_tokens else None, told)
        return s._replace(messages=replaced(s.messages, at, STORED), topic=s.topic + (record,))

    def written(self, s):
        return sum(m != TO_COME for m in s.messages)

    def is_start(self, m):
        """An instance that continues as another orchestration writes the start of that with an ack."""
        return m == 0 or self.rules.names[m] != self.rules.names[m - 1]

    def name_shown(self, s, i):
        return self.rules.names[max(0, s.seen[i] - 1)]

    def is_current(self, s, i):
        """Whether the replica of a process shows what the instance runs now."""
        return not any(self.is_start(m) for m in range(s.seen[i], self.written(s)))

    # What goes wrong ---------------------------------------------------------------------------------------------------------------------

    def troubles(self, s):
        for i in [i for i in self.all if s.processes[i] != DEAD]:
            others = [j for j in self.members(self.group_of(i)) if j != i and j not in self.rules.busy and s.processes[j] != DEAD]
            if s.crashes and others:
                # Its lock lapses; the group of turns has yet to miss it. A request for help that it had is lost.
                yield f"process {i} dies", s._replace(
                    processes=replaced(s.processes, i, DEAD),
                    entries=replaced(s.entries, i, ()),
                    refuses=replaced(s.refuses, i, False),
                    holder=NOBODY if s.holder == i else s.holder,
                    crashes=s.crashes - 1,
                )
        for g, group in enumerate(s.groups):
            is_dead = s.processes[group.owner] == DEAD
            for i in [i for i in self.members(g) if s.processes[i] != DEAD and i != group.owner]:
                if is_dead and self.rules.the_dead_leave_the_group:
                    yield f"the group misses {group.owner}, its share goes to {i}", self.assigned(s, g, i)
                elif not is_dead and s.moves:
                    # The former owner may have been stopped, and goes on with what it does.
                    yield f"the share goes to {i}", self.assigned(s, g, i)._replace(moves=s.moves - 1)

    def assigned(self, s, g, owner):
        group = s.groups[g]
        begin = group.committed if self.rules.begins_where_the_group_was else len(s.topic)
        mine = tuple(e for e in s.entries[group.owner] if e.offset is None)
        after = group._replace(owner=owner, next_offset=begin, committed=begin, handled=())
        return s._replace(groups=replaced(s.groups, g, after), entries=replaced(s.entries, group.owner, mine))

    # The threads of a process that read --------------------------------------------------------------------------------------------------

    def reads(self, s, i):
        g = self.group_of(i)
        group = s.groups[g]
        if group.owner == i and group.next_offset < len(s.topic):
            at = group.next_offset
            entry = s.topic[at]._replace(offset=at)
            read = s._replace(groups=replaced(s.groups, g, group._replace(next_offset=at + 1)))
            yield f"process {i} hears of message {entry.message}", self.hears(read, i, entry)
        if i not in self.rules.busy and s.processes[i] == IDLE:
            for entry in [e for e in group.help if e not in s.entries[i]]:
                rest = tuple(e for e in group.help if e != entry)
                taken = s._replace(groups=replaced(s.groups, g, group._replace(help=rest)))
                yield f"process {i} is asked for help with message {entry.message}", self.hears(taken, i, entry)

    def hears(self, s, i, entry):
        """What is for other filters is handled: the processes that have them are told as well."""
        if entry.told is not None and self.rules.forgets_verdicts_at_a_start:
            s = s._replace(refuses=replaced(s.refuses, i, False))
        if (entry.told or self.rules.runs[i]) != self.rules.runs[i] or (s.refuses[i] and not self.is_told_to(i, entry)):
            return self.answered(s, i, entry)
        return self.knows(s, i, entry)

    def is_told_to(self, i, entry):
        return entry.told == self.rules.runs[i] and self.rules.forgets_verdicts_at_a_start

    def knows(self, s, i, entry):
        return s._replace(entries=replaced(s.entries, i, tuple(sorted(s.entries[i] + (entry,), key=repr))))

    def without(self, s, i, entry):
        left = list(s.entries[i])
        left.remove(entry)
        return s._replace(entries=replaced(s.entries, i, tuple(left)))

    def asks(self, s, i):
        """A copy goes to each group; the announcement stays."""
        r = self.rules
        for entry in sorted(set(s.entries[i]), key=repr):
            if not r.asks_for_help or entry.offset is None or (entry.was_asked_for and not r.asks_again):
                continue
            asked = self.without(s, i, entry)
            if r.keeps_what_it_asked_help_for:
                asked = self.knows(asked, i, entry._replace(was_asked_for=not r.asks_again))
            else:
                asked = self.answered(asked, i, entry)
            copy = Entry(entry.message, None, entry.told)
            if s.sends_lost:
                yield f"help with message {entry.message} is not taken", asked._replace(sends_lost=s.sends_lost - 1)
            groups = tuple(group if copy in group.help else group._replace(help=group.help + (copy,)) for group in asked.groups)
            yield f"process {i} asks for help with message {entry.message}", asked._replace(groups=groups)

    def answered(self, s, i, entry):
        """Handled: the offset moves up to the first that is not. A request for help has no offset."""
        g = self.group_of(i)
        group = s.groups[g]
        if entry.offset is None or group.owner != i:
            return s
        handled = set(group.handled) | {entry.offset}
        committed = group.committed
        while committed in handled:
            committed += 1
        after = group._replace(committed=committed, handled=tuple(sorted(at for at in handled if at > committed)))
        return s._replace(groups=replaced(s.groups, g, after))

    # A dispatcher ------------------------------------------------------------------------------------------------------------------------

    def when_idle(self, s, i):
        for entry in sorted(set(s.entries[i]), key=repr):
            yield f"process {i} takes message {entry.message}", now(self.without(s, i, entry), i, ("looking", entry, False))

    def when_looking(self, s, i, entry, was_absent):
        r = self.rules
        visible = tuple(m for m in range(s.seen[i]) if s.messages[m] == STORED)
        if s.holder is not NOBODY:
            # Whoever asked for help has the announcement still.
            held = s if entry.offset is None else self.knows(s, i, entry)
            yield f"process {i} looks: held", now(held, i, IDLE)
        elif not self.is_current(s, i):
            # What was consumed with the write that it does not show yet may be there still: the lock is refused.
            if self.name_shown(s, i) != r.runs[i] and s.seen[i]:
                yield from self.unsuitable(s, i, entry)
            if not visible:
                yield from self.not_seen(s, i, entry, was_absent)
        elif not visible:
            yield from self.not_seen(s, i, entry, was_absent)
        elif self.name_shown(s, i) != r.runs[i]:
            yield from self.unsuitable(s, i, entry)
        else:
            yield f"process {i} locks {visible}", now(s._replace(holder=i), i, ("holding", entry, visible))

    def unsuitable(self, s, i, entry):
        """A look that lags may show what was before a start that names what this process runs: that start is looked for again."""
        known = s.entries[i] + (entry,)
        is_told = any(e.told == self.rules.runs[i] and e.offset is not None for e in known)
        if is_told and self.rules.looks_again_where_told_otherwise and s.seen[i] <= max(e.message for e in known):
            return
        refused = s._replace(refuses=replaced(s.refuses, i, True))
        for each in s.entries[i]:
            refused = self.answered(refused, i, each)
        refused = refused._replace(entries=replaced(refused.entries, i, ()))
        yield f"process {i} looks: it can't run the instance", now(self.answered(refused, i, entry), i, IDLE)

    def not_seen(self, s, i, entry, was_absent):
        r = self.rules
        # The answer says how far the replica is.
        if entry.token is not None and (s.seen[i] >= entry.token or not r.compares_the_answer):
            if r.settles_what_is_absent_at_its_token:
                yield f"process {i} looks: nothing", now(self.answered(s, i, entry), i, IDLE)
            else:
                broken = "PINNED" if was_absent else None
                yield f"process {i} looks: nothing, again", now(s, i, ("looking", entry, True))._replace(violation=broken)
        elif s.seen[i] > entry.message or entry.offset is None or not r.tries_again_without_a_token:
            # By the clock: the announcement is older than any replica's lag. A request for help ends with one look.
            yield f"process {i} looks: nothing", now(self.answered(s, i, entry), i, IDLE)

    def when_holding(self, s, i, entry, chosen):
        messages = s.messages
        for m in chosen:
            messages = replaced(messages, m, CONSUMED)
        acked = s._replace(messages=messages, holder=NOBODY, refuses=replaced(s.refuses, i, False))
        written = self.written(s)
        if written < len(messages) and self.is_start(written):
            acked = self.written_next(acked)
        is_done = entry.message in chosen or entry.offset is None or not self.rules.settles_only_what_was_taken
        after = self.answered(acked, i, entry) if is_done else self.knows(acked, i, entry)
        yield f"process {i} acks {chosen}", now(after, i, IDLE)


def now(s: State, i: int, doing: tuple) -> State:
    return s._replace(processes=replaced(s.processes, i, doing))


# Activities ------------------------------------------------------------------------------------------------------------------------------

FREE, LOCKED, GONE = "free", "locked", "gone"


class Version(NamedTuple):
    """One write of an activity's document: announced with the token of its page where it is free."""

    kind: str
    attempts: int = 0


class ActivityEntry(NamedTuple):
    """An announcement of one version. A lookahead's has no token."""

    version: int
    token: int | None
    # A read that was as far did not lead to a try to lock it.
    was_passed: bool = False


class ActivityRules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out; then the bounds."""

    compares_the_answer: bool = True
    settles_what_is_later_at_its_token: bool = True
    takes_what_is_free: bool = True
    # Which lock is of a later version than was announced, where the tokens don't say: it counts attempts that none before can have.
    is_later: str = "more attempts than any version before"
    looks_for_lapses: bool = True
    has_tokens: bool = True
    processes: int = 2
    crashes: int = 0
    returns: int = 0
    repeats: int = 0


class ActivityState(NamedTuple):
    # The store: all versions of the document, whether the last one's lock has lapsed, and how many each process's replica shows.
    versions: tuple
    seen: tuple
    is_lapsed: bool = False
    # The share group: announcements that no process has, each once for each time that it was written.
    records: tuple = ()
    # The processes: what each does, and the announcements that it has.
    processes: tuple = ()
    entries: tuple = ()
    crashes: int = 0
    returns: int = 0
    repeats: int = 0
    violation: str | None = None


class AnnouncedActivities:
    """An activity that every process reads before it locks it: it is large, or was tried before."""

    def __init__(self, rules: ActivityRules):
        self.rules = rules
        self.all = range(rules.processes)

    def find(self):
        r = self.rules
        start = ActivityState(
            versions=(),
            seen=(0,) * r.processes,
            processes=(IDLE,) * r.processes,
            entries=((),) * r.processes,
            crashes=r.crashes,
            returns=r.returns,
            repeats=r.repeats,
        )
        return explore(self.written(start, Version(FREE)), self.steps, lambda s: s.versions[-1].kind == GONE)

    def steps(self, s):
        if s.versions[-1].kind == LOCKED and not s.is_lapsed and ("holding", len(s.versions) - 1) not in s.processes:
            lapsed = s._replace(is_lapsed=True)
            if self.rules.looks_for_lapses:
                lapsed = self.announced(lapsed, ActivityEntry(len(s.versions) - 1, None))
            yield "the lock lapses, and a lookahead announces it", lapsed
        for entry in sorted(set(s.records), key=repr):
            if s.repeats:
                yield f"version {entry.version} is announced again", self.announced(s, entry)._replace(repeats=s.repeats - 1)
        for i in self.all:
            if s.processes[i] != DEAD:
                if s.seen[i] < len(s.versions):
                    yield f"the replica of {i} catches up", s._replace(seen=replaced(s.seen, i, s.seen[i] + 1))
                yield from getattr(self, "is_" + s.processes[i][0])(s, i, *s.processes[i][1:])

    def written(self, s, version):
        after = s._replace(versions=s.versions + (version,), is_lapsed=False)
        at = len(s.versions)
        return self.announced(after, ActivityEntry(at, at + 1 if self.rules.has_tokens else None)) if version.kind == FREE else after

    @staticmethod
    def announced(s, entry):
        return s._replace(records=tuple(sorted(s.records + (entry,), key=repr)))

    def is_idle(self, s, i):
        if self.is_free(s, len(s.versions)) and len(s.versions) == 1:
            yield f"process {i} locks what it queued itself", self.locked(s, i, ())
        for entry in sorted(set(s.records), key=repr):
            rest = list(s.records)
            rest.remove(entry)
            heard = s._replace(records=tuple(rest), entries=replaced(s.entries, i, s.entries[i] + (entry,)))
            yield f"process {i} is given version {entry.version}", heard
        for entry in sorted(set(s.entries[i]), key=repr):
            yield from self.reads(s, i, entry)

    def is_free(self, s, seen):
        """Whether what such a replica shows may be locked."""
        shown = s.versions[seen - 1]
        return shown.kind == FREE or (shown.kind == LOCKED and s.is_lapsed and seen == len(s.versions))

    def reads(self, s, i, entry):
        seen = s.seen[i]
        shown = s.versions[seen - 1] if seen and s.versions[seen - 1].kind != GONE else None
        name = f"process {i} reads for version {entry.version}"
        if shown and self.is_free(s, seen) and (seen - 1 == entry.version or self.rules.takes_what_is_free):
            if seen == len(s.versions):
                yield f"{name}, and locks {seen - 1}", self.locked(s, i, {entry.version, seen - 1})
            else:
                yield f"{name}, is refused {seen - 1}", self.without(s, i, lambda e: e.version == seen - 1)
        elif shown and shown.kind == LOCKED and self.is_surely_later(s, shown, entry):
            yield f"{name}: it is held", self.without(s, i, lambda e: e.version == entry.version)
        else:
            yield from self.not_seen(s, i, entry, name)

    def is_surely_later(self, s, shown, entry):
        announced = s.versions[entry.version]
        if self.rules.is_later == "locked":
            return True
        if self.rules.is_later == "more attempts":
            return shown.attempts > announced.attempts
        # One that is given back may not count: the lock before it then had one attempt more.
        return shown.attempts > announced.attempts + (announced.kind == FREE)

    def not_seen(self, s, i, entry, name):
        """The answer says how far the replica is; it handles all that was announced by then."""
        r = self.rules
        seen = s.seen[i]
        settles = r.settles_what_is_later_at_its_token
        after = self.without(s, i, lambda e: e.token is not None and settles and (seen >= e.token or not r.compares_the_answer))
        if after != s:
            yield f"{name}: nothing", after
        elif seen > entry.version:
            # By the clock: no replica lags as long as it is known.
            yield f"{name}: nothing, at last", self.without(s, i, lambda e: e == entry)
            is_of_feed = s.versions[entry.version].kind == FREE
            again = replaced(s.entries, i, tuple(e._replace(was_passed=True) if e == entry else e for e in s.entries[i]))
            broken = "PINNED" if entry.was_passed and is_of_feed else None
            yield f"{name}: nothing yet", s._replace(entries=again, violation=broken)

    @staticmethod
    def without(s, i, is_handled):
        return s._replace(entries=replaced(s.entries, i, tuple(e for e in s.entries[i] if not is_handled(e))))

    def locked(self, s, i, handled):
        lock = Version(LOCKED, s.versions[-1].attempts + 1)
        after = self.without(self.written(s, lock), i, lambda e: e.version in handled)
        return now(after._replace(seen=replaced(s.seen, i, len(after.versions))), i, ("holding", len(s.versions)))

    def is_holding(self, s, i, at):
        if s.crashes:
            # Its records go back to the group.
            dead = now(s._replace(records=tuple(sorted(s.records + s.entries[i], key=repr)), crashes=s.crashes - 1), i, DEAD)
            yield f"process {i} dies", dead._replace(entries=replaced(s.entries, i, ()))
        yield f"process {i} acks", self.ended(s, i, Version(GONE))
        if s.returns:
            attempts = s.versions[at].attempts
            fewer = s._replace(returns=s.returns - 1)
            yield f"process {i} gives it back", self.ended(fewer, i, Version(FREE, attempts))
            yield f"process {i} gives it back as if it was not tried", self.ended(fewer, i, Version(FREE, attempts - 1))

    def ended(self, s, i, version):
        after = self.written(s, version)
        return now(after._replace(seen=replaced(s.seen, i, len(after.versions))), i, IDLE)


def activity_case(name, expected, **rules):
    return Case(name, expected, AnnouncedActivities(ActivityRules(**rules)).find)


def case(name, expected, **rules):
    return Case(name, expected, AnnouncedLooks(Rules(**rules)).find)


TWO_NAMES = {"names": ("A", "B"), "runs": ("A", "B")}
SLOW = {"busy": (0,)}
SLOW_OF_THREE = {"busy": (0,), "runs": ("A", "A", "A"), "names": ("A",)}

CASES = [
    case("the protocol, replicas that lag", None, repeats=1, moves=1),
    case("the protocol, replicas that lag and no tokens", None, has_tokens=False, repeats=1),
    case("the protocol, a busy process", None, sends_lost=1, repeats=1, **SLOW),
    case("the protocol, a busy process without tokens", None, has_tokens=False, sends_lost=1, **SLOW),
    case("the protocol, a busy process and one that dies", None, crashes=1, sends_lost=1, **SLOW_OF_THREE),
    case("the protocol, two names", None, repeats=1, **TWO_NAMES),
    case("the protocol, two names without tokens", None, has_tokens=False, repeats=1, **TWO_NAMES),
    case("the protocol, two names and back", None, has_tokens=False, names=("A", "B", "A"), runs=("A", "B")),
    case("the protocol, two names and a busy process", None, has_tokens=False, sends_lost=1, names=("A", "B"), runs=("A", "B", "B"), busy=(1,)),
    case("the protocol, processes that die", None, crashes=1, moves=1),
    case("what an answer from further back does not show is gone", "STUCK", compares_the_answer=False),
    case("without a token, what is not seen is handled", "STUCK", tries_again_without_a_token=False, has_tokens=False),
    case("what is absent at its token is tried again", "PINNED", settles_what_is_absent_at_its_token=False, repeats=1),
    case("an ack handles messages that it did not take", "STUCK", settles_only_what_was_taken=False, has_tokens=False),
    case("a busy process asks nobody", "STUCK", asks_for_help=False, **SLOW),
    case("it asks once", "STUCK", asks_again=False, sends_lost=1, **SLOW),
    case("what help was asked for is handled", "STUCK", keeps_what_it_asked_help_for=False, sends_lost=1, **SLOW),
    case("processes with other filters share one group", "STUCK", a_group_for_each_filter=False, **TWO_NAMES),
    case("a look that lags outweighs a start that was announced", "STUCK", looks_again_where_told_otherwise=False, has_tokens=False, **TWO_NAMES),
    case("what a look found outlives a start", "STUCK", forgets_verdicts_at_a_start=False, has_tokens=False, names=("A", "A", "B"), runs=("A", "B")),
    case("a process that dies keeps its share", "STUCK", the_dead_leave_the_group=False, crashes=1),
    case("the next owner begins at the end", "STUCK", begins_where_the_group_was=False, crashes=1),
    activity_case("the protocol, an activity that is given back", None, returns=2, repeats=1),
    activity_case("the protocol, an activity whose holder dies", None, returns=1, crashes=1, repeats=1),
    activity_case("the protocol, an activity of three processes", None, processes=3, returns=1, crashes=1),
    activity_case("an activity is announced without its token", "PINNED", has_tokens=False),
    activity_case("an activity that is held at its token is tried again", "PINNED", settles_what_is_later_at_its_token=False),
    activity_case("an activity that an answer from further back does not show is gone", "STUCK", compares_the_answer=False, returns=1),
    activity_case("an activity under a lock is of a later version", "STUCK", is_later="locked", returns=1),
    activity_case("an activity with more attempts is of a later version", "STUCK", is_later="more attempts", returns=1),
    activity_case("an activity that is free in another version is left", "STUCK", takes_what_is_free=False, returns=1, repeats=1),
    activity_case("no lookahead of an activity's lock", "STUCK", looks_for_lapses=False, crashes=1),
]
