"""Intent delivery beside processes of duroxide-cdb (Rust). The page beside this module says what it means."""

from collections import deque
from itertools import combinations
from typing import NamedTuple

from exploration import Case, Finding, explore, replaced, trace

PENDING, QUEUED, FAILED, GONE = 1, 2, 3, 4
FAULTS = ("overlap", "slow", "undone", "rlost", "rdelete")
OWN = ("pending", "queued")


class State(NamedTuple):
    """One intent, its target document and its receipt, two Rust readers and two relay replicas: (doing, rounds left)."""

    status: int
    age: int
    receipt: int
    document: int
    created: int
    creator: str
    rust: tuple
    relay: tuple
    refused: int
    violation: str | None = None


def start(kind):
    rounds = 2 if kind in OWN else 3
    status = QUEUED if kind == "queued" else PENDING
    return State(status, 0, 0, 0, 0, "", (("idle", rounds), ("idle", 2)), (("idle", 2), ("idle", 2)), 0)


def steps_of(kind, faults, gives_up=False):
    """What can happen to an intent of this kind under these circumstances."""
    own = kind in OWN
    overlap = "overlap" in faults
    early = kind == "claimed early"
    oldest = 3 if kind == "claimed" else 2

    def created(s, who, **changes):
        violation = s.violation or ("EITHER" if s.refused else s.creator + who if s.created else None)
        return s._replace(document=1, created=s.created + 1, creator=who, violation=violation, **changes)

    def rust_creates(s):
        return s if s.document else created(s, "R")

    def relay_creates(s):
        if s.receipt:
            return s
        return s._replace(receipt=1) if s.document else created(s, "J", receipt=1)

    def deleted(s):
        return s._replace(status=GONE, violation=s.violation or ("LOST" if not s.created else None))

    def steps(s):
        if s.document:
            yield "the target consumes the document", s._replace(document=0)
        if "rdelete" in faults and (s.document or s.receipt):
            yield "the target is deleted through Rust, receipts too", s._replace(document=0, receipt=0)
        at_work = any(doing != "idle" for doing, _ in s.rust + s.relay)
        passes = s.age == 0 or not at_work or "slow" in faults
        if s.age < oldest and passes and (s.age < 2 or s.status == QUEUED):
            yield f"the intent is of age {s.age + 1}", s._replace(age=s.age + 1)
        for i in range(2):
            yield from rust_steps(s, i)
        if kind != "norelay":
            for i in range(2):
                yield from relay_steps(s, i)

    def rust_steps(s, i):
        doing, left = s.rust[i]

        def then(name, what, after=s):
            return f"Rust {i + 1} {name}", after._replace(rust=replaced(after.rust, i, what))

        # The reconciler, or the intent's own writer right after its ack, which has it in memory and looks at no status.
        writer = not own and i == 0 and left == 3
        reads = s.status == PENDING and (s.age >= 1 or writer) or early and writer and (s.age == 0 or "slow" in faults)
        if doing == "idle" and left and s.status != GONE and reads:
            if overlap:
                yield then("reads the intent", ("read", left - 1))
            else:
                after = rust_creates(s)
                yield then("creates the document (or 409) and deletes the intent", ("idle", left - 1), deleted(after))
                if "undone" in faults:
                    yield then("creates the document (or 409), does not get to delete the intent", ("idle", left - 1), after)
        if doing == "read":
            yield then("creates the document (or 409)", ("delete", left), rust_creates(s))
        if doing == "delete":
            yield then("deletes the intent", ("idle", left), deleted(s))
            if "undone" in faults:
                yield then("does not get to delete the intent", ("idle", left))

    def relay_steps(s, i):
        doing, left = s.relay[i]

        def then(name, what, after=s):
            return f"relay {i + 1} {name}", after._replace(relay=replaced(after.relay, i, what))

        if doing == "idle" and left:
            if kind == "claimed" and s.status == PENDING and s.age >= 1:
                yield then("claims the intent: status queued", ("idle", left), s._replace(status=QUEUED))
            if early and s.status == PENDING and s.age == 0:
                yield then("claims the intent before any reconciler may read it", ("idle", left), s._replace(status=QUEUED))
            due = s.status == PENDING and (own or kind == "foreign" and s.age >= 2) or s.status == QUEUED and (own or s.age >= oldest)
            if due and overlap:
                yield then("reads the intent", ("read", left - 1))
            elif due:
                after = relay_creates(s)
                yield then("delivers, deletes the intent", ("idle", left - 1), deleted(after))
                if "rlost" in faults:
                    yield then("delivers, does not get to delete the intent", ("idle", left - 1), after)
            if due and gives_up and not s.receipt:
                violation = s.violation or ("EITHER" if s.created else None)
                failed = s._replace(receipt=1, status=FAILED, refused=1, violation=violation)
                yield then("gives it up: refusal receipt, batch {failed, SubOrchFailed}", ("idle", left - 1), failed)
        if doing == "read":
            yield then("delivers: batch {receipt, document}", ("delete", left), relay_creates(s))
        if doing == "delete":
            yield then("deletes the intent", ("idle", left), deleted(s))
            if "rlost" in faults:
                yield then("does not get to delete the intent", ("idle", left))

    return steps


