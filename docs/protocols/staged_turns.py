"""Turns beyond one batch: stage, commit, apply, finish. The page beside this module says what it means.

The limit of a batch is scaled down. A turn has three history events, a worker item and a cancelled activity, and consumes two messages. Try 1:
the commit holds event 1, part 1 event 2, part 2 event 3, the worker item and the cancellation. Try 2, under the same token, has other content:
the commit holds event 1 and the cancellation, part 1 events 2 and 3.
"""

from typing import NamedTuple

from exploration import IN_DOUBT, Case, explore, replaced, sent

TOKEN, NEXT_HOLDER = 1, 2
REST = -1
PARTS_OF = {1: 2, 2: 1}
# Events written by (try, part); part 0 is the commit.
EVENTS = {(1, 0): 1, (1, 1): 1, (1, 2): 1, (2, 0): 1, (2, 1): 2}
LAST_OF_TRY_1 = (1, 2)
RUST_TURN, SMALL_TURN = 8, 9
WHOLE_HISTORIES = ((), (RUST_TURN,), ((TOKEN, 1),) * 3, ((TOKEN, 2),) * 3)


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out."""

    try_documents: bool = True
    ids_name_the_try: bool = True
    commit_counts_parts: bool = True
    renewal_spares_the_far_lock: bool = True
    abandoning_is_refused: bool = True
    ack_finds_its_commit: bool = True
    leaves_out_what_is_gone: bool = True
    readers_look_back: bool = True
    readers_finish_first: bool = True
    # empty: a message of its own, that no turn gets; kept: the newest message stays until the end
    wake_up: str = "empty"
    # events, no events: of the turn of a former holder in Rust, which checked its token long ago; none: there is no such holder
    former_holder: str = "events"
    judges_reports: bool = True
    judges_rubbish: bool = True
    failures: int = 2


class State(NamedTuple):
    instance: tuple = (TOKEN, "live", 1)  # token, lock (free, live, over, far), version
    history: tuple = ()
    messages: tuple = (1, 1)
    wake_up: int = 0
    worker_items: int = 0
    activity: int = 1
    parts: tuple = ()  # ((key, number), try) in order
    tries: tuple = ((0, 0), (0, 0))  # per try: how often its document was created, and the parts it tells; 0: it is not there
    commit: tuple | None = None  # key, parts, try, next part
    holder: tuple = ("staging", 1, 1, None)
    helper: tuple | None = None
    next_holder: tuple = ("idle",)
    former_holder: str = ""
    reader: int | None = None  # the version its first page showed; 0: it has its answer; -1: it reads the rest anew
    under_way: tuple = ()
    failures: int = 0
    crashes: int = 1
    renewals: int = 1
    reported_lost: tuple = ()
    violation: str | None = None

    def named(self, part: tuple, key_of) -> bool:
        key, number = part
        return bool(self.commit and self.commit[0] == key) or any(
            key_of(k) == key and self.tries[k - 1][1] >= number for k in PARTS_OF
        )


class StagedTurn:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self):
        start = State(former_holder="" if self.rules.former_holder == "none" else "checked", failures=self.rules.failures)
        return explore(start, self.steps, self.is_done)

    @staticmethod
    def is_done(s: State) -> bool:
        at_rest = s.instance[1] in ("free", "over")
        return not s.commit and at_rest and (not any(s.messages) or s.next_holder[0] in ("idle", "done"))

    def key(self, k: int) -> int:
        """What stands in the ids of a try's parts; 0 for the token."""
        return k if self.rules.ids_name_the_try else 0

    def steps(self, s: State):
        for name, after in self.all_steps(s):
            yield name, judged(self.rules, self.key, without_dead_requests(after))

    # The store -------------------------------------------------------------------------------------------------------------------------

    def apply(self, s: State, request: tuple):
        return getattr(self, "apply_" + request[0])(s, *request[1:])

    def apply_stage(self, s, k, n, before):
        """Part n in one batch with the next version of the try's document; `before` is the version it replaces, None creates it."""
        parts, part = dict(s.parts), (self.key(k), n)
        created, there = s.tries[k - 1]
        if self.rules.try_documents:
            if before is None and (there or part in parts):
                return s, "409"
            if before is not None and before != (created, there):
                return s, "412" if there else "404"
            s = s._replace(tries=replaced(s.tries, k - 1, (created + (before is None), n)))
        elif part in parts and parts[part] != k and self.rules.ids_name_the_try:
            return s, "409"
        parts[part] = k
        return s._replace(parts=tuple(sorted(parts.items()))), "ok"

    def apply_commit(self, s, k, version):
        if s.instance[2] != version:
            return s, "412"
        if self.rules.try_documents and not s.tries[k - 1][1]:
            return s, "404"
        if s.commit or s.history:
            return s, "409"
        kept = self.rules.wake_up == "kept"
        after = self.events_written(s, k, 0)
        return (
            after._replace(
                instance=(TOKEN, "far", version + 1),
                commit=(self.key(k), PARTS_OF[k], k, 1),
                tries=replaced(s.tries, k - 1, (s.tries[k - 1][0], 0)),
                messages=(0, s.messages[1] if kept else 0),
                wake_up=not kept,
                activity=s.activity if k == 1 else 0,
                violation=s.violation or ("LIED" if k in s.reported_lost else None),
            ),
            "ok",
        )

    def apply_part(self, s, key, n, without_activity):
        parts = dict(s.parts)
        if (key, n) not in parts:
            return s, "404"
        if self.rules.commit_counts_parts and (not s.commit or s.commit[0] != key or s.commit[3] != n):
            return s, "412"
        k = parts.pop((key, n))
        if (k, n) not in EVENTS:
            return s._replace(violation="WHOLE"), "ok"
        after = self.events_written(s, k, n)
        if after.history == s.history:
            return s._replace(violation="ORDER"), "ok"
        commit = s.commit and s.commit[:3] + (n + 1,)
        after = after._replace(parts=tuple(sorted(parts.items())), commit=commit)
        if (k, n) == LAST_OF_TRY_1:
            if not s.activity and not without_activity:
                return s, "404 of the activity"
            after = after._replace(worker_items=s.worker_items + 1, activity=0)
        return after, "ok"

    @staticmethod
    def events_written(s, k, n):
        """Unchanged when the events before are not there."""
        before = sum(EVENTS[k, j] for j in range(n))
        return s if len(s.history) != before else s._replace(history=s.history + ((TOKEN, k),) * EVENTS[k, n])

    @staticmethod
    def apply_finish(s, key):
        if not s.commit or s.commit[0] != key:
            return s, "404"
        return s._replace(commit=None, messages=(s.messages[0], 0), wake_up=0, instance=(0, "free", s.instance[2] + 1)), "ok"

    @staticmethod
    def apply_renew(s, version):
        return (s, "412") if s.instance[2] != version else (s._replace(instance=(TOKEN, "live", version + 1)), "ok")

    @staticmethod
    def apply_unlock(s, version):
        return (s, "412") if s.instance[2] != version else (s._replace(instance=(0, "free", version + 1)), "ok")

    # What can happen -----------------------------------------------------------------------------------------------------------------------

    def all_steps(self, s):
        token, lock, version = s.instance
        if lock == "live":
            yield f"lock {token} expires", s._replace(instance=(token, "over", version))
        if s.activity and s.parts:
            yield "a worker acks the activity", s._replace(activity=0)
        for j, request in enumerate(s.under_way):
            rest = s._replace(under_way=s.under_way[:j] + s.under_way[j + 1 :])
            yield f"late {request} arrives", self.apply(rest, request)[0]
        yield from self.holder_steps(s)
        yield from self.reader_steps(s)
        yield from self.helper_steps(s)
        yield from getattr(self, "next_holder_" + s.next_holder[0])(s, *s.next_holder[1:])
        yield from self.former_holder_steps(s)

    def holder_steps(self, s):
        token, lock, version = s.instance
        if s.holder[0] == "dead":
            return
        if s.crashes:
            yield "the holder crashes", s._replace(holder=("dead",), crashes=s.crashes - 1)
        if s.renewals and token == TOKEN and lock in ("live", "far"):
            # Renewals run beside the ack: read, then written on condition.
            if not (lock == "far" and self.rules.renewal_spares_the_far_lock):
                yield "the holder renews", self.apply(s._replace(renewals=s.renewals - 1), ("renew", version))[0]
        yield from getattr(self, "when_" + s.holder[0])(s, *s.holder[1:])

    def send(self, s, request, then):
        return sent(s, f"the holder sends {request}", request, self.apply, then)

    def when_dead(self, s):
        return iter(())

    when_done = when_dead

    def when_staging(self, s, k, n, before):
        def then(answer, after):
            if not self.rules.try_documents:
                return after._replace(holder=("settling", k, "staging") if answer == IN_DOUBT else staged(k, n, None))
            return after._replace(holder=staged(k, n, after.tries[k - 1]) if answer == "ok" else ("looking_for_try", k, n, before))

        yield from self.send(s, ("stage", k, n, before), then)

    def when_looking_for_try(self, s, k, n, before):
        created, there = s.tries[k - 1]
        if there == n:
            yield "the holder finds its part in place", s._replace(holder=staged(k, n, (created, there)))
        elif there == 0 if before is None else before == (created, there):
            yield "the holder finds its part not in place", s._replace(holder=("staging", k, n, before))
            yield "the holder answers a retryable failure", s._replace(holder=("left", k))
        else:
            yield "the holder finds its try removed: lost for good", self.lost(s, k)

    def when_committing(self, s, k, version):
        def then(answer, after):
            if answer == "ok":
                return after._replace(holder=("done",))
            return self.lost(after, k) if answer == "404" else after._replace(holder=("settling", k, answer))

        yield from self.send(s, ("commit", k, version), then)

    def when_settling(self, s, k, answer):
        """One read of instance, commit document and first event decides."""
        token, lock, version = s.instance
        committed = s.commit and s.commit[2] if self.rules.ack_finds_its_commit else None
        first = s.history[0] if s.history else None
        if committed == k or first == (TOKEN, k) and token != TOKEN:
            yield "the holder finds its commit: success", s._replace(holder=("done",))
        elif committed or token != TOKEN or lock == "over" or first:
            fenced = self.apply(s, ("unlock", version))[0] if token == TOKEN and lock == "over" else s
            yield f"the holder finds out ({answer}): lost for good", self.lost(fenced, k, s)
        else:
            yield "the holder answers a retryable failure", s._replace(holder=("left", k))
            if answer == "staging":
                yield "the holder stages again", s._replace(holder=("staging", k, 1, None))
            else:
                yield "the holder commits again", s._replace(holder=("committing", k, version))

    def lost(self, s, k, seen=None):
        lied = self.rules.judges_reports and (TOKEN, k) in (seen or s).history
        return s._replace(holder=("left", k), reported_lost=tuple(sorted({*s.reported_lost, k})), violation="LIED" if lied else None)

    def when_left(self, s, k):
        if k == 1:
            yield "the runtime acks again under the token, other content", s._replace(holder=("staging", 2, 1, None))
        yield "the runtime abandons", s._replace(holder=("abandoning",))

    def when_abandoning(self, s):
        token, lock, version = s.instance
        if token == TOKEN and not (lock == "far" and self.rules.abandoning_is_refused):
            yield "the holder abandons", self.apply(s, ("unlock", version))[0]._replace(holder=("done",))
        else:
            yield "the holder abandons: refused", s._replace(holder=("done",))

    def reader_steps(self, s):
        """Its answer takes two pages; it compares the instance's version at the end. When that moved, it keeps the events up to which none
        can be missing, and reads what follows them in one page, at a moment without a commit document."""
        version = s.instance[2]
        if s.reader is None and not s.commit:
            yield "a reader gets its first page: no commit document", s._replace(reader=version)
        elif s.reader == REST:
            if not s.commit or not self.rules.readers_finish_first:
                yield "the reader gets the rest", s._replace(reader=0, violation=None if whole(s.history) else "WHOLE")
        elif s.reader and self.rules.readers_look_back and s.reader != version:
            yield "the reader gets its second page: the instance has moved", s._replace(reader=REST)
        elif s.reader:
            yield "the reader gets its second page", s._replace(reader=0, violation=None if whole(s.history) else "WHOLE")

    def helper_steps(self, s):
        """Any process that meets the commit document, any number of rounds: it reads, then sends."""
        if s.helper is None:
            if s.commit:
                request = self.next_request(s)
                yield f"a helper reads, and means to send {request}", s._replace(helper=request)
            return

        def then(answer, after):
            again = answer == "404 of the activity" and self.rules.leaves_out_what_is_gone
            return after._replace(helper=s.helper[:3] + (True,) if again else None)

        yield from sent(s, f"the helper sends {s.helper}", s.helper, self.apply, then)

    def next_request(self, s):
        key, parts, _, next_part = s.commit
        if self.rules.commit_counts_parts:
            return ("part", key, next_part, False) if next_part <= parts else ("finish", key)
        there = [n for (other, n), _ in s.parts if other == key]
        return ("part", key, min(there), False) if there else ("finish", key)

    # The next holder: locks, removes what a lost try left behind, acks a small turn.

    def next_holder_idle(self, s):
        _, lock, version = s.instance
        if not s.commit and lock in ("free", "over") and any(s.messages):
            if self.rules.try_documents:
                rubbish = tuple((k, s.tries[k - 1]) for k in PARTS_OF if s.tries[k - 1][1])
            else:
                rubbish = tuple(part for part, _ in s.parts)
            yield "the next holder reads the partition", s._replace(next_holder=("seen", version, rubbish))

    def next_holder_seen(self, s, version, rubbish):
        if version == s.instance[2]:
            locked = (NEXT_HOLDER, "live", version + 1)
            yield "the next holder locks", s._replace(next_holder=("removing", version + 1, rubbish, False), instance=locked)
        else:
            yield "the next holder comes too late", s._replace(next_holder=("idle",))

    def next_holder_removing(self, s, version, rubbish, parts_gone):
        if not rubbish:
            yield "", s._replace(next_holder=("holding", version))
        elif not self.rules.try_documents:
            parts = tuple(item for item in s.parts if item[0] not in rubbish)
            yield "the next holder removes the parts it saw", s._replace(parts=parts, next_holder=("removing", version, (), False))
        elif not parts_gone:
            k, (_, told) = rubbish[0]
            parts = tuple(item for item in s.parts if not (item[0][0] == self.key(k) and item[0][1] <= told))
            after = s._replace(parts=parts, next_holder=("removing", version, rubbish, True))
            yield f"the next holder removes {told} parts of try {k}", after
        else:
            k, seen = rubbish[0]
            created, there = s.tries[k - 1]
            if there and (created, there) != seen:
                again = ((k, (created, there)),) + rubbish[1:]
                yield "a part came meanwhile: once more", s._replace(next_holder=("removing", version, again, False))
            else:
                tries = replaced(s.tries, k - 1, (created, 0))
                after = s._replace(tries=tries, next_holder=("removing", version, rubbish[1:], False))
                yield f"the next holder removes the document of try {k}", after

    def next_holder_holding(self, s, version):
        if s.instance[0] == NEXT_HOLDER and s.instance[2] == version:
            acked = s._replace(history=s.history + (SMALL_TURN,), instance=(0, "free", version + 1), messages=(0, 0))
            yield "the next holder acks", acked._replace(next_holder=("done",))
        else:
            yield "the next holder has lost its lock", s._replace(next_holder=("idle",))

    def next_holder_done(self, s):
        return iter(())

    def former_holder_steps(self, s):
        """It overwrites the instance whatever its version, deletes the message it knew and creates its events."""
        if s.former_holder != "checked":
            return
        events = self.rules.former_holder == "events"
        if s.messages[1] and not (events and s.history):
            history = s.history + ((RUST_TURN,) if events else ())
            unlocked = (0, "free", s.instance[2] + 1)
            after = s._replace(former_holder="done", messages=(s.messages[0], 0), instance=unlocked, history=history)
            yield "a former holder in Rust commits", after
        else:
            yield "a former holder in Rust: its batch fails", s._replace(former_holder="done")


