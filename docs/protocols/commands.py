"""Intake of commands: from Kafka into batches {receipt, queue document}. The page beside this module says what it means."""

from typing import NamedTuple

from exploration import Case, explore, replaced
from resending import COMMAND, MARK, Resend
from resending import Rules as ResendRules

CLOCKS = (9, 5, 7)
OK, DEAD = "ok", "dead"


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out; then the bounds."""

    waits_for_pending_offsets: bool = True
    offsets_name_the_generation: bool = True
    dead_letters_with_the_prefix_only: bool = True
    receipts_hold_the_content: bool = True
    gives_replies_up: bool = True
    reply_topic_is_away: bool = False
    refuses_before_dead_letter: bool = True
    time_runs_forward: bool = True
    failures: int = 1
    crashes: int = 1
    incarnations: int = 2
    asks_for_an_end: bool = False
    parks_in_the_transaction: bool = True
    parks_before_the_offset: bool = True  # where it does not park in the transaction
    reads_parked_to_the_high_watermark: bool = True
    reads_parked_after_the_offset: bool = True
    reads_the_offset_again: bool = True
    parked_hold_later_ones_back: bool = True
    finishes_with_the_answer: bool = True
    finishes_with_the_offset: bool = True
    parkings: int = 0


class Member(NamedTuple):
    """An incarnation: what it is doing, its offset, the result of each record, the latest enqueuedAt it knows, the record it gives up, and up to which record replies
    are sent or given up; the records it is about to park, those parked that it knows of, and of which of them the replies are sent or given up."""

    doing: str
    base: int
    results: tuple
    floor: int
    given_up: int | None
    replied: int = 0
    parking: tuple = ()
    kept: tuple = ()
    answered: tuple = ()


class State(NamedTuple):
    receipts: tuple  # per id: None or (outcome, enqueuedAt, command)
    documents: tuple  # (command, enqueuedAt, incarnation) as created
    members: tuple
    current: int
    offset: int
    floor: int  # travels with the offset
    pending: tuple | None  # an open transaction: offset, replies, floor, the records it parks, those it finishes
    under_way: tuple
    told: tuple  # per record: what transactions told of it, its dead letter among that
    replies: tuple  # per record: what its sender was told, outside of any transaction
    failures: int
    crashes: int
    violation: str | None = None
    parked: tuple = ()  # records in the topic of parked commands that are not finished
    shown: tuple = ()  # what of it a reader sees: the marker of a transaction arrives later than its records
    parkings: int = 0


class Intake:
    """Records are (key, command), commands (id, content)."""

    def __init__(self, records, rules: Rules):
        self.records = tuple((key, (text.split("/")[0], text)) for key, text in records)
        records = self.records
        self.rules = rules
        self.count = len(records)
        self.ids = sorted({command[0] for _, command in records})
        self.commands = sorted({command for _, command in records})
        self.first = {command: min(i for i, record in enumerate(records) if record[1] == command) for command in self.commands}
        self.key = {command: records[self.first[command]][0] for command in self.commands}

    def find(self, only):
        rules, none = self.rules, (None,) * self.count
        members = (Member("load", 0, none, 0, None),)
        nothing = ((),) * self.count
        start = State((None,) * len(self.ids), (), members, 0, 0, 0, None, (), nothing, nothing, rules.failures, rules.crashes)
        start = start._replace(parkings=rules.parkings)
        return explore(start, self.steps, (lambda s: s.offset == self.count and not s.parked) if rules.asks_for_an_end else None, only)

    # The store and the transaction -------------------------------------------------------------------------------------------------------

    def receipt(self, s, command):
        return s.receipts[self.ids.index(command[0])]

    def with_receipt(self, s, command, receipt):
        return s._replace(receipts=replaced(s.receipts, self.ids.index(command[0]), receipt))

    def decided(self, known, command):
        """What a receipt that is there says of a command: the outcome and enqueuedAt. One of another command forbids this one."""
        if self.rules.receipts_hold_the_content and known[2] != command:
            return DEAD, 0
        return known[0], known[1]

    def created(self, s, command, enqueued_at, incarnation):
        """The batch {receipt, document}: the state after it, the outcome, the receipt's enqueuedAt."""
        known = self.receipt(s, command)
        if known:
            return s, *self.decided(known, command)
        violation = s.violation
        for other, other_at, other_incarnation in s.documents:
            if other == command:
                violation = violation or "ONCE"
            elif self.key[other] == self.key[command]:
                if self.first[other] > self.first[command]:
                    violation = violation or "ORDER"
                elif other_at > enqueued_at or other_at == enqueued_at and other_incarnation != incarnation:
                    # Within an incarnation the ids break ties.
                    violation = violation or "FIFO"
        mine = [i for i in range(self.count) if self.records[i][1] == command]
        if any(DEAD in s.told[i] for i in mine):
            violation = violation or "EITHER"
        if any(DEAD in s.replies[i] for i in mine):
            violation = violation or "REPLY"
        after = self.with_receipt(s, command, (OK, enqueued_at, command))
        return after._replace(documents=s.documents + ((command, enqueued_at, incarnation),), violation=violation), OK, enqueued_at

    def ended(self, s, commits):
        if not commits:
            return s._replace(pending=None)
        offset, tells, floor, parks, finished = s.pending
        told, violation = s.told, s.violation
        parked = tuple(sorted({*s.parked, *parks} - {*finished}))
        for i, what in tells:
            if told[i]:
                violation = violation or "TWICE"
            if what == DEAD and self.is_queued(s, i):
                violation = violation or "EITHER"
            told = replaced(told, i, tuple(sorted({*told[i], what})))
        for i in range(offset):
            if i not in parked and (not told[i] or DEAD not in told[i] and not self.is_queued(s, i)):
                violation = violation or "LOST"
        return s._replace(pending=None, offset=offset, floor=floor, told=told, violation=violation, parked=parked)

    def is_queued(self, s, i):
        return any(document[0] == self.records[i][1] for document in s.documents)

    # What can happen -----------------------------------------------------------------------------------------------------------------------

    def steps(self, s):
        if len(s.members) < self.rules.incarnations:
            new = Member("load", 0, (None,) * self.count, 0, None)
            name = f"rebalance: incarnation {len(s.members) + 1}, clock {CLOCKS[len(s.members)]}"
            yield name, s._replace(members=s.members + (new,), current=len(s.members))
        for late in s.under_way:
            rest = list(s.under_way)
            rest.remove(late)
            after, outcome, _ = self.created(s, *late)
            yield f"late delivery of {late[0]} is applied: {outcome}", after._replace(under_way=tuple(rest))
        if s.pending and not any(member.doing == "ending" for member in s.members):
            yield "the orphaned transaction commits", self.ended(s, True)
            yield "the orphaned transaction times out", self.ended(s, False)
        if s.shown != s.parked:
            yield "the marker of the transaction arrives in the topic of parked commands", s._replace(shown=s.parked)
        for i, member in enumerate(s.members):
            if member.doing != "out":
                yield from self.member_steps(s, i, member)

    def member_steps(self, s, i, member):
        def then(name, what, after=s, **changes):
            return f"incarnation {i + 1} {name}", after._replace(members=replaced(after.members, i, what), **changes)

        out = member._replace(doing="out")
        zombie = i < s.current
        if s.crashes and (zombie or len(s.members) < self.rules.incarnations):
            yield then("crashes", out, crashes=s.crashes - 1)
        if member.doing == "load":
            if zombie:
                yield then("leaves", out)
            elif self.rules.parkings and not self.rules.reads_parked_after_the_offset and s.shown == s.parked:
                yield then(f"reads that {s.shown} are parked", member._replace(doing="parked first", kept=s.shown))
            elif not s.pending or not self.rules.waits_for_pending_offsets:
                doing = "look" if self.rules.parkings else "run"
                yield then(f"reads offset {s.offset}", Member(doing, s.offset, (None,) * self.count, s.floor, None))
        elif member.doing == "look":
            # The records of a transaction whose offset is committed are all there, though a reader may not see them yet.
            if s.shown == s.parked or not self.rules.reads_parked_to_the_high_watermark:
                doing = "look again" if self.rules.reads_the_offset_again else "run"
                yield then(f"reads that {s.shown} are parked", member._replace(doing=doing, kept=s.shown))
        elif member.doing == "look again":
            if not s.pending:
                same = (member.base, member.floor) == (s.offset, s.floor)
                yield then(f"reads offset {s.offset} again", member._replace(doing="run") if same else Member("load", 0, (None,) * self.count, 0, None))
        elif member.doing == "parked first":
            if not s.pending:
                yield then(f"reads offset {s.offset}", Member("run", s.offset, (None,) * self.count, s.floor, None, kept=member.kept))
        elif member.doing == "run":
            if zombie:
                yield then("notices the rebalance and leaves", out)
            yield from self.deliveries(s, i, member, then)
            yield from self.parkings(s, member, then)
            yield from self.reply(s, member, then)
            yield from self.commit(s, i, member, then)
        elif member.doing == "ending":
            if s.pending:
                yield self.committed(s, member, then)
        elif member.doing == "hold":
            yield then("crashes with a later dead letter already committed", out)

    def deliveries(self, s, i, member, then):
        """Commands of one key are tried in order, one at a time; others need not wait for them."""
        for r in self.open(member):
            key, command = self.records[r]
            if member.results[r] or r in member.parking or any(b < r for b in self.waiting(member, key, r not in member.kept)):
                continue
            if member.given_up == r:
                yield self.refusal(s, member, r, command, then)
                continue
            enqueued_at = max(CLOCKS[i], member.floor + 1) if self.rules.time_runs_forward else CLOCKS[i]
            after, outcome, at = self.created(s, command, enqueued_at, i)
            what = f"delivers {command} (enqueuedAt {enqueued_at})"
            settled = member._replace(results=replaced(member.results, r, outcome), floor=max(member.floor, at))
            yield then(f"{what}: {'409 ' if after is s else ''}{outcome}", settled, after)
            if not s.failures:
                continue
            fewer = s.failures - 1
            if after is not s:
                yield then(f"{what}: applied, answer lost", member, after, failures=fewer)
            under_way = tuple(sorted(s.under_way + ((command, enqueued_at, i),)))
            yield then(f"{what}: given up, still under way", member, failures=fewer, under_way=under_way)
            if self.rules.refuses_before_dead_letter:
                giving_up = member._replace(given_up=r)
                yield then(f"delivers {command}: refused too often", giving_up, failures=fewer)
                yield then(f"delivers {command}: applied, answer lost, too often", giving_up, after, failures=fewer)
            else:
                dead = member._replace(results=replaced(member.results, r, DEAD))
                yield then(f"delivers {command}: refused too often, dead letter", dead, failures=fewer)

    def open(self, member):
        """The records of a member that are not committed, parked ones first."""
        return [*member.kept, *(r for r in range(member.base, self.count) if r not in member.kept)]

    def waiting(self, member, key, of_the_log=False):
        """The records of a key that have no result, and that its next command waits for."""
        there = self.open(member)
        if of_the_log and not self.rules.parked_hold_later_ones_back:
            there = [r for r in there if r not in member.kept and r not in member.parking]
        return [r for r in there if self.records[r][0] == key and not member.results[r]]

    def parkings(self, s, member, then):
        """A record is parked after the earlier ones of its key. A request for it may be under way."""
        for r in range(member.base, self.count):
            key, command = self.records[r]
            ahead = [b for b in self.waiting(member, key) if b < r and b not in member.kept and b not in member.parking]
            if not s.parkings or member.results[r] or r in member.parking or r in member.kept or ahead:
                continue
            given_up = None if member.given_up == r else member.given_up
            parking = member._replace(parking=member.parking + (r,), given_up=given_up)
            yield then(f"is to park {command}", parking, parkings=s.parkings - 1)

    def refusal(self, s, member, r, command, then):
        known = self.receipt(s, command)
        what, at = self.decided(known, command) if known else (DEAD, 0)
        after = s if known else self.with_receipt(s, command, (DEAD, 0, command))
        floor = max(member.floor, at)
        settled = member._replace(results=replaced(member.results, r, what), given_up=None, floor=floor)
        return then(f"refuses {command}: {'409 ' + what if known else 'receipt written'}", settled, after)

    def settled_prefix(self, member):
        offset = member.base
        while offset < self.count and (member.results[offset] or offset in member.parking or offset in member.kept):
            offset += 1
        return offset

    def finished(self, member):
        """The parked records of which the answer is known, or in the weaker variant need not be."""
        return tuple(r for r in member.kept if member.results[r] or not self.rules.finishes_with_the_answer)

    def reply(self, s, member, then):
        """Replies of the settled prefix go out before its offset is committed. A topic that takes none is given up after a while."""
        offset = self.settled_prefix(member)
        begun = max(member.base, member.replied)
        finished = [r for r in self.finished(member) if r not in member.answered]
        if offset <= begun and not finished:
            return
        replied = member._replace(replied=max(offset, begun), answered=member.answered + tuple(finished))
        if self.rules.reply_topic_is_away:
            if self.rules.gives_replies_up:
                yield then(f"gives the replies up to {offset} up", replied)
            return
        replies, violation = s.replies, s.violation
        for r in [*(r for r in range(begun, offset) if r not in member.parking and r not in member.kept), *finished]:
            if not member.results[r]:
                continue
            said = {*replies[r], member.results[r]}
            if len(said) > 1 or (OK in said) != self.is_queued(s, r):
                violation = violation or "REPLY"
            replies = replaced(replies, r, tuple(sorted(said)))
        yield then(f"replies up to {offset}", replied, s, replies=replies, violation=violation)

    def commit(self, s, i, member, then):
        offset = self.settled_prefix(member)
        if member.replied < offset:
            return
        prefix = self.rules.dead_letters_with_the_prefix_only
        finished = tuple(r for r in self.finished(member) if r in member.answered)
        if s.pending or s.shown != s.parked:
            return
        if not (offset > member.base or finished or not prefix and any(member.results)):
            return
        parks = tuple(r for r in member.parking if r < offset)
        if i == s.current or not self.rules.offsets_name_the_generation:
            if parks and not self.rules.parks_in_the_transaction and self.rules.parks_before_the_offset and not {*parks} <= {*s.parked}:
                parked = tuple(sorted({*s.parked, *parks}))
                yield then(f"parks {parks}", member, parked=parked, shown=parked)
                return
            told = range(member.base, offset if prefix else self.count)
            tells = tuple((r, member.results[r]) for r in told if member.results[r] and r not in member.kept)
            tells += tuple((r, member.results[r]) for r in finished if member.results[r])
            parked = parks if self.rules.parks_in_the_transaction else ()
            name = f"sends what became of {tells}, parked {parks}, finished {finished} and offset {offset} in a transaction"
            yield then(name, member._replace(doing="ending"), pending=(offset, tells, member.floor, parked, finished))
        elif finished and not self.rules.finishes_with_the_offset:
            tells = tuple((r, member.results[r]) for r in finished if member.results[r])
            name = f"sends what became of {tells} and finished {finished} in a transaction without an offset"
            yield then(name, member._replace(doing="ending"), pending=(s.offset, tells, s.floor, (), finished))
        else:
            if self.late_parks(s, member, parks):
                parked = tuple(sorted({*s.parked, *parks}))
                yield then(f"parks {parks}, being replaced", member, parked=parked, shown=parked)
            yield then("is fenced at the offset commit and leaves", member._replace(doing="out"))

    def late_parks(self, s, member, parks):
        """Outside of a transaction nothing keeps a member that was replaced from parking."""
        return parks and not self.rules.parks_in_the_transaction and self.rules.parks_before_the_offset and not {*parks} <= {*s.parked}

    def committed(self, s, member, then):
        offset, told, _, _, finished = s.pending
        after = self.ended(s, True)
        kept = member.kept + tuple(r for r in member.parking if r < offset)
        kept = tuple(r for r in kept if r not in finished)
        results = tuple(None if r < offset and r not in kept else result for r, result in enumerate(member.results))
        ahead = {r for r, _ in told if r >= offset}
        doing = "run" if self.rules.dead_letters_with_the_prefix_only or not ahead else "hold"
        parking = tuple(r for r in member.parking if r >= offset)
        answered = tuple(r for r in member.answered if r in kept)
        done = Member(doing, offset, results, member.floor, member.given_up, member.replied, parking, kept, answered)
        return then(f"commits: offset {offset}", done, after)


