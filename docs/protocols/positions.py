"""Exactly once from the change feed into Kafka: the positions protocol. The page beside this module says what it means."""

from typing import NamedTuple

from exploration import Case, explore, replaced


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one does; then the bounds."""

    initialises_first: bool = True
    reads_to_the_high_watermark: bool = True
    initialises_after_doubt: bool = True
    kafka_waits_for_markers: bool = True
    zombies_start_over: bool = False
    documents: int = 2
    incarnations: int = 2
    failures: int = 0
    crashes: int = 0
    timeouts: int = 0
    tool: int = 0
    asks_for_an_end: bool = False


class Owner(NamedTuple):
    """An incarnation: what it is doing, its epoch (-1: none), the position it goes on from, where its page ends."""

    doing: str
    epoch: int
    base: int
    end: int


class State(NamedTuple):
    feed: int
    epoch: int
    transaction: tuple | None  # epoch, first document, end, phase: open, prepared, aborting
    log: tuple
    position: int
    visible_position: int  # below the last stable offset, while somebody else's transaction is open
    tool_open: int
    owners: tuple
    under_way: tuple  # EndTxn requests, by epoch
    failures: int
    crashes: int
    timeouts: int
    tool: int
    violation: str | None = None


class Publishing:
    def __init__(self, rules: Rules):
        self.rules = rules
        self.first = "initialise" if rules.initialises_first else "read_position"

    def find(self, only):
        rules = self.rules
        owners = (Owner(self.first, -1, 0, 0),)
        start = State(0, 0, None, (), 0, 0, 0, owners, (), rules.failures, rules.crashes, rules.timeouts, rules.tool)
        return explore(start, self.steps, self.is_done if rules.asks_for_an_end else None, only)

    def is_done(self, s):
        return len(s.log) == self.rules.documents

    def steps(self, s):
        for name, after in self.all_steps(s):
            yield name, ranked(after)

    def all_steps(self, s):
        if s.feed < self.rules.documents:
            yield f"document {s.feed} is written", s._replace(feed=s.feed + 1)
        if len(s.owners) < self.rules.incarnations:
            owners = s.owners + (Owner(self.first, -1, 0, 0),)
            yield f"assignment: incarnation {len(owners)}", s._replace(owners=owners)
        yield from self.coordinator_steps(s)
        if s.tool:
            yield "a tool opens a transaction on positions", s._replace(tool=s.tool - 1, tool_open=1)
        if s.tool_open:
            yield "the tool's transaction ends", s._replace(tool_open=0, visible_position=s.position)
        for epoch in s.under_way:
            rest = list(s.under_way)
            rest.remove(epoch)
            after = s._replace(under_way=tuple(rest))
            if epoch == s.epoch and is_of(s, epoch, "open"):
                yield "EndTxn arrives: commit is decided", after._replace(transaction=s.transaction[:3] + ("prepared",))
            else:
                yield "EndTxn arrives: fenced", after
            if s.failures:
                yield "EndTxn is lost", after._replace(failures=s.failures - 1)
        for i, owner in enumerate(s.owners):
            if owner.doing != "out":
                yield from self.owner_steps(s, i, owner)

    def coordinator_steps(self, s):
        if not s.transaction:
            return
        epoch, _, _, phase = s.transaction
        if phase == "prepared":
            yield "the commit markers are written", completed(s)
        elif phase == "aborting":
            yield "the abort markers are written", s._replace(transaction=None)
        else:
            # Always possible once its owner is gone, else as often as the bound says.
            orphan = not any(owner.doing in ("sent", "waiting") and owner.epoch == epoch for owner in s.owners)
            if orphan or s.timeouts:
                aborted = s._replace(transaction=None, epoch=s.epoch + 1, timeouts=s.timeouts - (not orphan))
                yield "the coordinator times the transaction out", aborted

    def owner_steps(self, s, i, owner):
        newest = i == len(s.owners) - 1
        fenced = 0 <= owner.epoch < s.epoch
        again = Owner(self.first if newest or self.rules.zombies_start_over else "out", -1, 0, 0)

        def then(name, what, **changes):
            return f"incarnation {i + 1} {name}", s._replace(owners=replaced(s.owners, i, what), **changes)

        if s.crashes and (not newest or len(s.owners) < self.rules.incarnations):
            yield then("crashes", Owner("out", -1, 0, 0), crashes=s.crashes - 1)
        if owner.doing == "initialise":
            yield from self.initialising(s, owner, then)
        elif owner.doing == "read_position":
            hidden = s.tool_open or s.transaction and s.transaction[0] != owner.epoch
            if self.rules.reads_to_the_high_watermark and hidden:
                if self.rules.initialises_first and fenced and newest:
                    yield then("cannot reach the high watermark, starts over", again)
            else:
                base = s.position if self.rules.reads_to_the_high_watermark else s.visible_position
                doing = "fetch" if self.rules.initialises_first else "initialise"
                yield then(f"reads position {base}", owner._replace(doing=doing, base=base))
        elif owner.doing == "fetch":
            for end in range(owner.base + 1, s.feed + 1):
                yield then(f"reads documents {owner.base} to {end - 1}", owner._replace(doing="page", end=end))
        elif fenced:
            yield then("is fenced", again)
            if owner.doing == "waiting" and s.failures:
                yield from self.in_doubt(s, owner, again, then)
        elif owner.doing == "page":
            if not s.transaction:
                name = f"sends documents {owner.base} to {owner.end - 1} and position {owner.end} in a transaction"
                transaction = (owner.epoch, owner.base, owner.end, "open")
                yield then(name, owner._replace(doing="sent"), transaction=transaction)
        elif owner.doing == "sent":
            under_way = tuple(sorted(s.under_way + (owner.epoch,)))
            yield then("sends EndTxn", owner._replace(doing="waiting"), under_way=under_way)
        elif owner.doing == "waiting":
            yield from self.waiting(s, owner, again, then)

    def initialising(self, s, owner, then):
        """Raises the epoch and aborts the open transaction; waits while one is decided and its markers are not written."""
        is_open = s.transaction and s.transaction[3] == "open"
        waits = self.rules.kafka_waits_for_markers
        if s.transaction and not is_open and waits:
            return
        transaction = s.transaction
        if is_open:
            transaction = None if waits else s.transaction[:3] + ("aborting",)
        doing = "read_position" if self.rules.initialises_first else "fetch"
        name = "initTransactions" + (", the open transaction is aborted" if is_open else "")
        yield then(name, Owner(doing, s.epoch + 1, owner.base, 0), epoch=s.epoch + 1, transaction=transaction)

    def waiting(self, s, owner, again, then):
        asked = owner.epoch in s.under_way
        if not s.transaction and s.position == owner.end:
            yield then("learns that the commit succeeded", owner._replace(doing="fetch", base=owner.end))
        if s.failures:
            yield from self.in_doubt(s, owner, again, then)
        if not s.transaction and not asked and s.position != owner.end:
            yield then("finds its transaction gone", again)
        if is_of(s, owner.epoch, "open") and not asked:
            yield then("sends EndTxn again", owner, under_way=tuple(sorted(s.under_way + (owner.epoch,))))

    def in_doubt(self, s, owner, again, then):
        if self.rules.initialises_after_doubt:
            yield then("gets no answer to its commit", again, failures=s.failures - 1)
        else:
            on = owner._replace(doing="read_position")
            yield then("gets no answer to its commit, reads the position with the same producer", on, failures=s.failures - 1)


def is_of(s, epoch, phase):
    return s.transaction is not None and s.transaction[0] == epoch and s.transaction[3] == phase


def completed(s):
    _, first, end, _ = s.transaction
    documents = tuple(range(first, end))
    log = s.log + documents
    violation = None
    if set(documents) & set(s.log):
        violation = "TWICE"
    elif list(log) != sorted(log):
        violation = "ORDER"
    elif set(range(end)) - set(log):
        violation = "LOST"
    visible = s.visible_position if s.tool_open else end
    return s._replace(transaction=None, log=log, position=end, visible_position=visible, violation=violation)


def ranked(s):
    """Epochs matter by their order only; an EndTxn of an old one can only be refused."""
    used = {s.epoch} | {owner.epoch for owner in s.owners if owner.epoch >= 0} | ({s.transaction[0]} if s.transaction else set())
    rank = {epoch: i for i, epoch in enumerate(sorted(used))}
    return s._replace(
        epoch=rank[s.epoch],
        transaction=s.transaction and (rank[s.transaction[0]],) + s.transaction[1:],
        under_way=tuple(rank[epoch] for epoch in s.under_way if epoch == s.epoch),
        owners=tuple(owner._replace(epoch=rank[owner.epoch]) if owner.epoch >= 0 else owner for owner in s.owners),
    )


# Another number of ranges ------------------------------------------------------------------------------------------------------------------


class Ranges(NamedTuple):
    """Instance a lies in the lower half of the key space, b in the upper; a position is (instances covered, those sent)."""

    count: int
    positions: tuple
    log: tuple
    violation: str | None = None


COVERS = {1: {0: "ab"}, 2: {0: "a", 1: "b"}}


def resizing(checks_bounds):
    def steps(s):
        if s.count == 1:
            yield "somebody adds a partition to positions: two ranges", s._replace(count=2, positions=s.positions + (None,))
        for i in range(s.count):
            mine, position = COVERS[s.count][i], s.positions[i]
            if checks_bounds and (position and position[0] != mine or position is None and s.log):
                continue  # refuses to start
            sent = position[1] if position else ""
            for instance in mine:
                if instance not in sent:
                    yield f"range {i} of {s.count} ({'position ' + sent if position else 'from the beginning'}) sends {instance}", s._replace(
                        positions=replaced(s.positions, i, (mine, sent + instance)),
                        log=s.log + (instance,),
                        violation="TWICE" if instance in s.log else None,
                    )

    return explore(Ranges(1, (None,), ()), steps)


# A store that goes back in time ------------------------------------------------------------------------------------------------------------


class Restored(NamedTuple):
    """The feed as the ids of its documents in order, and how many of them the position says were read."""

    feed: tuple
    position: int
    log: tuple
    next_document: int
    restores: int
    running: bool
    refused: bool
    violation: str | None = None


def restoring(compares, keeps_the_refusal=True, looks_first=True, documents=5):
    """The relay is stopped or fails while the store goes back, and takes its range over afterwards: looks_first says, before the store has outgrown the position."""

    def steps(s):
        outgrown = s.restores == 0 and len(s.feed) >= s.position
        if s.next_document < documents and not (looks_first and s.restores == 0 and not s.running and not s.refused and len(s.feed) + 1 >= s.position):
            yield f"document {s.next_document} is written", s._replace(feed=s.feed + (s.next_document,), next_document=s.next_document + 1)
        if s.restores:
            for left in range(len(s.feed)):
                name = f"the store is restored to its first {left} documents, the relay stops"
                yield name, s._replace(feed=s.feed[:left], restores=s.restores - 1, running=False)
        if not s.running and not (s.refused and keeps_the_refusal):
            ahead = s.position > len(s.feed)
            if compares and ahead:
                yield "the position is ahead of the feed's end: refused", s._replace(refused=True)
            else:
                yield "the range is taken over" + (", the store has outgrown the position" if outgrown else ""), s._replace(running=True, refused=False)
        if s.running and s.position < len(s.feed):
            log = s.log + s.feed[s.position :]
            missing = set(s.feed) - set(log)
            yield "what is new is published", s._replace(position=len(s.feed), log=log, violation="LOST" if missing else None)

    return explore(Restored((), 0, (), 0, 1, True, False), steps)


# A merge after which the feed's numbers are lower ------------------------------------------------------------------------------------------------


class Merged(NamedTuple):
    """As `Restored`, with the number in the position: a document's number is its place in the feed, less `lower` once a merge has made it so."""

    feed: tuple
    position: int  # place behind which the service goes on from the continuation, whatever its number
    number: int  # in the continuation
    lower: int
    log: tuple
    next_document: int
    merges: int
    restores: int
    operator: int
    running: bool
    refused: bool
    trusted_end: int | None  # the feed's end when an operator trusted the position
    violation: str | None = None