def staged(k, n, version):
    return ("staging", k, n + 1, version) if n < PARTS_OF[k] else ("committing", k, 1)


def whole(history):
    return (history[:-1] if history[-1:] == (SMALL_TURN,) else history) in WHOLE_HISTORIES


def without_dead_requests(s: State) -> State:
    """Versions never come back, so a late request that names an old one can only be refused."""

    def alive(request):
        if request[0] == "commit":
            return request[2] >= s.instance[2]
        return request[0] != "stage" or request[3] is None or request[3] == s.tries[request[1] - 1]

    return s._replace(under_way=tuple(sorted(filter(alive, s.under_way), key=repr))) if s.under_way else s


def judged(rules: Rules, key_of, s: State) -> State:
    violation = s.violation
    if not violation and s.commit is None:
        h = s.history
        first = (TOKEN, 1) in h
        if not whole(h) or s.worker_items > 1 or (s.worker_items == 1) != first or first and s.activity:
            violation = "WHOLE"
    if not violation and s.commit and s.instance[1] in ("free", "over"):
        violation = "RUST"
    if not violation and s.commit and not s.wake_up and not s.messages[1]:
        violation = "WAKE"
    # Without documents of tries nothing can be asked before the next holder has cleaned up.
    if not violation and s.parts and rules.judges_rubbish and (rules.try_documents or s.next_holder[0] == "done"):
        if not all(s.named(part, key_of) for part, _ in s.parts):
            violation = "RUBBISH"
    return s if violation == s.violation else s._replace(violation=violation)