ONE_KEY = (("k", "c0"), ("k", "c1"))
THREE_OF_ONE_KEY = ONE_KEY + (("k", "c2"),)
TWO_KEYS = (("k", "c0"), ("m", "c1"), ("k", "c2"))
TWICE = (("k", "c0"), ("k", "c0"), ("k", "c1"))
ANOTHER = (("k", "c0/first"), ("k", "c0/second"))


def case(name, expected, records, **rules):
    return Case(name, expected, lambda: Intake(records, Rules(**rules)).find(expected))


def resend(expected, **rules):
    return lambda: Resend(ResendRules(**rules)).find(expected)


def parking(name, expected, records, **rules):
    return case(name, expected, records, **{"failures": 0, "crashes": 0, "parkings": 1} | rules)


CASES = [
    case("a dead letter is decided in memory only", "EITHER", ONE_KEY, failures=2, refuses_before_dead_letter=False),
    case("a dead letter is decided in memory only: order", "ORDER", ONE_KEY, refuses_before_dead_letter=False),
    case("enqueuedAt from the own clock", "FIFO", ONE_KEY, failures=0, time_runs_forward=False),
    case("offsets are read without waiting for pending ones (a consumer waits)", "TWICE", ONE_KEY, failures=0, waits_for_pending_offsets=False),
    case("offsets are sent without the group's generation", "TWICE", ONE_KEY, failures=0, offsets_name_the_generation=False),
    case("dead letters are sent ahead of the offset", "TWICE", TWO_KEYS, failures=0, dead_letters_with_the_prefix_only=False),
    case("a dead letter is decided in memory only: replies", "REPLY", ONE_KEY, refuses_before_dead_letter=False),
    case("a receipt says nothing of the command's content", "REPLY", ANOTHER, failures=0, receipts_hold_the_content=False),
    case("the commit waits for replies however long", "STUCK", ONE_KEY, reply_topic_is_away=True, gives_replies_up=False, asks_for_an_end=True),
    parking("parked ahead of the transaction", "TWICE", ONE_KEY, incarnations=3, parks_in_the_transaction=False),
    parking("parked after the transaction", "LOST", ONE_KEY, parks_in_the_transaction=False, parks_before_the_offset=False),
    parking("parked commands are read up to the last stable offset", "ORDER", ONE_KEY, reads_parked_to_the_high_watermark=False),
    parking("parked commands are read before the offset", "ORDER", ONE_KEY, reads_parked_after_the_offset=False),
    parking("the offset is not read again after the parked commands", "FIFO", ONE_KEY, incarnations=3, reads_the_offset_again=False),
    parking("commands of a parked instance go ahead", "ORDER", ONE_KEY, parked_hold_later_ones_back=False),
    parking("parked commands are finished before they are queued", "LOST", ONE_KEY, finishes_with_the_answer=False),
    parking("parked commands are finished without the offset", "TWICE", ONE_KEY, finishes_with_the_offset=False),
    Case("sent again first, marked in a transaction of its own", "TWICE", resend("TWICE", transactions=((COMMAND,), (MARK,)))),
    Case("marked first, sent again in a transaction of its own", "LOST", resend("LOST", transactions=((MARK,), (COMMAND,)))),
    Case("each operator has a transactional id of his own", "TWICE", resend("TWICE", one_transactional_id=False, crashes=0)),
    Case("marks are read before the transactional id is taken", "TWICE", resend("TWICE", reads_marks_after_init=False, crashes=0)),
    Case("marks are read up to the last stable offset", "TWICE", resend("TWICE", reads_to_the_high_watermark=False, crashes=0)),
    Case("sent again by two operators", None, resend(None)),
    Case("sent again by three operators", None, resend(None, operators=3, crashes=2)),
    case("one key, three incarnations", None, ONE_KEY, incarnations=3, asks_for_an_end=True),
    case("one key, two failures", None, ONE_KEY, failures=2, asks_for_an_end=True),
    case("one key, three commands", None, THREE_OF_ONE_KEY),
    case("two keys", None, TWO_KEYS, crashes=0),
    case("the same id twice", None, TWICE),
    case("one id, two commands", None, ANOTHER, failures=2, asks_for_an_end=True),
    parking("parked: one key", None, ONE_KEY, failures=1, crashes=1, parkings=2, asks_for_an_end=True),
    parking("parked: one key, three incarnations", None, ONE_KEY, incarnations=3, parkings=2, asks_for_an_end=True),
    parking("parked: three commands", None, THREE_OF_ONE_KEY, parkings=3, asks_for_an_end=True),
    parking("parked: two keys", None, TWO_KEYS, parkings=2),
    parking("parked: the same id twice", None, TWICE, parkings=2),
    parking("parked: one id, two commands", None, ANOTHER, failures=1, parkings=2, asks_for_an_end=True),
    case("a reply topic that is away", None, ONE_KEY, reply_topic_is_away=True, asks_for_an_end=True),
]