def merging(trusts=True, tells_merge_from_restore=True, names_the_end=True, ends_with_a_page=True, merges=1, restores=1, documents=4):
    """An operator lets a position go on that a merge has put ahead of the feed's end; a restore has to be refused all the same."""

    def steps(s):
        end = len(s.feed) - s.lower
        floor = s.number if s.trusted_end is None else s.trusted_end if names_the_end else 0
        ahead = floor > end
        # As in `restoring`, a relay looks before the store has outgrown the position.
        outgrows = s.restores == 0 and not s.running and not s.refused and end + 1 >= floor
        if s.next_document < documents and not outgrows:
            yield f"document {s.next_document} is written", s._replace(feed=s.feed + (s.next_document,), next_document=s.next_document + 1)
        if s.merges and len(s.feed) > 1:
            yield "partitions are merged, the numbers are lower from then on", s._replace(lower=1, merges=s.merges - 1, running=False)
        if s.restores:
            for left in range(len(s.feed)):
                name = f"the store is restored to its first {left} documents, the relay stops"
                yield name, s._replace(feed=s.feed[:left], restores=s.restores - 1, running=False)
        if not s.running and not s.refused:
            if ahead:
                yield "the position is ahead of the feed's end: refused", s._replace(refused=True)
            else:
                yield "the range is taken over", s._replace(running=True)
        restored = s.position > len(s.feed) or set(s.log) - set(s.feed)
        if s.refused and trusts and s.operator and not (restored and tells_merge_from_restore):
            yield "an operator trusts the position", s._replace(refused=False, trusted_end=end, operator=s.operator - 1)
        if s.running and s.position < len(s.feed):
            log = s.log + s.feed[s.position :]
            lost = set(s.feed) - set(log)
            yield "what is new is published", s._replace(
                position=len(s.feed),
                number=end,
                log=log,
                trusted_end=None if ends_with_a_page else s.trusted_end,
                violation="LOST" if lost else None,
            )

    def is_done(s):
        return set(s.feed) <= set(s.log)

    return explore(Merged((), 0, 0, 0, (), 0, merges, restores, 1, True, False, None), steps, is_done if not restores else None)