def case(name, expected, **rules):
    return Case(name, expected, StagedTurn(Rules(**rules)).find)


CASES = [
    case("a renewal shortens the far lock", "RUST", renewal_spares_the_far_lock=False),
    case("abandoning after an ack that was committed without knowing", "RUST", abandoning_is_refused=False),
    case(
        "part ids by the token alone, no try documents, progress = absence of parts",
        "ORDER",
        ids_name_the_try=False,
        try_documents=False,
        commit_counts_parts=False,
        judges_reports=False,
        judges_rubbish=False,
    ),
    case(
        "part ids by the token alone, no try documents",
        "WHOLE",
        ids_name_the_try=False,
        try_documents=False,
        judges_reports=False,
        judges_rubbish=False,
    ),
    case("the same, reports judged too", "LIED", ids_name_the_try=False, try_documents=False, judges_rubbish=False),
    case("no try documents: a late part stays for ever", "RUBBISH", try_documents=False, former_holder="none"),
    case("progress = absence of parts (a late first part comes back after it was applied)", "ORDER", commit_counts_parts=False),
    case("a reader of two pages that does not look back", "WHOLE", readers_look_back=False),
    case("a reader that takes the rest of a half-applied turn", "WHOLE", readers_finish_first=False),
    case("an ack that does not look for its commit document", "LIED", ack_finds_its_commit=False),
    case("404 of an operation in a part", "STUCK", leaves_out_what_is_gone=False, failures=1),
    case("the newest message is the wake-up, late ack in Rust without events", "RUST", wake_up="kept", former_holder="no events"),
    case("an empty wake-up, late ack in Rust without events", None, former_holder="no events", failures=1),
    case("the newest message is the wake-up, late ack in Rust with events: the first event stops it", None, wake_up="kept", failures=1),
    case("the protocol", None),
]
