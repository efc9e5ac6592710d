"""Intent delivery between processes of ours: receipt and document in one batch. The page beside this module says what it means."""

import hashlib
from typing import NamedTuple

from exploration import Case, Finding, explore, replaced

PENDING, FAILED, ANSWERED, REMOVED, UNKNOWN = 1, 2, 3, 4, 5
DELIVERED, REFUSED = 1, 2
IDLE = ("idle",)


class Sent(NamedTuple):
    """What a turn sends: from, to, in which turn, and whether it starts an orchestration (so that a failure is answered)."""

    source: int
    target: int
    turn: int
    is_start: int

    @property
    def pair(self):
        return self[:2]


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out; then the bounds."""

    refuses_before_failing: bool = True
    answers_in_one_batch: bool = True
    answered_is_final: bool = True
    unknown_beyond_receipts: bool = True
    time_runs_forward: bool = True
    cache_keeps_intents: bool = True
    failures: int = 1
    crashes: int = 1
    retries: int = 0
    replicas: int = 2
    ages: int = 0
    attempts: int = 1
    asks_for_an_end: bool = False


class Intent(NamedTuple):
    status: int = 0  # 0: its turn is not committed
    attempts: int = 0
    generation: int = 0  # retries by hand
    age: int = 0  # 1: over intentMaxAge; 2: over the life of receipts
    receipt: int = 0
    receipt_generation: int = 0
    receipt_age: int = 0
    document: int = 0
    created: int = 0
    answers: int = 0
    created_at: int = 0


class State(NamedTuple):
    intents: tuple
    processes: tuple  # the ack's own try of each turn, then the replicas
    under_way: tuple  # deliveries that were given up: (intent, generation)
    sources: tuple  # (turns committed, updatedAt, 0)
    failures: int
    crashes: int
    retries: int
    violation: str | None = None


class Delivery:
    def __init__(self, sent, rules: Rules):
        self.sent = sent
        self.rules = rules
        self.turns = sorted({(one.source, one.turn) for one in sent})
        self.sources = sorted({one.source for one in sent})
        self.pairs = sorted({one.pair for one in sent})

    def find(self):
        rules = self.rules
        processes = (IDLE,) * (len(self.turns) + rules.replicas)
        start = State(
            (Intent(),) * len(self.sent),
            processes,
            (),
            ((0, 0, 0),) * len(self.sources),
            rules.failures,
            rules.crashes,
            rules.retries,
        )
        return explore(start, self.steps, self.is_done if rules.asks_for_an_end else None)

    def is_done(self, s):
        return all(
            intent.status in (REMOVED, ANSWERED, UNKNOWN) or intent.status == FAILED and not self.sent[k].is_start
            for k, intent in enumerate(s.intents)
        )

    def steps(self, s):
        yield from self.turn_steps(s)
        for k in range(len(self.sent)):
            yield from self.passing_steps(s, k)
        for late in s.under_way:
            rest = list(s.under_way)
            rest.remove(late)
            intents, answer, violation = self.created(s.intents, *late)
            name = f"a late delivery of {late[0]} is applied: {answer}"
            yield name, s._replace(intents=intents, under_way=tuple(rest), violation=violation)
        for i in range(len(s.processes)):
            yield from self.process_steps(s, i)

    # The target --------------------------------------------------------------------------------------------------------------------------

    def created(self, intents, k, generation):
        """The batch {receipt, document}: the intents after it, the answer, the invariant it breaks."""
        intent = intents[k]
        if intent.receipt == DELIVERED:
            return intents, "delivered", None
        if intent.receipt == REFUSED and generation <= intent.receipt_generation:
            return intents, "refused", None
        known = intent._replace(receipt=DELIVERED, receipt_generation=generation, receipt_age=intent.age)
        if intent.document:
            return replaced(intents, k, known), "delivered", None
        violation = "ONCE" if intent.created else None
        if not violation and intent.generation == 0 and self.overtaken(intents, k):
            violation = "ORDER"
        if intent.answers:
            violation = "EITHER"
        return replaced(intents, k, known._replace(document=1, created=intent.created + 1)), "delivered", violation

    def overtaken(self, intents, k):
        later = range(k + 1, len(self.sent))
        return any(self.sent[j].pair == self.sent[k].pair and intents[j].created and intents[j].generation == 0 for j in later)

    # Turns, and what passes ----------------------------------------------------------------------------------------------------------------

    def turn_steps(self, s):
        """A turn: its lock writes updatedAt by its dispatcher's clock, then it commits, then the ack tries its own intents."""
        for index, source in enumerate(self.sources):
            committed, updated_at, _ = s.sources[index]
            turns = [turn for turn in self.turns if turn[0] == source]
            if committed == len(turns):
                continue
            turn = turns[committed]
            mine = [k for k, one in enumerate(self.sent) if (one.source, one.turn) == turn]
            waiting = {one.pair for k, one in enumerate(self.sent) if one.source == source and s.intents[k].status == PENDING}
            for clock in (5, 9) if len(turns) > 1 else (5,):
                locked = max(clock, updated_at + 1) if self.rules.time_runs_forward else clock
                created_at = max(clock, locked + 1)
                for from_cache in (False, True) if not self.rules.cache_keeps_intents and committed else (False,):
                    intents = s.intents
                    for k in mine:
                        intents = replaced(intents, k, Intent(status=PENDING, created_at=created_at))
                    own = tuple((k, 0, 0) for k in mine if from_cache or self.sent[k].pair not in waiting)
                    tried = self.after(own, (), 0) if own else IDLE
                    name = f"turn {turn} commits, clock {clock}{', from cache' if from_cache else ''}; it tries {[k for k, *_ in own]}"
                    yield name, s._replace(
                        intents=intents,
                        sources=replaced(s.sources, index, (committed + 1, created_at, 0)),
                        processes=replaced(s.processes, self.turns.index(turn), tried),
                    )

    def passing_steps(self, s, k):
        intent = s.intents[k]

        def then(name, **changes):
            return name, s._replace(intents=replaced(s.intents, k, intent._replace(**changes)))

        if intent.document:
            yield then(f"the target consumes or deletes {k}", document=0)
        at_rest = not s.under_way and all(doing == IDLE for doing in s.processes)
        if intent.status in (PENDING, FAILED, ANSWERED) and intent.age < self.rules.ages and (intent.age == 0 or at_rest):
            yield then(f"intent {k} is of age {intent.age + 1}", age=intent.age + 1)
        if intent.receipt and intent.age == 2 and intent.receipt_age == 0:
            yield then(f"receipt {k} expires", receipt=0)
        may_retry = intent.status == FAILED or intent.status == ANSWERED and not self.rules.answered_is_final
        if s.retries and intent.age == 0 and may_retry:
            name, after = then(f"the operator retries {k}", status=PENDING, attempts=0, generation=intent.generation + 1)
            yield name, after._replace(retries=s.retries - 1)

    # Who delivers --------------------------------------------------------------------------------------------------------------------------

    @staticmethod
    def after(seen, delivered, i):
        """On to the next intent of those seen; behind the last, delete what was delivered."""
        if i < len(seen):
            return ("delivering", seen, i, delivered)
        return ("deleting", delivered) if delivered else IDLE

    def process_steps(self, s, i):
        own_try = i < len(self.turns)
        doing = s.processes[i]
        who = f"the ack of turn {self.turns[i]}" if own_try else f"replica {i - len(self.turns) + 1}"

        def then(name, what, **changes):
            return f"{who} {name}" if name else "", s._replace(processes=replaced(s.processes, i, what), **changes)

        if doing == IDLE:
            if not own_try:
                for pair in self.pairs:
                    waiting = [k for k, one in enumerate(self.sent) if one.pair == pair and s.intents[k].status == PENDING]
                    waiting.sort(key=lambda k: (s.intents[k].created_at, k))
                    seen = tuple((k, s.intents[k].attempts, s.intents[k].generation) for k in waiting)
                    if seen:
                        yield then(f"queries {pair}: {waiting}", ("delivering", seen, 0, ()))
            return
        if s.crashes:
            yield then("crashes", IDLE, crashes=s.crashes - 1)
        if doing[0] == "deleting":
            intents = s.intents
            for k in doing[1]:
                if intents[k].status in (PENDING, FAILED, ANSWERED):
                    intents = replaced(intents, k, intents[k]._replace(status=REMOVED))
            lost = any(not intents[k].created for k in doing[1])
            yield then(f"deletes intents {doing[1]}", IDLE, intents=intents, violation="LOST" if lost else None)
            return
        kind, seen, at, delivered = doing
        k, attempts, generation = seen[at]
        intent = s.intents[k]
        unchanged = intent.status == PENDING and (intent.attempts, intent.generation) == (attempts, generation)
        stop = ("deleting", delivered) if delivered else IDLE
        if kind == "delivering":
            if own_try or intent.age == 0 and attempts < self.rules.attempts:
                yield from self.delivering(s, own_try, doing, stop, then)
            else:
                yield then(f"gives {k} up (age {intent.age}, attempts {attempts})", ("refusing", seen, at, delivered))
        elif kind == "parking":
            if unchanged:
                parked = replaced(s.intents, k, intent._replace(attempts=attempts + 1))
                yield then(f"parks {k}, attempts {attempts + 1}", stop, intents=parked)
            else:
                yield then(f"cannot park {k}: 412 or 404", stop)
        elif kind == "refusing":
            if self.rules.refuses_before_failing and intent.age < 2:
                if intent.receipt == DELIVERED:
                    yield then(f"refuses {k}: 409, it was delivered", self.after(seen, delivered + (k,), at + 1))
                else:
                    refusal = intent._replace(receipt=REFUSED, receipt_generation=generation, receipt_age=intent.age)
                    intents = s.intents if intent.receipt else replaced(s.intents, k, refusal)
                    yield then(f"writes the refusal receipt of {k}", ("failing", seen, at, delivered), intents=intents)
            else:
                yield then("", ("failing", seen, at, delivered))
        elif kind == "failing":
            yield from self.failing(s, doing, unchanged, stop, then)
        elif kind == "answering":
            answered = intent._replace(answers=intent.answers + 1, status=ANSWERED if intent.status == FAILED else intent.status)
            violation = "EITHER" if intent.created else "ANSWER" if intent.answers else None
            on = self.after(seen, delivered, at + 1)
            yield then(f"sends SubOrchFailed for {k}", on, intents=replaced(s.intents, k, answered), violation=violation)

    def delivering(self, s, own_try, doing, stop, then):
        _, seen, at, delivered = doing
        k, _, generation = seen[at]
        intents, answer, violation = self.created(s.intents, k, generation)
        if answer == "delivered":
            on = self.after(seen, delivered + (k,), at + 1)
        else:
            on = stop if own_try else ("failing", seen, at, delivered)
        yield then(f"delivers {k}: {answer}", on, intents=intents, violation=violation)
        if s.failures:
            after_failure = stop if own_try else ("parking", seen, at, delivered)
            fewer = s.failures - 1
            lost = f"delivers {k}: applied ({answer}), answer lost"
            yield then(lost, after_failure, intents=intents, failures=fewer, violation=violation)
            late = tuple(sorted(s.under_way + ((k, generation),)))
            yield then(f"delivers {k}: given up, still under way", after_failure, under_way=late, failures=fewer)
            yield then(f"delivers {k}: refused by the store (429, poison)", after_failure, failures=fewer)

    def failing(self, s, doing, unchanged, stop, then):
        _, seen, at, delivered = doing
        k = seen[at][0]
        intent = s.intents[k]
        on = self.after(seen, delivered, at + 1)
        is_start = self.sent[k].is_start

        def marked(**changes):
            return replaced(s.intents, k, intent._replace(**changes))

        if not unchanged:
            yield then(f"cannot mark {k} failed: 412 or 404", stop)
        elif self.rules.unknown_beyond_receipts and intent.age == 2:
            yield then(f"marks {k} failed, outcome unknown, no answer", on, intents=marked(status=UNKNOWN))
        elif self.rules.answers_in_one_batch:
            answers = intent.answers + is_start
            violation = "EITHER" if is_start and intent.created else "ANSWER" if answers > 1 else None
            intents = marked(status=ANSWERED if is_start else FAILED, answers=answers)
            name = f"one batch: {k} failed" + (" and SubOrchFailed" if is_start else "")
            yield then(name, on, intents=intents, violation=violation)
        else:
            answering = ("answering", seen, at, delivered) if is_start else on
            yield then(f"patches {k} failed", answering, intents=marked(status=FAILED))