# A history topic that is made again ---------------------------------------------------------------------------------------------------------


class Remade(NamedTuple):
    """Topics are numbered as Kafka gives them ids; `known` is the one in the position, -1 in a position of a version without ids."""

    feed: int
    position: int
    topic: int
    log: tuple  # of the present topic: those before it are gone
    known: int
    owner: int  # the id that the running publisher took over with
    running: bool
    checked: bool  # since the topic was made
    refused: bool
    remakes: int
    operator: int
    violation: str | None = None


def remaking(compares=True, compares_while_it_runs=True, refuses_without_an_id=True, begins_without_an_id=False, copies=False, compares_before_adoption=True, documents=3):
    """The topic is deleted and made again, before, between or under publishers; a reader of the topic is content when nothing is refused and nothing waits."""

    def fault(s):
        return compares and (s.topic != s.known if s.known >= 0 else refuses_without_an_id)

    def steps(s):
        if s.feed < documents:
            yield f"document {s.feed} is written", s._replace(feed=s.feed + 1)
        if s.remakes:
            yield "the history topic is deleted and made again", s._replace(topic=s.topic + 1, log=(), checked=False, remakes=s.remakes - 1)
            for kept in range(1, len(s.log) + 1 if copies else 0):
                name = f"the history topic is made again, with a copy of its first {kept} events"
                yield name, s._replace(topic=s.topic + 1, log=s.log[:kept], checked=False, remakes=s.remakes - 1)
        if s.running:
            yield "the publisher stops", s._replace(running=False)
            if compares_while_it_runs and not s.checked:
                yield "the publisher asks for the topic's id", refuse(s) if fault(s) else s._replace(checked=True)
            if s.position < s.feed:
                known = s.known if s.known >= 0 or not compares else s.owner
                yield "what is new is published", s._replace(position=s.feed, log=s.log + tuple(range(s.position, s.feed)), known=known)
            elif (s.checked or not compares_while_it_runs) and s.position == documents:
                yield "all looks well", s._replace(violation="LOST" if set(range(documents)) - set(s.log) else None)
        elif not s.refused:
            yield "the range is taken over", refuse(s) if fault(s) else s._replace(running=True, checked=True, owner=s.topic)
        if copies and not s.running and s.known != s.topic and s.operator and (set(s.log) == set(range(s.position)) or not compares_before_adoption):
            yield "an operator adopts the topic", s._replace(known=s.topic, refused=False, operator=s.operator - 1)
        if s.refused and s.operator:
            yield "an operator starts it from the beginning", s._replace(
                position=0, known=s.topic, owner=s.topic, running=True, checked=True, refused=False, operator=s.operator - 1
            )

    def refuse(s):
        return s._replace(refused=True, running=False)

    known = -1 if begins_without_an_id else 0
    # The first document was published before: by the version without ids, too.
    return explore(Remade(1, 1, 0, (0,), known, 0, False, False, False, 2, 3), steps, lambda s: s.feed == documents and set(s.log) == set(range(documents)))


