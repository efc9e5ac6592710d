"""Sending a rejected command again: the command and the mark beside its dead letter. Part of the model of commands; its page says what it means."""

from typing import NamedTuple

from exploration import explore, replaced

COMMAND, MARK = "command", "mark"


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out; then the bounds."""

    transactions: tuple = ((COMMAND, MARK),)
    one_transactional_id: bool = True
    reads_marks_after_init: bool = True
    reads_to_the_high_watermark: bool = True
    operators: int = 2
    tries: int = 2
    crashes: int = 1


class Operator(NamedTuple):
    """What somebody is doing who sends the command again, in which epoch, how many of his transactions are done, and what is open in his name."""

    doing: str
    tries: int
    epoch: int = 0
    done: int = 0
    transaction: tuple | None = None  # what it writes, and whether its commit was asked for


class State(NamedTuple):
    operators: tuple
    epoch: int
    sent: int  # commands that are committed
    is_marked: bool
    other_is_open: bool  # a transaction of somebody else, begun before: what is committed behind it is not readable yet
    crashes: int
    violation: str | None = None


class Resend:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self, only):
        operators = (Operator("idle", self.rules.tries),) * self.rules.operators
        return explore(State(operators, 0, 0, False, True, self.rules.crashes), self.steps, None, only)

    def steps(self, s):
        if s.other_is_open:
            yield "the other transaction ends", s._replace(other_is_open=False)
        for i, operator in enumerate(s.operators):
            yield from self.coordinator_steps(s, i, operator)
            yield from self.operator_steps(s, i, operator)

    # The coordinator: a commit that was asked for is done whatever becomes of who asked; what is open is aborted at last. -------------------

    def coordinator_steps(self, s, i, operator):
        if operator.transaction and operator.transaction[1]:
            yield f"the commit of operator {i + 1} is done", self.committed(s, i)
        elif operator.transaction and operator.doing == "out":
            yield f"the transaction of operator {i + 1} times out", self.ended(s, i)

    def ended(self, s, i):
        return s._replace(operators=replaced(s.operators, i, s.operators[i]._replace(transaction=None)))

    def committed(self, s, i):
        operator = s.operators[i]
        writes = operator.transaction[0]
        after = self.ended(s, i)._replace(sent=s.sent + (COMMAND in writes), is_marked=s.is_marked or MARK in writes)
        if after.sent > 1:
            after = after._replace(violation="TWICE")
        if operator.doing == "ending":
            done = operator.done + 1
            doing = "out" if done == len(self.rules.transactions) else "write"
            after = after._replace(operators=replaced(after.operators, i, operator._replace(doing=doing, done=done, transaction=None)))
        return after

    # Who sends it again --------------------------------------------------------------------------------------------------------------------

    def operator_steps(self, s, i, operator):
        def then(name, after=s, **changes):
            return f"operator {i + 1} {name}", after._replace(operators=replaced(after.operators, i, after.operators[i]._replace(**changes)))

        is_fenced = self.rules.one_transactional_id and operator.epoch and operator.epoch != s.epoch
        if s.crashes and operator.doing not in ("idle", "out"):
            yield then("crashes", s._replace(crashes=s.crashes - 1), doing="out")
        if operator.doing == "out" and operator.tries and not operator.transaction and not (operator.done or s.sent and s.is_marked):
            yield then("begins once more", doing="idle")
        if operator.doing == "idle" and operator.tries:
            yield from self.begin(s, i, operator, then)
        elif operator.doing == "read":
            yield from self.read(s, then, "init" if not operator.epoch else "write")
        elif operator.doing == "init":
            yield from self.init(s, then, "write")
        elif is_fenced and operator.doing in ("write", "ending"):
            yield then("is fenced", doing="out")
        elif operator.doing == "write" and not operator.transaction:
            yield then(f"writes {' and '.join(self.rules.transactions[operator.done])}", transaction=(self.rules.transactions[operator.done], False), doing="written")
        elif operator.doing == "written":
            if is_fenced:
                yield then("is fenced", doing="out")
            else:
                yield then("asks for the commit", transaction=(operator.transaction[0], True), doing="ending")

    def begin(self, s, i, operator, then):
        fewer = operator.tries - 1
        if self.rules.reads_marks_after_init:
            for name, after in self.init(s, then, "read"):
                yield name, after._replace(operators=replaced(after.operators, i, after.operators[i]._replace(tries=fewer, done=0)))
        else:
            yield then("begins", doing="read", tries=fewer, done=0, epoch=0)

    def init(self, s, then, next_doing):
        """Ends what is open under the same id: what was asked to be committed is waited for."""
        after = s
        if self.rules.one_transactional_id:
            if any(other.transaction and other.transaction[1] for other in s.operators):
                return
            for i in range(len(s.operators)):
                after = self.ended(after, i)
        after = after._replace(epoch=s.epoch + 1)
        yield then(f"initialises, epoch {after.epoch}", after, doing=next_doing, epoch=after.epoch)

    def read(self, s, then, next_doing):
        is_hidden = s.is_marked and s.other_is_open
        if is_hidden and self.rules.reads_to_the_high_watermark:
            return
        if s.is_marked and not is_hidden:
            after = s if s.sent else s._replace(violation="LOST")
            yield then("reads the mark and leaves it alone", after, doing="out", tries=0)
        else:
            yield then("reads no mark", doing=next_doing)