def ids_of_one_turn(position_is_kept):
    """Do the hashed ids of one turn's intents, which bear one time, still sort by position when their keys are too long to be ids?"""
    head = "x" * 1200 + ":1:0123456789abcdef"

    def identity(position):
        if position_is_kept:
            return hashlib.sha256(head.encode()).hexdigest() + f".{position:06d}"
        return hashlib.sha256(f"{head}.{position:06d}".encode()).hexdigest()

    ids = [identity(position) for position in range(4)]
    return Finding(len(ids), None if ids == sorted(ids) else "ORDER", ids)


PAIR_IN_TWO_TURNS = (Sent(0, 0, 0, 1), Sent(0, 0, 1, 0))
PAIR_IN_ONE_TURN = (Sent(0, 0, 0, 1), Sent(0, 0, 0, 0))
START = (Sent(0, 0, 0, 1),)
MESSAGE = (Sent(0, 0, 0, 0),)
TWO_PAIRS = (Sent(0, 0, 0, 1), Sent(0, 1, 0, 1))
TWO_SOURCES = (Sent(0, 0, 0, 1), Sent(0, 0, 0, 0), Sent(1, 0, 0, 1), Sent(1, 0, 0, 0))


def case(name, expected, sent, **rules):
    return Case(name, expected, Delivery(sent, Rules(**rules)).find)