def case(name, expected, **rules):
    return Case(name, expected, lambda: Publishing(Rules(**rules)).find(expected))


CASES = [
    case("the position is read before initTransactions", "TWICE", initialises_first=False),
    case(
        "after a commit in doubt the position is read again without initTransactions",
        "TWICE",
        incarnations=1,
        failures=1,
        initialises_after_doubt=False,
        reads_to_the_high_watermark=False,
    ),
    case("the position is read to the last stable offset, a tool has a transaction open", "TWICE", tool=1, reads_to_the_high_watermark=False),
    case(
        "the position is read to the last stable offset, did initTransactions not wait (it does)",
        "TWICE",
        reads_to_the_high_watermark=False,
        kafka_waits_for_markers=False,
    ),
    Case("ranges of another number go on without a check", "TWICE", lambda: resizing(False)),
    Case("the position is not compared with the feed's end", "LOST", lambda: restoring(False)),
    Case("a refusal is forgotten when the relay starts again", "LOST", lambda: restoring(True, keeps_the_refusal=False)),
    Case("the store has outgrown the position before any relay looks", "LOST", lambda: restoring(True, looks_first=False)),
    Case("an operator trusts a position after a restore", "LOST", lambda: merging(tells_merge_from_restore=False)),
    Case("trust in a position does not name the feed's end", "LOST", lambda: merging(names_the_end=False)),
    Case("trust in a position outlives the next page", "LOST", lambda: merging(ends_with_a_page=False, documents=5)),
    Case("nobody can trust a position that a merge has put ahead", "STUCK", lambda: merging(trusts=False, restores=0)),
    Case("the topic's id is not compared", "LOST", lambda: remaking(compares=False)),
    Case("the topic's id is compared at a takeover only", "LOST", lambda: remaking(compares_while_it_runs=False)),
    Case("a topic is adopted without a comparison", "LOST", lambda: remaking(copies=True, compares_before_adoption=False)),
    Case("a position without a topic's id is taken over", "LOST", lambda: remaking(refuses_without_an_id=False, begins_without_an_id=True)),
    case("did initTransactions not wait, read to the high watermark", None, kafka_waits_for_markers=False, crashes=1, failures=1, asks_for_an_end=True),
    case(
        "read to the last stable offset, nobody else writes to positions",
        None,
        reads_to_the_high_watermark=False,
        crashes=1,
        failures=1,
        timeouts=1,
        asks_for_an_end=True,
    ),
    case("three documents, two incarnations", None, documents=3, failures=2, crashes=1, timeouts=1, tool=1, asks_for_an_end=True),
    case("two documents, two incarnations, everything once", None, failures=1, crashes=1, timeouts=1, tool=1, asks_for_an_end=True),
    case("two documents, three incarnations, two crashes", None, incarnations=3, failures=1, crashes=2, timeouts=1, asks_for_an_end=True),
    case("three documents, three incarnations", None, documents=3, incarnations=3, failures=1, crashes=1),
    case("a fenced zombie starts over", None, documents=3, failures=1, timeouts=1, zombies_start_over=True),
    Case("ranges of another number refuse to start", None, lambda: resizing(True)),
    Case("a position ahead of the feed's end is refused for good", None, lambda: restoring(True)),
    Case("a position that is trusted after a merge, and a restore", None, merging),
    Case("a position that is trusted after a merge goes on", None, lambda: merging(restores=0)),
    Case("another topic's id refuses the range", None, remaking),
    Case("a topic with all of its events is adopted", None, lambda: remaking(copies=True)),
    Case("a position without a topic's id is refused", None, lambda: remaking(begins_without_an_id=True)),
]