# What each duplicate needs ---------------------------------------------------------------------------------------------------------------

PAIRS = {"RR": "Rust, then Rust again", "RJ": "Rust, then the relay", "JR": "the relay, then Rust", "JJ": "the relay twice"}
OFTEN = "RR: overlap or undone; RJ: overlap or undone; JR: overlap or rlost; JJ: overlap + rdelete or rlost + rdelete"
DUPLICATES = {
    "norelay": "RR: overlap or undone",
    "pending": OFTEN,
    "queued": "JJ: overlap + rdelete or rlost + rdelete",
    "foreign": OFTEN,
    "claimed early": "RR: overlap or undone; RJ: undone or overlap + slow; JR: overlap + slow or slow + rlost; JJ: overlap + rdelete or rlost + rdelete",
    "claimed": "RR: overlap or undone; RJ: undone or overlap + slow; JR: overlap + slow; JJ: overlap + rdelete or rlost + rdelete",
}


def reached(first, steps, wanted):
    """Every state, those beyond a violation too: how many, and the way to the nearest that is wanted (None: there is none)."""
    came_from = {first: None}
    to_visit = deque([first])
    while to_visit:
        s = to_visit.popleft()
        if wanted(s):
            return len(came_from), trace(came_from, s)
        for name, after in steps(s):
            if after not in came_from:
                came_from[after] = (s, name)
                to_visit.append(after)
    return len(came_from), None


def smallest_circumstances(kind, pair):
    """The smallest sets of circumstances that make this pair of creations possible, each with its shortest way; and the states explored."""
    found, states = [], 0
    for size in range(len(FAULTS) + 1):
        for faults in combinations(FAULTS, size):
            if any(set(fewer) <= set(faults) for fewer, _ in found):
                continue
            explored, way = reached(start(kind), steps_of(kind, faults), lambda s: s.violation == pair)
            states += explored
            if way is not None:
                found.append((faults, way))
    return found, states


def duplicates(kind):
    states, lost = reached(start(kind), steps_of(kind, FAULTS), lambda s: s.violation == "LOST")
    if lost is not None:
        return Finding(states, "LOST", lost)
    told, ways = [], []
    for pair, meaning in PAIRS.items():
        found, explored = smallest_circumstances(kind, pair)
        states += explored
        if found:
            told.append(f"{pair}: " + " or ".join(" + ".join(faults) or "nothing at all" for faults, _ in found))
        for faults, way in found:
            ways += [f"{meaning}, by {' + '.join(faults) or 'nothing at all'}:"] + ["    " + step for step in way]
    return Finding(states, "; ".join(told) or None, ways)


def answers(kind):
    states, way = reached(start(kind), steps_of(kind, ("overlap",), gives_up=True), lambda s: s.violation == "EITHER")
    return Finding(states, None if way is None else "EITHER", way or [])


# Keys of our intents ---------------------------------------------------------------------------------------------------------------------


class Turns(NamedTuple):
    """Rust creates the message m1 in S, perhaps twice; every turn of S (Java) sends one intent to T."""

    copies: int = 0
    m1: int = 0
    m2: int = 0
    turn: int = 0
    intents: tuple = ()
    receipts: tuple = ()
    violation: str | None = None