CASES = [
    case("failed without a refusal, after an ambiguous try", "EITHER", START, refuses_before_failing=False, answers_in_one_batch=False),
    case("failed for its age without a refusal, was delivered long ago", "EITHER", START, failures=0, ages=1, refuses_before_failing=False),
    case("the answer is sent after the patch, not with it", "STUCK", START, answers_in_one_batch=False, asks_for_an_end=True),
    case("a start that was answered is retried by hand", "EITHER", START, answered_is_final=False, retries=1),
    case("older than receipts live, answered all the same", "EITHER", START, failures=0, ages=2, unknown_beyond_receipts=False),
    case("updatedAt is lowered by a lock with a slower clock", "ORDER", PAIR_IN_TWO_TURNS, failures=0, time_runs_forward=False),
    case("a fetch from cache forgets undelivered intents", "ORDER", PAIR_IN_TWO_TURNS, cache_keeps_intents=False),
    Case("ids of over-long keys are hashed whole", "ORDER", lambda: ids_of_one_turn(False)),
    Case("ids of over-long keys keep the position", None, lambda: ids_of_one_turn(True)),
    case("one start, ages, retry", None, START, failures=2, ages=2, retries=1, attempts=2, asks_for_an_end=True),
    case("one message, ages, retry", None, MESSAGE, failures=2, ages=2, retries=1, attempts=2, asks_for_an_end=True),
    case("a pair over two turns", None, PAIR_IN_TWO_TURNS, asks_for_an_end=True),
    case("a pair over two turns, ages, one replica", None, PAIR_IN_TWO_TURNS, ages=1, retries=1, replicas=1),
    case("a pair in one turn", None, PAIR_IN_ONE_TURN, failures=2, replicas=1, retries=1, asks_for_an_end=True),
    case("two pairs of one source", None, TWO_PAIRS),
    case("two sources with two intents each", None, TWO_SOURCES, crashes=0, replicas=1),
]
