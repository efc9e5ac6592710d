"""Deletion over several partitions. The page beside this module says what it means.

A root R and its child C, each a partition; the decision document lies in R's. A document of C is (what, life).

The deleter asks for both locks at a time, and meanwhile for a later deadline. A request that is under way arrives at any moment, or never is
waited for: its sender may give up, or crash.
"""

from typing import NamedTuple

from exploration import Case, explore

DELETER, DISPATCHER = "D", "T"
OLD, NEXT = 1, 2


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out."""

    # False: the document is created at the commit, and locks lapse
    decides_by_document: bool = True
    batches_name_the_token: bool = True
    readers_help_first: bool = True
    settles_start_intents: bool = True
    looks_before_it_settles: bool = True
    # a renewal of the deadline names the version that it changes
    renewals_name_the_version: bool = True
    # the commit is refused where another process has aborted the deletion
    commits_what_is_open_alone: bool = True
    with_a_renewal: bool = False
    with_rust: bool = False
    with_a_start_under_way: bool = False
    # a second child of R, outside of the list
    with_a_child_outside: bool = False


class State(NamedTuple):
    root: object = 0  # None: gone; 0: free; D
    child: tuple | None = (0, 0, 1, OLD)  # token, lapsed, version, life
    documents: tuple = (("h1", OLD), ("m1", OLD))
    decision: str | None = None  # open, commit, abort; gone: aborted, and the document removed
    document: int = 0  # its version
    known: int = 0  # the version that the deleter knows
    renewal: int = 0  # a request for a later deadline, and the version it names
    renewals: int = 0
    lock_of_child: int = 0  # a request under way, and the version of C it names
    lock_of_root: int = 0
    deleter: tuple = ("open",)
    helper: tuple | None = None
    dispatcher: tuple | None = None
    message_sent: int = 0
    client: int = 0
    grandchild: str = ""
    relay: int = 0
    receipt: int = 0
    outside: int = 0
    lapses: int = 2
    crashes: int = 1
    turns: int = 2
    returned: int = 0
    violation: str | None = None


class Deletion:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self):
        first = ("open",) if self.rules.decides_by_document else ("lock_child",)
        start = State(deleter=first, outside=int(self.rules.with_a_child_outside), renewals=int(self.rules.with_a_renewal))
        return explore(start, self.steps, self.is_done)

    @staticmethod
    def is_done(s):
        held = s.child and s.child[0] == DELETER
        under_way = s.lock_of_child or s.lock_of_root or s.renewal
        return s.decision in (None, "abort", "gone") and not held and s.root != DELETER and not under_way

    def steps(self, s):
        yield from self.deleter_steps(s)
        yield from self.arrivals(s)
        yield from self.helper_steps(s)
        yield from self.sweep_steps(s)
        yield from self.dispatcher_steps(s)
        yield from self.client_steps(s)
        if self.rules.with_a_start_under_way:
            yield from relay_steps(s)

    # Deciding ------------------------------------------------------------------------------------------------------------------------------

    def deleter_steps(self, s):
        doing = s.deleter[0]
        if s.crashes and doing != "end":
            yield "the deleter crashes", s._replace(deleter=("dead",), crashes=0)
        deletion_may_lapse = not self.rules.decides_by_document
        if s.lapses and s.child and s.child[0] and not s.child[1] and (deletion_may_lapse or s.child[0] == DISPATCHER):
            yield "the lock on C expires", s._replace(child=(s.child[0], 1) + s.child[2:], lapses=s.lapses - 1)
        if doing == "open":
            created = s._replace(decision="open", document=1, known=1, deleter=("lock",))
            yield "the deleter creates its document, open", created
        elif doing == "lock" and s.child:
            sent = s._replace(lock_of_child=s.child[2], lock_of_root=1, deleter=("locking", 0, 0, 0))
            yield "the deleter asks for the locks of C and R", sent
        elif doing == "lock_child":
            if s.child:
                locked = (DELETER, 0, s.child[2] + 1, s.child[3])
                yield "the deleter locks C", s._replace(child=locked, deleter=("lock_root",))
        elif doing == "lock_root":
            yield "the deleter locks R", s._replace(root=DELETER, deleter=(self.then(),))
        elif doing == "locking":
            yield from self.locking(s)
        elif doing == "look":
            if s.outside or s.grandchild:
                gives_up = s._replace(decision="abort" if s.decision else None, deleter=("give_up",))
                yield "the deleter finds a child, settles nothing and gives up", gives_up
            else:
                yield "the deleter looks for children", s._replace(deleter=("look_again",))
        elif doing == "look_again":
            settles = self.rules.settles_start_intents and self.rules.with_a_start_under_way
            if s.grandchild == "instance" or s.receipt and settles:
                gives_up = s._replace(decision="abort" if s.decision else None, deleter=("give_up",))
                yield "the deleter finds a child and gives up", gives_up
            elif settles:
                then = s._replace(receipt=1, deleter=("commit",))
                if s.outside:
                    gone = "abort" if s.decision else None
                    then = then._replace(decision=gone, deleter=("give_up",), violation="REFUSED")
                yield "the deleter settles R's start intent: receipt without document", then
            else:
                yield "the deleter looks for children again", s._replace(deleter=("commit",))
        elif doing == "commit":
            by_document = self.rules.decides_by_document and self.rules.commits_what_is_open_alone
            if by_document and s.decision != "open":
                yield "the deleter commits: 412, gives up", s._replace(deleter=("give_up",))
            elif by_document and s.document != s.known:
                yield "the deleter commits: 412, finds its own late renewal", s._replace(known=s.document)
            else:
                yield "the deleter commits", s._replace(decision="commit", document=s.document + 1, deleter=("list",))
        elif doing == "give_up":
            decision = "abort" if s.decision == "open" else s.decision
            after = s._replace(root=0 if s.root == DELETER else s.root, decision=decision, deleter=("end",))
            yield "the deleter unlocks what it holds", unlocked_if_held(after)
        elif doing not in ("end", "dead"):
            for name, after, then in self.work(s, s.deleter):
                yield f"the deleter {name}", after._replace(deleter=then, returned=1 if then[0] == "end" else after.returned)

    def then(self):
        return "look" if self.rules.looks_before_it_settles else "look_again"

    def locking(self, s):
        """Waits for both locks, asks again for one that was refused, and meanwhile for a later deadline."""
        _, child, root, renewing = s.deleter
        if child and root and not renewing:
            yield "the deleter has both locks", s._replace(deleter=(self.then(),))
        if not child and not s.lock_of_child and s.child and s.child[0] != DELETER:
            yield "the deleter asks for the lock of C again", s._replace(lock_of_child=s.child[2])
        if s.lock_of_child or s.lock_of_root:
            yield "the deleter gets no answer about a lock, and gives up", s._replace(deleter=("give_up",))
        if s.renewals:
            asked = s._replace(renewal=s.known, renewals=0, deleter=("locking", child, root, 1))
            yield "the deleter asks for a later deadline", asked
        if renewing and s.decision == "open":
            unsure = s._replace(known=s.document, deleter=("locking", child, root, 0))
            yield "the deleter gets no answer about its deadline, and reads: open", unsure
        elif renewing:
            yield "the deleter gets no answer about its deadline, and reads: aborted", s._replace(deleter=("give_up",))

    def arrivals(self, s):
        """What was sent takes effect, whether its sender still waits or not."""
        locking = s.deleter[0] == "locking"
        _, child, root, renewing = s.deleter if locking else (None, 0, 0, 0)
        if s.lock_of_child and s.child and s.child[2] == s.lock_of_child:
            locked = s._replace(lock_of_child=0, child=(DELETER, 0, s.child[2] + 1, s.child[3]))
            answered = ("locking", 1, root, renewing) if locking else s.deleter
            yield "the lock of C arrives", locked._replace(deleter=answered)
        elif s.lock_of_child:
            yield "the lock of C arrives: 412", s._replace(lock_of_child=0)
        if s.lock_of_root:
            locked = s._replace(lock_of_root=0, root=DELETER if s.root is not None else None)
            answered = ("locking", child, 1, renewing) if locking else s.deleter
            yield "the lock of R arrives", locked._replace(deleter=answered)
        if s.renewal and (not self.rules.renewals_name_the_version or s.decision == "open" and s.document == s.renewal):
            later = s._replace(renewal=0, decision="open", document=s.document + 1)
            if renewing:
                later = later._replace(known=later.document, deleter=("locking", child, root, 0))
            yield "the later deadline arrives", later
        elif s.renewal:
            answered = ("give_up",) if renewing else s.deleter
            yield "the later deadline arrives: 412" + (", the deleter gives up" if renewing else ""), s._replace(renewal=0, deleter=answered)

    def sweep_steps(self, s):
        """Somebody resolves a deletion that is overdue; its deleter may only be slow."""
        if self.rules.decides_by_document:
            if s.decision == "open":
                yield "a sweep finds the deletion overdue and aborts it", s._replace(decision="abort", document=s.document + 1)
            if s.decision == "abort" and s.child and s.child[0] == DELETER:
                yield "a sweep unlocks C of an aborted deletion", unlocked_if_held(s)
            if s.decision == "abort":
                yield "a sweep has unlocked all it found, and removes the document", s._replace(decision="gone")
            if s.decision == "gone" and s.child and s.child[0] == DELETER:
                yield "somebody meets C, finds no document and takes the lock away", unlocked_if_held(s._replace(decision="abort"))
        given_up = s.decision in ("abort", "gone") if self.rules.decides_by_document else s.deleter[0] == "dead" and s.decision is None
        if s.root == DELETER and given_up:
            yield "R's lock is taken over", s._replace(root=0)

    # Carrying out --------------------------------------------------------------------------------------------------------------------------

    def helper_steps(self, s):
        """Any process that sees the commit; it may go on after the end."""
        if s.helper is None:
            if s.decision == "commit":
                yield "a helper meets the commit", s._replace(helper=("list",))
        elif s.helper[0] != "end":
            for name, after, then in self.work(s, s.helper):
                yield f"the helper {name}", after._replace(helper=None if then[0] == "end" else then)

    def work(self, s, doing):
        """One step after the commit: its name, the state after it, and what comes next."""
        guarded = self.rules.batches_name_the_token
        kind = doing[0]
        theirs = not s.child or s.child[0] != DELETER
        if s.decision != "commit" and kind == "list":
            yield "sees no committed deletion", s, ("end",)
        elif kind in ("list", "list_again"):
            if guarded and theirs:
                yield "finds that C is no longer the deletion's", s, ("root",)
            elif guarded or s.child or s.documents:
                batch = "batch" if kind == "list" else "last_batch"
                yield "lists C", s, (batch, tuple(what for what, _ in s.documents), s.child and s.child[2])
            else:
                yield "lists C: empty", s, ("root",)
        elif kind in ("batch", "last_batch"):
            listed = doing[1]
            if guarded and theirs:
                yield "sends a batch to C: 412", s, ("list",)
            elif kind == "batch":
                yield "deletes C's messages", erased(s, [what for what in listed if what[0] != "h"], False), ("list_again",)
            else:
                yield "deletes C's history and instance", erased(s, listed, True), ("root",)
        elif kind == "root":
            decision = None if s.decision == "commit" else s.decision
            over = s._replace(root=None, decision=decision, violation=s.violation or judged_at_the_end(s))
            yield "deletes R, the document last", over, ("end",)

    # The others ----------------------------------------------------------------------------------------------------------------------------

    def dispatcher_steps(self, s):
        if s.dispatcher is None:
            if s.child and s.turns:
                yield from self.dispatcher_reads(s)
        elif s.dispatcher[0] == "seen":
            if s.child and s.child[2] == s.dispatcher[1]:
                version = s.child[2] + 1
                locked = s._replace(child=(DISPATCHER, 0, version, s.child[3]), dispatcher=("holding", version))
                yield "a dispatcher locks C", locked
            else:
                yield "a dispatcher: 412", s._replace(dispatcher=None)
        elif s.child and s.child[2] == s.dispatcher[1]:
            life = s.child[3]
            acked = added(s, ("h2", life), ("m2", life))
            violation = "ZOMBIE" if life == OLD and s.decision == "commit" else None
            free = (0, 0, s.child[2] + 1, life)
            yield "a dispatcher acks a turn of C", acked._replace(child=free, dispatcher=None, turns=s.turns - 1, violation=violation)
        else:
            yield "a dispatcher acks: 412", s._replace(dispatcher=None)
        if not s.child and ("s2", NEXT) in s.documents and s.client == 2:
            rest = s._replace(documents=tuple(d for d in s.documents if d != ("s2", NEXT)), child=(0, 0, 50, NEXT), client=3)
            yield "a dispatcher starts the next life of C", added(rest, ("h1", NEXT))

    def dispatcher_reads(self, s):
        token, lapsed, version, _ = s.child
        seen = s._replace(dispatcher=("seen", version))
        decides = self.rules.decides_by_document
        if self.rules.with_rust:
            if not token or lapsed:
                yield "a dispatcher in Rust reads C", seen
        elif token == DELETER and s.decision == "commit":
            return
        elif not token or lapsed and (token != DELETER or not decides):
            yield "a dispatcher reads C" + (" and finds no decision" if token == DELETER else ""), seen
        elif token == DELETER and decides:
            if s.decision == "open":
                yield "a dispatcher finds the deletion overdue and aborts it", seen._replace(decision="abort", document=s.document + 1)
            elif s.decision == "gone":
                yield "a dispatcher finds no document and creates it, aborted", seen._replace(decision="abort")
            else:
                yield "a dispatcher finds the deletion aborted", seen

    def client_steps(self, s):
        if not s.message_sent and s.decision != "commit" and s.child and s.child[3] == OLD:
            yield "a message for C", added(s, ("m3", OLD))._replace(message_sent=1)
        told_gone = s.child is None or s.child[3] == OLD and s.decision == "commit" and not self.rules.readers_help_first
        if s.client == 0 and told_gone:
            yield "a client reads C: gone", s._replace(client=1)
        if s.client == 1:
            yield "the client starts C again", added(s, ("s2", NEXT))._replace(client=2)


def relay_steps(s):
    if s.relay == 0 and s.root is not None:
        yield "the relay reads R's intent", s._replace(relay=1)
    if s.relay == 1:
        name = "the relay finds it delivered before" if s.receipt else "the relay delivers K's start"
        yield name, s._replace(relay=2, receipt=1, grandchild=s.grandchild if s.receipt else "message")
    if s.grandchild == "message":
        yield "K has its first turn", s._replace(grandchild="instance")


def unlocked_if_held(s):
    held = s.child and s.child[0] == DELETER
    return s._replace(child=(0, 0, s.child[2] + 1, s.child[3])) if held else s


def added(s, *documents):
    return s._replace(documents=tuple(sorted(set(s.documents) | set(documents))))


def erased(s, whats, instance):
    violation = s.violation
    if any(what in whats and life == NEXT for what, life in s.documents):
        violation = "NEWLIFE"
    after = s._replace(documents=tuple(d for d in s.documents if d[0] not in whats), violation=violation)
    if instance and after.child:
        after = after._replace(child=None, violation="NEWLIFE" if after.child[3] == NEXT else violation)
    return after


def judged_at_the_end(s):
    if s.decision != "commit":
        return None
    if s.child and s.child[3] == OLD or any(life == OLD for _, life in s.documents):
        return "RESIDUE"
    return "ORPHAN" if s.grandchild else None


def case(name, expected, **rules):
    return Case(name, expected, Deletion(Rules(**rules)).find)


CASES = [
    case("locks lapse before the commit", "ZOMBIE", decides_by_document=False),
    case("batches do not name the deletion's token", "NEWLIFE", batches_name_the_token=False),
    case('"gone" is answered before the member is empty', "NEWLIFE", readers_help_first=False),
    case("children are found by query alone", "ORPHAN", settles_start_intents=False, with_a_start_under_way=True),
    case("locks lapse before the commit, Rust takes them", "ZOMBIE", decides_by_document=False, with_rust=True),
    case(
        "start intents are settled before the look",
        "REFUSED",
        looks_before_it_settles=False,
        with_a_start_under_way=True,
        with_a_child_outside=True,
    ),
    case("a renewal of the deadline does not name the version it changes", "ZOMBIE", renewals_name_the_version=False, with_a_renewal=True),
    case("the commit does not ask whether another process has aborted", "ZOMBIE", commits_what_is_open_alone=False),
    case("the protocol", None),
    case("the protocol, a renewal", None, with_a_renewal=True),
    case("the protocol, a start under way", None, with_a_start_under_way=True),
    case("the protocol, a start under way, a child outside", None, with_a_start_under_way=True, with_a_child_outside=True),
    case("the protocol, a renewal, a start under way", None, with_a_renewal=True, with_a_start_under_way=True),
    case("the protocol, Rust dispatchers", None, with_rust=True),
]
