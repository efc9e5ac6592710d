"""Fetch, renewal and ack of a turn with If-Match. The page beside this module says what it means."""

from typing import NamedTuple

from exploration import IN_DOUBT, Case, explore, replaced, sent

MESSAGES = (0, 1)
TO_COME, STORED, CONSUMED = 0, 1, 2
IDLE = ("idle",)


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out."""

    judges_every_412_after_doubt: bool = True
    compares_content: bool = True
    fences_before_reporting: bool = True
    buries_lost_tokens: bool = True
    # known: the ack deletes the messages of its fetch; query: it finds them by their tag; bare: so, and tags are written without If-Match
    further_tags: str = "known"
    # event: the first of its events; receipt: a document named by the token; messages: that they are gone
    told_by: str = "event"
    # An ack that does no more than to consume its messages has its whole effect, whoever consumed them.
    only_consumes: bool = False
    acks_twice: bool = True
    failures: int = 2
    crashes: int = 0
    fetches: int = 2


class State(NamedTuple):
    # The store: the instance, its history as (token, ack) of each turn, its messages as (phase, tag).
    token: int
    lapsed: int
    version: int
    history: tuple
    messages: tuple
    # Who is at work, and what is on its way.
    dispatchers: tuple
    under_way: tuple
    failures: int
    crashes: int
    renewals: int
    tokens_given: int
    # What the invariants look at: acks (token, number) committed and reported lost, how often each message was consumed.
    committed: tuple = ()
    reported_lost: tuple = ()
    consumed: tuple = (0, 0)
    violation: str | None = None


class FetchAndAck:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self):
        start = State(0, 0, 1, (), ((STORED, 0), (TO_COME, 0)), (IDLE, IDLE), (), self.rules.failures, self.rules.crashes, 1, 0)
        return explore(start, self.steps, self.is_done)

    def is_done(self, s: State) -> bool:
        return all(phase == CONSUMED for phase, _ in s.messages) or s.tokens_given == self.rules.fetches

    # The store -------------------------------------------------------------------------------------------------------------------------

    def apply(self, s: State, request: tuple):
        return getattr(self, "apply_" + request[0])(s, *request[1:])

    def apply_lock(self, s, token, version, messages):
        if s.version != version or any(s.messages[m][0] != STORED for m in messages):
            return s, "412"
        return self.tagged(s, token, messages)._replace(token=token, lapsed=0, version=s.version + 1), "ok"

    def apply_tag(self, s, token, version, messages):
        guarded = self.rules.further_tags != "bare"
        if any(s.messages[m][0] != STORED for m in messages) or guarded and s.version != version:
            return s, "412"
        return self.tagged(s, token, messages)._replace(version=s.version + guarded), "ok"

    @staticmethod
    def tagged(s, token, messages):
        after = s.messages
        for m in messages:
            after = replaced(after, m, (STORED, token))
        return s._replace(messages=after)

    def apply_fence(self, s, token, version):
        if s.version != version:
            return s, "412"
        return s._replace(token=0, lapsed=0, version=s.version + 1), "ok"

    def apply_ack(self, s, token, version, given, deleted, first_event, number):
        if s.version != version:
            return s, "412"
        if any(s.messages[m][0] != STORED for m in deleted):
            return s, "404"
        violation, messages, consumed = s.violation, s.messages, s.consumed
        for m in deleted:
            messages = replaced(messages, m, (CONSUMED, 0))
        for m in given:
            consumed = replaced(consumed, m, consumed[m] + 1)
            if consumed[m] > 1:
                violation = "ONCE"
        if s.token != token:
            violation = "FORMER"
        if (token, number) in s.committed:
            violation = "OK"
        if (token, number) in s.reported_lost:
            violation = "PERM"
        return (
            s._replace(
                token=0,
                lapsed=0,
                version=s.version + 1,
                messages=messages,
                consumed=consumed,
                committed=tuple(sorted(s.committed + ((token, number),))),
                violation=violation,
                history=s.history + ((token, number),) if self.rules.told_by != "messages" else s.history,
            ),
            "ok",
        )

    # What can happen ---------------------------------------------------------------------------------------------------------------------

    def steps(self, s: State):
        for m, (phase, _) in enumerate(s.messages):
            if phase == TO_COME:
                yield f"message {m + 1} arrives", s._replace(messages=replaced(s.messages, m, (STORED, 0)))
        if s.token and not s.lapsed:
            yield f"lock {s.token} expires", s._replace(lapsed=1)
        for j, request in enumerate(s.under_way):
            rest = s._replace(under_way=s.under_way[:j] + s.under_way[j + 1 :])
            yield f"late {request[0]} of token {request[1]} arrives", self.apply(rest, request)[0]
        for i, doing in enumerate(s.dispatchers):
            if doing != IDLE and s.crashes:
                yield f"{'AB'[i]} crashes", now(s, i, IDLE)._replace(crashes=s.crashes - 1)
            yield from getattr(self, "when_" + doing[0])(s, i, *doing[1:])

    def when_idle(self, s, i):
        visible = tuple(m for m in MESSAGES if s.messages[m][0] == STORED)
        if visible and (not s.token or s.lapsed) and s.tokens_given < self.rules.fetches:
            yield f"{'AB'[i]} reads the partition", now(s, i, ("seen", s.version, visible, len(s.history)))

    def when_seen(self, s, i, version, visible, first_event):
        if s.tokens_given == self.rules.fetches:
            yield "the bound on fetches is reached", now(s, i, IDLE)
            return
        token = s.tokens_given + 1

        def then(answer, after):
            if answer == "ok":
                kind = "tagging" if visible[1:] else "holding"
                return now(after, i, (kind, token, version + 1, visible, first_event))
            return now(after, i, ("looking_for_lock", token, visible, first_event) if answer == IN_DOUBT else IDLE)

        yield from self.send(s._replace(tokens_given=token), i, ("lock", token, version, visible[:1]), then)

    def when_looking_for_lock(self, s, i, token, visible, first_event):
        kind = "tagging" if visible[1:] else "holding"
        found = s.token == token and not s.lapsed
        yield f"{'AB'[i]} looks for its lock", now(s, i, (kind, token, s.version, visible, first_event) if found else IDLE)

    def when_tagging(self, s, i, token, version, visible, first_event):
        bare = self.rules.further_tags == "bare"
        yield f"{'AB'[i]} stops tagging", now(s, i, ("holding", token, version, visible[:1], first_event))

        def then(answer, after):
            if answer == "ok":
                return now(after, i, ("holding", token, version + (not bare), visible, first_event))
            return now(after, i, ("holding", token, version, visible[:1], first_event) if bare else IDLE)

        yield from self.send(s, i, ("tag", token, version, visible[1:]), then)

    def when_holding(self, s, i, token, version, given, first_event):
        yield from renewal(s, i, token)
        tagged = tuple(m for m in MESSAGES if s.messages[m] == (STORED, token))
        deleted = given if self.rules.further_tags == "known" else tagged
        yield f"{'AB'[i]} starts its ack", now(s, i, ("acking", token, version, given, deleted, first_event, 1, False))

    def when_acking(self, s, i, token, version, given, deleted, first_event, number, doubted):
        yield from renewal(s, i, token)

        def then(answer, after):
            if answer == "ok":
                return self.success(after, i, token, number, given)
            if answer == "404":
                return now(after, i, IDLE)
            doubt = doubted or answer == IN_DOUBT
            return now(after, i, ("settling", token, given, deleted, first_event, number, doubt, answer))

        yield from self.send(s, i, ("ack", token, version, given, deleted, first_event, number), then)

    def when_settling(self, s, i, token, given, deleted, first_event, number, doubted, answer):
        """One read of the instance and of our first event, or of our receipt, decides."""
        ours = s.token == token
        if self.rules.told_by == "receipt":
            there = any(holder == token for holder, _ in s.history)
        elif self.rules.told_by == "event":
            event = s.history[first_event] if len(s.history) > first_event else None
            there = event is not None and (event == (token, number) or not self.rules.compares_content)
        else:
            there = all(s.messages[m][0] == CONSUMED for m in given)
        reads = f"{'AB'[i]} reads the instance ({answer})"
        judged = answer == IN_DOUBT or self.rules.judges_every_412_after_doubt
        if not ours and there and doubted and judged:
            yield reads + ": success", self.success(s, i, token, number, given)
        elif ours and not s.lapsed:
            yield reads + ": again", now(s, i, ("acking", token, s.version, given, deleted, first_event, number, doubted))
        elif ours and doubted and self.rules.fences_before_reporting:
            yield reads + ": lapsed, fence", now(s, i, ("fencing", token, s.version, given, deleted, first_event, number))
        else:
            version = s.version if ours or not self.rules.buries_lost_tokens else 0
            yield reads + ": lost for good", self.lost(s, i, token, version, given, first_event, number)

    def when_fencing(self, s, i, token, version, given, deleted, first_event, number):
        def then(answer, after):
            if answer == "ok":
                return self.lost(after, i, token, 0, given, first_event, number)
            return now(after, i, ("settling", token, given, deleted, first_event, number, True, IN_DOUBT))

        yield from self.send(s, i, ("fence", token, version), then)

    def send(self, s, i, request, then):
        return sent(s, f"{'AB'[i]} {request[0]} token {request[1]}", request, self.apply, then)

    # What an ack reports ---------------------------------------------------------------------------------------------------------------------

    def success(self, s, i, token, number, given):
        committed = (token, number) in s.committed
        if self.rules.only_consumes and not committed:
            # Nothing in the store tells whose turn it was: somebody consumed the messages, which is all that was to be done.
            committed = all(s.messages[m][0] == CONSUMED for m in given)
        return now(s if committed else s._replace(violation="OK"), i, IDLE)

    def lost(self, s, i, token, version, given, first_event, number):
        """The runtime answers with one more ack under the same token, with other content: "failed"."""
        if (token, number) in s.committed:
            violation = "PERM"
        else:
            violation = "KILL" if s.token == token and not s.lapsed else None
        again = ("acking", token, version, given, given, first_event, 2, False)
        reported = tuple(sorted(s.reported_lost + ((token, number),)))
        after = s._replace(reported_lost=reported, violation=violation)
        return now(after, i, again if number == 1 and self.rules.acks_twice else IDLE)


def now(s: State, i: int, doing: tuple) -> State:
    return s._replace(dispatchers=replaced(s.dispatchers, i, doing))


def renewal(s, i, token):
    if s.renewals and s.token == token and not s.lapsed:
        yield f"{'AB'[i]} renews", s._replace(renewals=s.renewals - 1, version=s.version + 1)


def case(name, expected, **rules):
    return Case(name, expected, FetchAndAck(Rules(**rules)).find)


CASES = [
    case("a 412 after an ambiguous try is taken for a lost lock", "PERM", judges_every_412_after_doubt=False),
    case("found out by the id of the first event", "OK", compares_content=False),
    case("lapsed with a try under way, reported without a fence", "PERM", fences_before_reporting=False),
    case("the ETag of a version that bears another token is kept for the next ack", "FORMER", buries_lost_tokens=False),
    case("further tags without If-Match, ack by query", "ONCE", further_tags="bare", failures=0, fetches=3),
    case("without events told by the messages that are gone", "OK", told_by="messages", acks_twice=False),
    case("the protocol", None),
    case("the protocol, ack by query", None, further_tags="query"),
    case("the protocol, no events", None, told_by="receipt"),
    case("the protocol, nothing but messages to consume", None, told_by="messages", only_consumes=True, acks_twice=False),
    case("the protocol, a crash", None, failures=1, crashes=1),
    case("the protocol, three fetches, ack by query", None, further_tags="query", failures=1, fetches=3),
]