def own_keys(of_the_token, wanted):
    def steps(s):
        if s.copies < 2 and not s.m1:
            again = " again: its delete of the intent had failed" if s.copies else ""
            yield "Rust creates m1 in S" + again, s._replace(copies=s.copies + 1, m1=1)
        if s.m2 == 0:
            yield "m2 arrives in S, younger than m1", s._replace(m2=1)
        if s.m1 or s.m2 == 1:
            first = "m1" if s.m1 else "m2"
            both = s.m1 and s.m2 == 1
            key = f"token {s.turn}" if of_the_token else first
            after = s._replace(m1=0, m2=2 if s.m2 == 1 else s.m2, turn=s.turn + 1)
            what = f"S commits turn {s.turn + 1}, consumes {'m1, m2' if both else first}"
            if s.turn >= 1 and first == "m1" and not both and s.copies == 2:
                yield what + ", a mere copy: no intent", after
            elif key in s.intents:
                yield what + f", intent key {key}: 409, the ack fails for good", after._replace(violation="COLLIDES")
            else:
                yield what + f", intent key {key}", after._replace(intents=tuple(sorted(s.intents + (key,))))
        for key in s.intents:
            rest = tuple(other for other in s.intents if other != key)
            if key in s.receipts:
                yield f"{key}: 409 on the receipt, taken for delivered, deleted", s._replace(intents=rest, violation="SWALLOWED")
            else:
                yield f"{key} is delivered", s._replace(intents=rest, receipts=tuple(sorted(s.receipts + (key,))))

    return explore(Turns(), steps, only=wanted)


# Keys of Rust's intents --------------------------------------------------------------------------------------------------------------------


class Repeats(NamedTuple):
    """S (Rust) commits two turns, each with one intent, both under the key S:1:0 but with target documents d1 and d2 of their own."""

    turns: int = 0
    intent: tuple = (0, 0)  # the turn whose intent lies there (0: none), and its version, which every write moves on
    created: tuple = ()  # target documents, in order
    receipts: tuple = ()
    relays: tuple = (("idle",), ("idle",))
    violation: str | None = None


def rusts_keys(receipt_names_document, deletes_version_read):
    def receipt(turn):
        return f"S:1:0:d{turn}" if receipt_names_document else "S:1:0"

    def made(s, turn, **changes):
        return s._replace(created=s.created + (turn,), violation="TWICE" if turn in s.created else s.violation, **changes)

    def without_intent(s):
        turn, version = s.intent
        return s._replace(intent=(0, version + 1), violation=s.violation or ("LOST" if turn not in s.created else None))

    def steps(s):
        turn, version = s.intent
        if s.turns < 2 and not turn:
            yield f"S commits turn {s.turns + 1}, intent S:1:0 for d{s.turns + 1}", s._replace(turns=s.turns + 1, intent=(s.turns + 1, version + 1))
        # Rust keeps no receipts. Its rounds are one step here: that two of them repeat what either did is its own affair.
        if turn and not (turn in s.created):
            yield f"Rust creates d{turn} and deletes the intent", without_intent(made(s, turn))
        elif turn:
            yield f"Rust gets 409 for d{turn} and deletes the intent", without_intent(s)
        for i, doing in enumerate(s.relays):

            def then(name, what, after=s):
                return f"relay {i + 1} {name}", after._replace(relays=replaced(after.relays, i, what))

            if doing[0] == "idle" and turn:
                yield then(f"reads the intent for d{turn}", ("read", turn, version))
            elif doing[0] == "read":
                _, wanted, seen = doing
                if receipt(wanted) in s.receipts:
                    yield then(f"409 on the receipt: d{wanted} was delivered", ("delete", wanted, seen))
                else:
                    known = s._replace(receipts=tuple(sorted(s.receipts + (receipt(wanted),))))
                    yield then(f"writes {receipt(wanted)} and d{wanted}", ("delete", wanted, seen), known if wanted in s.created else made(known, wanted))
            elif doing[0] == "delete":
                if not turn:
                    yield then("deletes the intent: 404", ("idle",))
                elif deletes_version_read and version != doing[2]:
                    yield then("deletes the intent: 412, it is another one", ("idle",))
                else:
                    yield then("deletes the intent", ("idle",), without_intent(s))

    return explore(Repeats(), steps, lambda s: s.turns == 2 and set(s.created) == {1, 2})


CASES = [Case(f"what duplicates need, {kind}", needs, lambda kind=kind: duplicates(kind)) for kind, needs in DUPLICATES.items()]
CASES += [
    Case("given up beside Rust, status pending", "EITHER", lambda: answers("pending")),
    Case("given up beside Rust, status queued", None, lambda: answers("queued")),
    Case("our key hashes the first message consumed", "COLLIDES", lambda: own_keys(False, "COLLIDES")),
    Case("our key hashes the first message consumed, seen from the target", "SWALLOWED", lambda: own_keys(False, "SWALLOWED")),
    Case("our key hashes the lock token", None, lambda: own_keys(True, None)),
    Case("Rust's keys repeat: receipt by the key alone", "LOST", lambda: rusts_keys(False, True)),
    Case("Rust's keys repeat: the intent is deleted whatever its version", "LOST", lambda: rusts_keys(True, False)),
    Case("Rust's keys repeat: the receipt names the document, the delete the version", None, lambda: rusts_keys(True, True)),
]
