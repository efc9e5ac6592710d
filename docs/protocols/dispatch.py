"""Work announced through Kafka: what the relay says, and when a runtime may believe it. The page beside this module says what it means."""

from typing import NamedTuple

from exploration import Case, explore, replaced

TO_COME, FAR, NEAR, STORED, CONSUMED = "to come", "far", "near", "stored", "consumed"
WRITTEN, DELIVERED, TIMER, SHORT = "written", "delivered", "timer", "short timer"
UP, DOWN, GONE = "up", "down", "gone"
IDLE, DEAD = ("idle",), ("dead",)
PROCESSES = (0, 1)


class Record(NamedTuple):
    """An announcement: messages by name, or the advice to look at the instance; timers bear their time."""

    content: tuple = ()
    look: bool = False
    timers: tuple = ()
    # How far the relay had looked ahead when it sent this: timers that were announced before.
    horizon: tuple = ()
    # Whether all that was written before was announced before; the horizon 0 says that it is not known.
    is_whole: bool = True


LOOK = Record(look=True)


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out; then the bounds."""

    content_only_in_feed_order: bool = True
    own_messages_without_content: bool = True
    one_page_under_way: bool = True
    position_after_the_page: bool = True
    offset_after_the_work: bool = True
    held_is_not_handled: bool = True
    timers_hold_the_offset: bool = True
    looks_after_a_gap: bool = True
    looks_again_after_the_horizon: bool = True
    looks_ahead: bool = True
    looks_for_lapses: bool = True
    content_until_the_horizon: bool = True
    first_look_takes_overdue: bool = True
    has_pulse: bool = True
    believes_nothing_after_a_drop: bool = True
    overdue_look_after_a_drop: bool = True
    look_begins_after_the_drop: bool = True
    no_pulse_after_a_drop: bool = True
    messages: tuple = (WRITTEN, WRITTEN, WRITTEN)
    relay_crashes: int = 0
    relay_ends: int = 0
    sends_lost: int = 0
    drops: int = 0
    takes_no_looks: bool = False
    crashes: int = 0
    moves: int = 0
    gaps: int = 0
    lapses: int = 0


class State(NamedTuple):
    # The store: its messages, the version of the head, who holds it, with which messages, and whether that lock has lapsed, the change feed.
    messages: tuple
    version: int = 0
    holder: int | None = None
    tagged: tuple = ()
    lapsed: bool = False
    feed: tuple = ()
    # The relay: where it goes on after a crash, what it has read, records that may arrive in the topic, what a lookahead shows.
    relay: str = UP
    position: int = 0
    read: int = 0
    sending: tuple = ()
    due_for_look: bool = False
    horizon: tuple = ()
    # A page was given up, and no look at all that is overdue was taken since; the look under way, and whether it began since.
    has_dropped: bool = False
    look: tuple | None = None
    # The topic and the group: records, the committed offset, the owner, the number of its assignment.
    topic: tuple = ()
    committed: int = 0
    next_offset: int = 0
    owner: int = 0
    # Timers that were near when records were lost: until they are due and were looked for, no record is taken for all there is.
    unsure: tuple = ()
    # The runtimes: what each does, the version of the head that it remembers, the timers it waits for as (message, offset).
    processes: tuple = (IDLE, IDLE)
    cached: tuple = (None, None)
    timers: tuple = ((), ())
    # What may still go wrong.
    relay_crashes: int = 0
    relay_ends: int = 0
    sends_lost: int = 0
    drops: int = 0
    crashes: int = 0
    moves: int = 0
    gaps: int = 0
    lapses: int = 0
    violation: str | None = None


class Dispatch:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self):
        r = self.rules
        start = State(
            messages=(TO_COME,) * len(r.messages),
            relay_crashes=r.relay_crashes,
            relay_ends=r.relay_ends,
            sends_lost=r.sends_lost,
            drops=r.drops,
            crashes=r.crashes,
            moves=r.moves,
            gaps=r.gaps,
            lapses=r.lapses,
        )
        return explore(start, self.steps, lambda s: all(m == CONSUMED for m in s.messages))

    def steps(self, s):
        yield from self.writes(s)
        yield from self.relays(s)
        yield from self.failures(s)
        for i in PROCESSES:
            if s.processes[i] != DEAD:
                yield from getattr(self, "when_" + s.processes[i][0])(s, i, *s.processes[i][1:])

    # The store ---------------------------------------------------------------------------------------------------------------------------

    def writes(self, s):
        m = next((m for m, phase in enumerate(s.messages) if phase == TO_COME), None)
        if m is not None:
            kind = self.rules.messages[m]
            phase = {TIMER: FAR, SHORT: NEAR}.get(kind, STORED)
            if kind != DELIVERED or s.relay == UP:
                after = s._replace(messages=replaced(s.messages, m, phase), feed=s.feed + (m,))
                if kind == DELIVERED:
                    # The relay's own batch: it says so at once, ahead of what it reads from the feed.
                    record = LOOK if self.rules.content_only_in_feed_order else Record(content=(m,))
                    after = after._replace(topic=after.topic + (record,))
                yield f"message {m} is {kind}", after
        for m, phase in enumerate(s.messages):
            if phase == FAR:
                # From here on a lookahead shows it; while no relay runs, the first look of the next one.
                near = replaced(s.messages, m, NEAR)
                yield f"timer {m} is near", s._replace(messages=near, due_for_look=self.rules.looks_ahead)
            if phase == NEAR:
                yield f"timer {m} is due", s._replace(messages=replaced(s.messages, m, STORED))
        if s.holder is not None and not s.lapsed and (s.lapses or s.processes[s.holder][0] != "holding"):
            fewer = s.lapses - (s.processes[s.holder][0] == "holding")
            # The next lookahead would show it; while no relay runs, the first look of the next one.
            shown = s.due_for_look or (self.rules.looks_ahead and self.rules.looks_for_lapses)
            yield "the lock lapses", s._replace(lapsed=True, tagged=(), lapses=fewer, due_for_look=shown)

    def visible(self, s):
        if s.holder is not None and not s.lapsed:
            return None
        return tuple(m for m, phase in enumerate(s.messages) if phase == STORED)

    # The relay ---------------------------------------------------------------------------------------------------------------------------

    def relays(self, s):
        for k, (record, end) in enumerate(s.sending):
            rest = s.sending[:k] + s.sending[k + 1 :]
            arrived = s._replace(sending=rest, topic=s.topic + (record,))
            if end is not None and self.rules.position_after_the_page:
                arrived = arrived._replace(position=max(s.position, end))
            yield f"record {record} is in the topic", arrived
            if s.sends_lost:
                # Read again from the position; what was sent after it may still arrive.
                yield f"record {record} is not taken", s._replace(
                    sending=rest, read=s.position if end is not None else s.read, sends_lost=s.sends_lost - 1
                )
            if end is not None and s.drops:
                yield from self.gives_up(s, rest, record, end)
        if s.relay == DOWN:
            shown = s.due_for_look and self.rules.first_look_takes_overdue
            yield "the next relay starts", s._replace(relay=UP, read=s.position, due_for_look=shown)
            if s.relay_ends:
                yield "no relay starts again", s._replace(relay=GONE, relay_ends=s.relay_ends - 1)
        if s.relay != UP:
            return
        own = [end for _, end in s.sending if end is not None]
        if s.read < len(s.feed) and not (own and self.rules.one_page_under_way):
            for end in range(s.read + 1, len(s.feed) + 1):
                page = tuple(sorted(set(s.feed[s.read : end])))
                after = s._replace(read=end, sending=s.sending + ((self.announcement(s, page), end),))
                if not self.rules.position_after_the_page:
                    after = after._replace(position=end)
                yield f"the relay reads page {page}", after
        yield from self.looks_ahead(s)
        if s.relay_crashes:
            # What it sent may arrive for a while; nobody moves the position by it.
            orphans = tuple((record, None) for record, _ in s.sending)
            yield "the relay dies", s._replace(relay=DOWN, sending=orphans, look=None, relay_crashes=s.relay_crashes - 1)

    def announcement(self, s, page):
        return Record(content=page, horizon=s.horizon, is_whole=not (s.has_dropped and self.rules.believes_nothing_after_a_drop))

    def gives_up(self, s, rest, record, end):
        """Kafka does not take the page for so long that its history is published without: the position moves."""
        look = s.look and (*s.look[:2], False)
        after = s._replace(position=max(s.position, end), has_dropped=True, look=look, drops=s.drops - 1)
        yield f"record {record} is given up", after._replace(sending=rest)
        yield f"record {record} is given up, and may arrive", after._replace(sending=rest + ((record, None),))

    def looks_ahead(self, s):
        if (s.due_for_look or s.has_dropped) and s.look is None:
            near = tuple(m for m, phase in enumerate(s.messages) if phase == NEAR)
            takes_overdue = not s.has_dropped or self.rules.overdue_look_after_a_drop
            record = Record(look=takes_overdue and STORED in s.messages, timers=near)
            known = tuple(m for m, phase in enumerate(s.messages) if phase not in (TO_COME, FAR))
            begun = s._replace(due_for_look=False, look=(record, known, True))
            # Where no page is given up, nothing depends on when a look began.
            yield f"the relay looks ahead: {record.timers or record.look}", begun if self.rules.drops else self.look_taken(begun)
        if s.look and not self.rules.takes_no_looks:
            yield "the look ahead is taken", self.look_taken(s)

    def look_taken(self, s):
        record, known, began_since = s.look
        still = s.has_dropped and not began_since and self.rules.look_begins_after_the_drop
        return s._replace(look=None, topic=s.topic + (record,), horizon=known, has_dropped=still)

    # What goes wrong with the others -----------------------------------------------------------------------------------------------------

    def failures(self, s):
        other = 1 - s.owner
        if s.moves and s.processes[other] != DEAD:
            yield f"the group moves to {other}", self.assigned(s, other)._replace(moves=s.moves - 1)
        for i in PROCESSES:
            if s.crashes and s.processes[i] != DEAD and s.processes[1 - i] != DEAD:
                after = s._replace(
                    processes=replaced(s.processes, i, DEAD),
                    cached=replaced(s.cached, i, None),
                    timers=replaced(s.timers, i, ()),
                    crashes=s.crashes - 1,
                )
                yield f"process {i} dies", self.assigned(after, 1 - i) if s.owner == i else after
        if s.gaps and len(s.topic) > s.next_offset:
            # Retention, or the topic made again: what nobody has read is gone.
            empty = s._replace(topic=(), committed=0, next_offset=0, gaps=s.gaps - 1, timers=((), ()))
            if self.rules.looks_after_a_gap:
                empty = empty._replace(topic=(LOOK,))
                if self.rules.looks_again_after_the_horizon:
                    empty = empty._replace(unsure=tuple(m for m, phase in enumerate(s.messages) if phase == NEAR))
            yield "the topic loses its records", empty

    def assigned(self, s, owner):
        timers = replaced(s.timers, 1 - owner, ()) if self.rules.timers_hold_the_offset else s.timers
        return s._replace(owner=owner, next_offset=s.committed, timers=timers)

    # A runtime ---------------------------------------------------------------------------------------------------------------------------

    def when_idle(self, s, i):
        due = [(m, at) for m, at in s.timers[i] if s.messages[m] != NEAR]
        if due:
            rest = tuple(timer for timer in s.timers[i] if timer not in due)
            after = s._replace(timers=replaced(s.timers, i, rest))
            yield f"process {i} looks for its timer", now(after, i, ("looking",))
        elif s.owner == i and s.unsure and all(s.messages[m] != NEAR for m in s.unsure):
            yield f"process {i} looks again after lost records", now(s._replace(unsure=()), i, ("looking",))
        elif s.owner == i and s.next_offset < len(s.topic):
            yield from self.takes(s, i)
        is_silent = s.relay == GONE or (s.has_dropped and self.rules.no_pulse_after_a_drop)
        if is_silent and self.rules.has_pulse and not due:
            yield f"process {i} polls", now(s, i, ("looking",))

    def takes(self, s, i):
        at = s.next_offset
        record = s.topic[at]
        after = s._replace(next_offset=at + 1)
        # What is far comes again by a lookahead; what is near is waited for.
        ready = tuple(m for m in record.content if s.messages[m] not in (FAR, NEAR))
        timers = tuple(m for m in record.content + record.timers if s.messages[m] == NEAR)
        is_look = record.look or any(s.messages[m] == STORED for m in record.timers)
        if timers:
            after = after._replace(timers=replaced(s.timers, i, s.timers[i] + tuple((m, at) for m in timers)))
        if not self.rules.offset_after_the_work:
            after = self.commit(after, i)
        cached = s.cached[i]
        is_trusted = cached is not None and not s.unsure
        if self.rules.content_until_the_horizon:
            # By the clock: the horizon that the record names has not passed.
            due = [m for m, phase in enumerate(s.messages) if phase == STORED and self.rules.messages[m] == TIMER]
            is_trusted = is_trusted and record.is_whole and all(m in record.horizon for m in due)
        if ready and is_trusted and not is_look:
            yield f"process {i} believes {ready}", now(after, i, self.seen(s, cached, ready))
        elif ready or is_look:
            yield f"process {i} is told to look", now(after, i, ("looking",))
        else:
            yield f"process {i} waits, if for anything", self.commit(after, i)

    def seen(self, s, version, chosen):
        """What would be passed over: visible now, and older than the youngest of what is taken."""
        skips = any(phase == STORED and m not in chosen and m < max(chosen) for m, phase in enumerate(s.messages))
        return ("seen", version, chosen, skips)

    def commit(self, s, i):
        """Up to the first record that is not handled; an owner of before commits nothing."""
        if s.owner != i:
            return s
        held = [at for _, at in s.timers[i]] if self.rules.timers_hold_the_offset else []
        return s._replace(committed=max(s.committed, min(held + [s.next_offset])))

    def handled(self, s, i):
        return now(self.commit(s, i), i, IDLE)

    def when_looking(self, s, i):
        visible = self.visible(s)
        if visible is None:
            if all(m in s.tagged for m, phase in enumerate(s.messages) if phase == STORED):
                # The holder has them all: should it die, a lookahead shows that its lock has lapsed.
                yield f"process {i} looks: nothing but what is tagged", self.handled(s, i)
            elif not self.rules.held_is_not_handled:
                yield f"process {i} looks: held", self.handled(s, i)
            # Otherwise it looks again, at the latest when that lock lapses.
        elif not visible:
            yield f"process {i} looks: nothing", self.handled(s, i)
        else:
            yield f"process {i} looks: {visible}", now(s, i, self.seen(s, s.version, visible))

    def when_seen(self, s, i, version, chosen, skips):
        free = s.holder is None or s.lapsed
        if s.version != version or not free or any(s.messages[m] != STORED for m in chosen):
            yield f"process {i} is refused", now(s._replace(cached=replaced(s.cached, i, None)), i, ("looking",))
            return
        locked = s._replace(version=version + 1, holder=i, tagged=chosen, lapsed=False, violation="ORDER" if skips else None)
        yield f"process {i} locks {chosen}", now(locked, i, ("holding", version + 1, chosen))

    def when_holding(self, s, i, version, chosen):
        if s.version != version or s.holder != i:
            yield f"process {i} has lost its lock", self.handled(s, i)
            return
        messages = s.messages
        for m in chosen:
            messages = replaced(messages, m, CONSUMED)
        acked = s._replace(
            messages=messages,
            version=version + 1,
            holder=None,
            tagged=(),
            lapsed=False,
            cached=replaced(s.cached, i, version + 1),
        )
        yield f"process {i} acks {chosen}", self.handled(acked, i)
        m = next((m for m, phase in enumerate(messages) if phase == TO_COME), None)
        if m is not None and self.rules.messages[m] == WRITTEN:
            # Its ack lets an activity of its own end, whose message is handed over in the process.
            yield from self.hands_over(acked, i, m)

    def hands_over(self, s, i, m):
        # Another writer may have been faster: what it wrote is in the store, and not yet announced.
        for late in (False, True):
            stored, mine = (m,), m
            if late:
                mine = m + 1
                if mine >= len(s.messages) or self.rules.messages[mine] != WRITTEN:
                    return
                stored = (m, mine)
            messages = s.messages
            for each in stored:
                messages = replaced(messages, each, STORED)
            after = self.commit(s._replace(messages=messages, feed=s.feed + stored), i)
            if self.rules.own_messages_without_content:
                yield f"process {i} ends its activity, message {mine}: looks", now(after, i, ("looking",))
            else:
                yield f"process {i} ends its activity, believes message {mine}", now(after, i, self.seen(after, after.version, (mine,)))


def now(s: State, i: int, doing: tuple) -> State:
    return s._replace(processes=replaced(s.processes, i, doing))


def case(name, expected, **rules):
    return Case(name, expected, Dispatch(Rules(**rules)).find)


RELAYED = (WRITTEN, WRITTEN, DELIVERED)
TIMED = (WRITTEN, TIMER, WRITTEN)
TWO = (WRITTEN, WRITTEN)

CASES = [
    case("the protocol, a relay that moves", None, messages=RELAYED, relay_crashes=1, sends_lost=1),
    case("the protocol, processes that die and a group that moves", None, crashes=1, moves=1),
    case("the protocol, a timer", None, messages=TIMED, moves=1, crashes=1),
    case("the protocol, a timer while the relay moves", None, messages=(TIMER, WRITTEN), relay_crashes=1, crashes=1),
    case("the protocol, a lock that lapses while the relay moves", None, messages=TWO, relay_crashes=1, lapses=1),
    case("the protocol, a process and the relay for good", None, messages=TWO, relay_crashes=1, relay_ends=1, crashes=1),
    case("the protocol, a group that moves twice", None, messages=(WRITTEN, SHORT, WRITTEN), moves=2),
    case("the protocol, records lost", None, gaps=1, moves=1),
    case("the protocol, records of a short timer lost", None, messages=(WRITTEN, SHORT, WRITTEN), gaps=1),
    case("the protocol, a short timer", None, messages=(WRITTEN, SHORT, WRITTEN), moves=1, crashes=1),
    case("the protocol, a page is given up", None, drops=1),
    case("the protocol, a page is given up and a group moves", None, messages=TWO, drops=1, moves=1),
    case("the protocol, a page is given up and a process dies", None, messages=TWO, drops=1, crashes=1),
    case("the protocol, two pages are given up", None, messages=TWO, drops=2),
    case("the protocol, a page is given up and the relay moves", None, messages=TWO, drops=1, relay_crashes=1),
    case("the protocol, a page with a timer is given up", None, messages=(SHORT, WRITTEN), drops=1),
    case("the protocol, a page is given up and no look is taken any more", None, messages=TWO, drops=1, takes_no_looks=True),
    case("messages are named in announcements at once", "ORDER", content_only_in_feed_order=False, messages=RELAYED),
    case("messages of the process itself are taken for all there is", "ORDER", own_messages_without_content=False),
    case("the next page is sent before the last one is taken", "ORDER", one_page_under_way=False, sends_lost=1),
    case("the position moves before the page is taken", "ORDER", position_after_the_page=False, sends_lost=1),
    case("the offset is committed before the work", "STUCK", offset_after_the_work=False, crashes=1),
    case("what somebody else holds counts as handled", "STUCK", held_is_not_handled=False, moves=1),
    case("a timer counts as handled", "STUCK", timers_hold_the_offset=False, messages=(TIMER, WRITTEN), crashes=1),
    case("a record is taken for all there is beyond its horizon", "ORDER", content_until_the_horizon=False, messages=TIMED),
    case("lost records are not noticed", "ORDER", looks_after_a_gap=False, gaps=1),
    case("one look after lost records", "ORDER", looks_again_after_the_horizon=False, messages=(WRITTEN, SHORT, WRITTEN), gaps=1),
    case("no lookahead", "STUCK", looks_ahead=False, messages=(TIMER,)),
    case("no lookahead of locks", "STUCK", looks_for_lapses=False, messages=(WRITTEN,), moves=1, crashes=1),
    case("a new relay looks ahead only", "STUCK", first_look_takes_overdue=False, relay_crashes=1, messages=(TIMER,)),
    case("a page is given up, and the next one is believed", "ORDER", believes_nothing_after_a_drop=False, drops=1),
    case("a look that leaves out what is overdue counts after a page was given up", "STUCK", overdue_look_after_a_drop=False, messages=(WRITTEN,), drops=1),
    case("a look that began before a page was given up counts", "STUCK", look_begins_after_the_drop=False, messages=TWO, drops=2),
    case("a range pulses after a page was given up", "STUCK", no_pulse_after_a_drop=False, messages=(WRITTEN,), drops=1, takes_no_looks=True),
    case("no pulse", "STUCK", has_pulse=False, relay_crashes=1, relay_ends=1, messages=TWO),
]
