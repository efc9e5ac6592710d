"""Looks at announced work: reads that lag, processes that are busy, names that a process can't run, and a group that moves. The page beside
this module says what it means."""

from typing import NamedTuple

from exploration import Case, explore, replaced

TO_COME, STORED, CONSUMED = "to come", "stored", "consumed"
IDLE, DEAD = ("idle",), ("dead",)
NOBODY = None


class Entry(NamedTuple):
    """One announcement of one message, as a process holds it, or as it stands in a topic."""

    message: int
    # What the read must show at least: the message was written with it. None where the announcement has no session token.
    token: int | None
    # Where it came from: an offset of the group's topic, or a record of the share group for help.
    offset: int | None = None
    help: int | None = None


class Help(NamedTuple):
    entry: Entry
    deliveries: int = 0
    holder: int | None = NOBODY


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out; then the bounds."""

    sends_the_token: bool = True
    tries_again_without_a_token: bool = True
    settles_what_is_absent_at_its_token: bool = True
    settles_only_what_was_taken: bool = True
    asks_for_help: bool = True
    help_before_the_answer: bool = True
    help_bears_the_token: bool = True
    hands_on_what_it_cannot_run: bool = True
    hands_on_at_the_last_delivery: bool = True
    verdicts_end: bool = True
    the_dead_leave_the_group: bool = True
    begins_where_the_group_was: bool = True
    # The bounds: messages, and the name under which each is run; which names each process runs; processes that are busy for good.
    names: tuple = ("A", "A")
    runs: tuple = ("A", "A")
    busy: tuple = ()
    has_tokens: bool = True
    deliveries: int = 2
    crashes: int = 0
    moves: int = 0
    sends_lost: int = 0
    repeats: int = 0


class State(NamedTuple):
    # The store: its messages, who holds the instance, and how many of the writes each process's replica shows.
    messages: tuple
    seen: tuple
    holder: int | None = NOBODY
    # The topic of the group: one record a message, in order, some again; the committed offset, what is handled beyond it, the next to be read.
    topic: tuple = ()
    committed: int = 0
    handled: tuple = ()
    next_offset: int = 0
    owner: int = 0
    # The share group in which help is asked for; a record of it that is gone is None.
    help: tuple = ()
    # The processes: what a dispatcher does, what the process knows of, and whether it takes the instance for one that it can't run.
    processes: tuple = ()
    entries: tuple = ()
    refuses: tuple = ()
    asking: tuple = ()
    crashes: int = 0
    moves: int = 0
    sends_lost: int = 0
    repeats: int = 0
    violation: str | None = None


class AnnouncedLooks:
    def __init__(self, rules: Rules):
        self.rules = rules
        self.all = range(len(rules.runs))

    def find(self):
        r = self.rules
        each = len(r.runs)
        start = State(
            messages=(TO_COME,) * len(r.names),
            seen=(0,) * each,
            processes=(IDLE,) * each,
            entries=((),) * each,
            refuses=(False,) * each,
            asking=((),) * each,
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
                yield from self.asks(s, i)
                if i not in self.rules.busy:
                    yield from getattr(self, "when_" + s.processes[i][0])(s, i, *s.processes[i][1:])

    # The store, its replicas, the relay --------------------------------------------------------------------------------------------------

    def writes(self, s):
        written = self.written(s)
        if written < len(s.messages):
            record = Entry(written, written + 1 if self.rules.has_tokens else None)
            yield f"message {written} is written and announced", s._replace(
                messages=replaced(s.messages, written, STORED), topic=s.topic + (record,)
            )
        if s.repeats:
            for record in sorted(set(s.topic), key=lambda r: r.message):
                yield f"message {record.message} is announced again", s._replace(topic=s.topic + (record,), repeats=s.repeats - 1)
        for i in self.all:
            if s.seen[i] < written:
                yield f"the replica of {i} catches up", s._replace(seen=replaced(s.seen, i, s.seen[i] + 1))

    def written(self, s):
        return sum(m != TO_COME for m in s.messages)

    # What goes wrong ---------------------------------------------------------------------------------------------------------------------

    def troubles(self, s):
        alive = [i for i in self.all if s.processes[i] != DEAD]
        for i in alive:
            if s.crashes and len([j for j in alive if j not in self.rules.busy]) > (i not in self.rules.busy):
                # Its lock lapses, the share group takes its records back; the group of turns has yet to miss it.
                yield f"process {i} dies", s._replace(
                    processes=replaced(s.processes, i, DEAD),
                    entries=replaced(s.entries, i, ()),
                    asking=replaced(s.asking, i, ()),
                    refuses=replaced(s.refuses, i, False),
                    holder=NOBODY if s.holder == i else s.holder,
                    help=tuple(h._replace(holder=NOBODY) if h and h.holder == i else h for h in s.help),
                    crashes=s.crashes - 1,
                )
        if s.processes[s.owner] == DEAD and self.rules.the_dead_leave_the_group:
            for i in alive:
                yield f"the group misses {s.owner}, its share goes to {i}", self.assigned(s, i)
        if s.moves and s.processes[s.owner] != DEAD:
            for i in alive:
                if i != s.owner:
                    # The former owner may have been stopped, and goes on with what it does.
                    yield f"the share goes to {i}", self.assigned(s, i)._replace(moves=s.moves - 1)

    def assigned(self, s, owner):
        begin = s.committed if self.rules.begins_where_the_group_was else len(s.topic)
        mine = tuple(e for e in s.entries[s.owner] if e.offset is None)
        return s._replace(owner=owner, next_offset=begin, committed=begin, handled=(), entries=replaced(s.entries, s.owner, mine))

    # The threads of a process that read ----------------------------------------------------------------------------------------------------

    def reads(self, s, i):
        if s.owner == i and s.next_offset < len(s.topic):
            at = s.next_offset
            entry = s.topic[at]._replace(offset=at)
            yield f"process {i} hears of message {entry.message}", self.knows(s, i, entry)._replace(next_offset=at + 1)
        if i not in self.rules.busy and s.processes[i] == IDLE:
            for n, record in enumerate(s.help):
                if record and record.holder is NOBODY:
                    taken = s._replace(help=replaced(s.help, n, record._replace(holder=i, deliveries=record.deliveries + 1)))
                    yield f"process {i} is asked for help with message {record.entry.message}", self.knows(taken, i, record.entry._replace(help=n))
        if s.refuses[i] and self.rules.verdicts_end:
            yield f"process {i} forgets that it can't run it", s._replace(refuses=replaced(s.refuses, i, False))

    def knows(self, s, i, entry):
        return s._replace(entries=replaced(s.entries, i, tuple(sorted(s.entries[i] + (entry,), key=repr))))

    def without(self, s, i, entry):
        left = list(s.entries[i])
        left.remove(entry)
        return s._replace(entries=replaced(s.entries, i, tuple(left)))

    def asks(self, s, i):
        r = self.rules
        for entry in sorted(set(s.entries[i]), key=repr):
            waits = i in r.busy and r.asks_for_help
            if not waits and not s.refuses[i]:
                continue
            if s.refuses[i] and not r.hands_on_what_it_cannot_run:
                yield f"process {i} can't run message {entry.message}: handled", self.answered(self.without(s, i, entry), i, entry)
            elif entry.help is None or (self.is_last(s, entry) and r.hands_on_at_the_last_delivery):
                asking = self.without(s, i, entry)
                asking = asking._replace(asking=replaced(asking.asking, i, asking.asking[i] + (entry,)))
                if not r.help_before_the_answer:
                    asking = self.answered(asking, i, entry)
                yield f"process {i} asks for help with message {entry.message}", asking
            else:
                yield f"process {i} gives message {entry.message} back", self.released(self.without(s, i, entry), entry)
        for entry in s.asking[i]:
            rest = tuple(e for e in s.asking[i] if e is not entry)
            sent = s._replace(asking=replaced(s.asking, i, rest))
            token = entry.token if r.help_bears_the_token else None
            record = Help(Entry(entry.message, token))
            if s.sends_lost:
                lost = sent._replace(sends_lost=s.sends_lost - 1)
                yield f"help for message {entry.message} is not taken", self.knows(lost, i, entry) if r.help_before_the_answer else lost
            # Places of records that are gone are used again, so that what comes back is the same state.
            place = s.help.index(None) if None in s.help else len(s.help)
            arrived = sent._replace(help=s.help[:place] + (record,) + s.help[place + 1 :])
            yield f"help for message {entry.message} is in the topic", self.answered(arrived, i, entry) if r.help_before_the_answer else arrived

    def is_last(self, s, entry):
        record = s.help[entry.help]
        return record is not None and record.deliveries >= self.rules.deliveries

    def released(self, s, entry):
        """A group drops a record that comes back too often."""
        record = s.help[entry.help]
        back = None if record.deliveries > self.rules.deliveries else record._replace(holder=NOBODY)
        return s._replace(help=replaced(s.help, entry.help, back))

    def answered(self, s, i, entry):
        """Handled: the offset moves up to the first that is not, or the group for help has no need of the record any more."""
        if entry.help is not None:
            record = s.help[entry.help]
            return s._replace(help=replaced(s.help, entry.help, None)) if record and record.holder == i else s
        if s.owner != i:
            return s
        handled = set(s.handled) | {entry.offset}
        committed = s.committed
        while committed in handled:
            committed += 1
        return s._replace(committed=committed, handled=tuple(sorted(at for at in handled if at > committed)))

    # A dispatcher ------------------------------------------------------------------------------------------------------------------------

    def when_idle(self, s, i):
        if not s.refuses[i]:
            for entry in sorted(set(s.entries[i]), key=repr):
                yield f"process {i} takes message {entry.message}", now(self.without(s, i, entry), i, ("looking", entry, False))

    def when_looking(self, s, i, entry, was_absent):
        r = self.rules
        if r.sends_the_token and entry.token is not None and s.seen[i] < entry.token:
            # The service answers that this replica is not that far: the look is made again.
            return
        visible = tuple(m for m in range(s.seen[i]) if s.messages[m] == STORED)
        if s.holder is not NOBODY:
            yield f"process {i} looks: held", now(self.knows(s, i, entry), i, IDLE)
        elif not visible:
            yield from self.not_seen(s, i, entry, was_absent)
        elif r.names[visible[0]] not in r.runs[i]:
            refused = s._replace(refuses=replaced(s.refuses, i, True))
            yield f"process {i} looks: it can't run {visible}", now(self.knows(refused, i, entry), i, IDLE)
        else:
            # A turn is of one name: what comes after the last turn of an execution is another's.
            chosen = tuple(m for m in visible if r.names[m] == r.names[visible[0]])
            yield f"process {i} locks {chosen}", now(s._replace(holder=i), i, ("holding", entry, chosen, entry.message not in visible))

    def not_seen(self, s, i, entry, was_absent):
        r = self.rules
        if entry.token is not None:
            if r.settles_what_is_absent_at_its_token:
                yield f"process {i} looks: nothing", now(self.answered(s, i, entry), i, IDLE)
            else:
                broken = "PINNED" if was_absent else None
                yield f"process {i} looks: nothing, again", now(s, i, ("looking", entry, True))._replace(violation=broken)
        elif s.seen[i] > entry.message or not r.tries_again_without_a_token:
            # By the clock: the announcement is older than any replica's lag.
            yield f"process {i} looks: nothing", now(self.answered(s, i, entry), i, IDLE)

    def when_holding(self, s, i, entry, chosen, is_absent):
        messages = s.messages
        for m in chosen:
            messages = replaced(messages, m, CONSUMED)
        acked = s._replace(messages=messages, holder=NOBODY)
        # What the read had to show and did not was consumed by an earlier turn.
        is_gone = entry.token is not None and self.rules.sends_the_token and is_absent
        is_done = entry.message in chosen or is_gone or not self.rules.settles_only_what_was_taken
        after = self.answered(acked, i, entry) if is_done else self.knows(acked, i, entry)
        yield f"process {i} acks {chosen}", now(after, i, IDLE)


def now(s: State, i: int, doing: tuple) -> State:
    return s._replace(processes=replaced(s.processes, i, doing))


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
    case("the protocol, a busy process and one that dies", None, crashes=1, **SLOW_OF_THREE),
    case("the protocol, two names", None, sends_lost=1, **TWO_NAMES),
    case("the protocol, processes that die", None, crashes=1, moves=1),
    case("the look does not send the token", "STUCK", sends_the_token=False),
    case("without a token, what is not seen is handled", "STUCK", tries_again_without_a_token=False, has_tokens=False),
    case("what is absent at its token is tried again", "PINNED", settles_what_is_absent_at_its_token=False, repeats=1),
    case("an ack handles messages that it did not take", "STUCK", settles_only_what_was_taken=False, has_tokens=False),
    case("a busy process asks nobody", "STUCK", asks_for_help=False, **SLOW),
    case("handled before help is asked for", "STUCK", help_before_the_answer=False, sends_lost=1, **SLOW),
    case("help without the token, handled when not seen", "STUCK", help_bears_the_token=False, tries_again_without_a_token=False, **SLOW),
    case("what a process can't run is handled", "STUCK", hands_on_what_it_cannot_run=False, **TWO_NAMES),
    case("help is given back until it is dropped", "STUCK", hands_on_at_the_last_delivery=False, **TWO_NAMES),
    case("a process is taken for unsuitable for ever", "STUCK", verdicts_end=False, names=("B", "A"), runs=("A", "B")),
    case("a process that dies keeps its share", "STUCK", the_dead_leave_the_group=False, crashes=1),
    case("the next owner begins at the end", "STUCK", begins_where_the_group_was=False, crashes=1),
]
