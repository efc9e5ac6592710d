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


class Member(NamedTuple):
    """An incarnation: what it is doing, its offset, the result of each record, the latest enqueuedAt it knows, the record it gives up, and up to which record replies
    are sent or given up."""

    doing: str
    base: int
    results: tuple
    floor: int
    given_up: int | None
    replied: int = 0


class State(NamedTuple):
    receipts: tuple  # per id: None or (outcome, enqueuedAt, command)
    documents: tuple  # (command, enqueuedAt, incarnation) as created
    members: tuple
    current: int
    offset: int
    floor: int  # travels with the offset
    pending: tuple | None  # an open transaction: offset, replies, floor
    under_way: tuple
    told: tuple  # per record: what transactions told of it, its dead letter among that
    replies: tuple  # per record: what its sender was told, outside of any transaction
    failures: int
    crashes: int
    violation: str | None = None


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
        return explore(start, self.steps, (lambda s: s.offset == self.count) if rules.asks_for_an_end else None, only)

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
        offset, tells, floor = s.pending
        told, violation = s.told, s.violation
        for i, what in tells:
            if told[i]:
                violation = violation or "TWICE"
            if what == DEAD and self.is_queued(s, i):
                violation = violation or "EITHER"
            told = replaced(told, i, tuple(sorted({*told[i], what})))
        for i in range(offset):
            if not told[i] or DEAD not in told[i] and not self.is_queued(s, i):
                violation = violation or "LOST"
        return s._replace(pending=None, offset=offset, floor=floor, told=told, violation=violation)

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
            elif not s.pending or not self.rules.waits_for_pending_offsets:
                yield then(f"reads offset {s.offset}", Member("run", s.offset, (None,) * self.count, s.floor, None))
        elif member.doing == "run":
            if zombie:
                yield then("notices the rebalance and leaves", out)
            yield from self.deliveries(s, i, member, then)
            yield from self.reply(s, member, then)
            yield from self.commit(s, i, member, then)
        elif member.doing == "ending":
            if s.pending:
                yield self.committed(s, member, then)
        elif member.doing == "hold":
            yield then("crashes with a later dead letter already committed", out)

    def deliveries(self, s, i, member, then):
        """Commands of one key are tried in order, one at a time; others need not wait for them."""
        for r in range(member.base, self.count):
            key, command = self.records[r]
            before = range(member.base, r)
            if member.results[r] or any(not member.results[b] and self.records[b][0] == key for b in before):
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

    def refusal(self, s, member, r, command, then):
        known = self.receipt(s, command)
        what, at = self.decided(known, command) if known else (DEAD, 0)
        after = s if known else self.with_receipt(s, command, (DEAD, 0, command))
        floor = max(member.floor, at)
        settled = member._replace(results=replaced(member.results, r, what), given_up=None, floor=floor)
        return then(f"refuses {command}: {'409 ' + what if known else 'receipt written'}", settled, after)

    def settled_prefix(self, member):
        offset = member.base
        while offset < self.count and member.results[offset]:
            offset += 1
        return offset

    def reply(self, s, member, then):
        """Replies of the settled prefix go out before its offset is committed. A topic that takes none is given up after a while."""
        offset = self.settled_prefix(member)
        begun = max(member.base, member.replied)
        if offset <= begun:
            return
        replied = member._replace(replied=offset)
        if self.rules.reply_topic_is_away:
            if self.rules.gives_replies_up:
                yield then(f"gives the replies up to {offset} up", replied)
            return
        replies, violation = s.replies, s.violation
        for r in range(begun, offset):
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
        if s.pending or not (offset > member.base or not prefix and any(member.results)):
            return
        if i == s.current or not self.rules.offsets_name_the_generation:
            told = range(member.base, offset if prefix else self.count)
            tells = tuple((r, member.results[r]) for r in told if member.results[r])
            name = f"sends what became of {tells} and offset {offset} in a transaction"
            yield then(name, member._replace(doing="ending"), pending=(offset, tells, member.floor))
        else:
            yield then("is fenced at the offset commit and leaves", member._replace(doing="out"))

    def committed(self, s, member, then):
        offset, told, _ = s.pending
        results = tuple(None if r < offset else result for r, result in enumerate(member.results))
        ahead = {r for r, _ in told if r >= offset}
        doing = "run" if self.rules.dead_letters_with_the_prefix_only or not ahead else "hold"
        return then(f"commits: offset {offset}", Member(doing, offset, results, member.floor, member.given_up, member.replied), self.ended(s, True))


ONE_KEY = (("k", "c0"), ("k", "c1"))
THREE_OF_ONE_KEY = ONE_KEY + (("k", "c2"),)
TWO_KEYS = (("k", "c0"), ("m", "c1"), ("k", "c2"))
TWICE = (("k", "c0"), ("k", "c0"), ("k", "c1"))
ANOTHER = (("k", "c0/first"), ("k", "c0/second"))


def case(name, expected, records, **rules):
    return Case(name, expected, lambda: Intake(records, Rules(**rules)).find(expected))


def resend(expected, **rules):
    return lambda: Resend(ResendRules(**rules)).find(expected)


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
    case("a reply topic that is away", None, ONE_KEY, reply_topic_is_away=True, asks_for_an_end=True),
]
