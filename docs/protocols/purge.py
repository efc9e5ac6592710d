"""The purge marker: no history is deleted before the relay has published it. The page beside this module says what it means."""

from typing import NamedTuple

from exploration import Case, explore, replaced

EVENT, MARKER = "event", "marker"
ASKED, PUBLISHED, DELETED = "asked", "published", "deleted"
TOMBSTONE = ("tombstone",)


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what others do."""

    # absence: the relay answers by removing the marker; state: by setting it to published
    answer: str = "absence"
    deletes_name_the_lock: bool = True
    tombstone_with_the_delete: bool = True
    commits_before_answering: bool = True
    # what somebody else removes: nothing, all markers, those that ask
    swept: str = "nothing"
    one_id_per_attempt: bool = True


class State(NamedTuple):
    instance: tuple | None = (0, 0, 1)  # token (1, 2: a provider's), lapsed, version
    documents: tuple = ((1, EVENT, (1, 1), ""),)  # (number of the last change, kind, whose, state), in order of the feed
    changes: int = 1
    position: int = 0
    published: tuple = ()
    providers: tuple = (("idle", 2), ("idle", 1))  # doing, …, attempts left
    relay: tuple | None = None  # (page, documents, up to) or (commit, …) or (answer, markers)
    turns: int = 1
    provider_crashes: int = 1
    relay_crashes: int = 1
    life: int = 1
    violation: str | None = None


class Purge:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self):
        return explore(State(), self.steps, self.is_done)

    @staticmethod
    def is_done(s):
        if s.life == 1 and not s.instance:
            return TOMBSTONE in s.published
        waiting = any(p[0] in ("locked", "waiting") for p in s.providers)
        at_rest = not s.instance or not s.instance[0] or s.instance[1]
        return not waiting and at_rest and (s.life == 1 or TOMBSTONE in s.published)

    def steps(self, s):
        for name, after in self.all_steps(s):
            yield name, renumbered(after)

    def all_steps(self, s):
        if s.instance:
            token, lapsed, version = s.instance
            if token and not lapsed:
                yield "the lock expires", s._replace(instance=(token, 1, version))
            if (not token or lapsed) and s.turns:
                after = put(s, EVENT, (s.life, 2), "")
                yield "a dispatcher locks and commits a turn", after._replace(instance=(0, 0, version + 2), turns=s.turns - 1)
        elif s.life == 1:
            yield "the id is used again, first turn", put(s, EVENT, (2, 1), "")._replace(instance=(0, 0, 9), life=2)
        for i in range(2):
            yield from self.provider_steps(s, i)
        if self.rules.swept != "nothing":
            for document in s.documents:
                if document[1] == MARKER and (self.rules.swept == "all" or document[3] != DELETED):
                    yield f"a sweep removes marker {document[2]}", dropped(s, lambda other: other == document)
        yield from self.relay_steps(s)

    def provider_steps(self, s, i):
        doing, left = s.providers[i][0], s.providers[i][-1]
        who = f"provider {i + 1}"
        owner = (i, left) if self.rules.one_id_per_attempt else (i, 0)

        def then(what, after=s):
            return after._replace(providers=replaced(after.providers, i, what))

        def is_mine(document):
            return document[1:3] == (MARKER, owner)

        if doing in ("locked", "waiting") and s.provider_crashes:
            yield f"{who} crashes", then(("idle", 0))._replace(provider_crashes=0)
        if doing == "idle" and left and s.instance and s.life == 1 and (not s.instance[0] or s.instance[1]):
            version = s.instance[2] + 1
            yield f"{who} locks", then(("locked", version, left), s._replace(instance=(i + 1, 0, version)))
        elif doing == "locked":
            version = s.providers[i][1]
            yield f"{who} creates its marker", then(("waiting", version, left), put(s, MARKER, owner, ASKED))
        elif doing == "waiting":
            version = s.providers[i][1]
            withdrawn = dropped(s, is_mine)
            if s.instance and s.instance[0] == i + 1 and s.instance[2] == version:
                withdrawn = withdrawn._replace(instance=(0, 0, version + 1))
            gives_up = ("idle", left - 1)
            yield f'{who} removes its marker, unlocks, answers "the relay is behind"', then(gives_up, withdrawn)
            mine = found(s, owner)
            if mine is None if self.rules.answer == "absence" else mine and mine[3] == PUBLISHED:
                if s.instance and s.instance[2] == version or not self.rules.deletes_name_the_lock:
                    yield f"{who} deletes history and instance", then(("done",), self.deleted(s, owner, is_mine))
                else:
                    yield f"{who} deletes: 412, gives up", then(gives_up, dropped(s, is_mine))

    def deleted(self, s, owner, is_mine):
        unread = any((EVENT, whose) not in s.published for _, kind, whose, _ in s.documents if kind == EVENT)
        after = dropped(s, lambda document: document[1] == EVENT or is_mine(document))
        after = after._replace(instance=None, violation="LOST" if unread else None)
        return put(after, MARKER, owner, DELETED) if self.rules.tombstone_with_the_delete else after

    def relay_steps(self, s):
        if s.relay is None:
            news = [document for document in s.documents if document[0] > s.position]
            for n in range(1, len(news) + 1):
                yield f"the relay reads a page of {n}", s._replace(relay=("page", tuple(news[:n]), news[n - 1][0]))
            return
        if s.relay_crashes:
            yield "the relay crashes", s._replace(relay=None, relay_crashes=0)
        doing, page = s.relay[:2]
        markers = tuple(document for document in page if document[1] == MARKER)
        if doing == "answer":
            yield "the relay answers the markers", self.answered(s, page)._replace(relay=None)
        elif doing == "page" and not self.rules.commits_before_answering:
            yield "the relay answers the markers", self.answered(s, markers)._replace(relay=("commit",) + s.relay[1:])
        else:
            committed = self.committed(s, page, s.relay[2])
            yield "the relay commits records and position", committed._replace(relay=("answer", markers) if doing == "page" else None)

    def answered(self, s, markers):
        for _, _, owner, state in markers:
            there = found(s, owner)
            if state == ASKED and there and there[3] == ASKED:
                if self.rules.answer == "state":
                    s = put(s, MARKER, owner, PUBLISHED)
                else:
                    s = dropped(s, lambda document: document[1:3] == (MARKER, owner))
            if state == DELETED:
                s = dropped(s, lambda document: document[1:] == (MARKER, owner, DELETED))
        return s

    def committed(self, s, page, upto):
        violation, published = s.violation, set(s.published)
        place = DELETED if self.rules.tombstone_with_the_delete else ASKED
        for _, kind, whose, state in page:
            if kind == EVENT:
                published.add((EVENT, whose))
            if kind == MARKER and state == place:
                published.add(TOMBSTONE)
                if s.instance and s.life == 1 or (EVENT, (2, 1)) in published:
                    violation = "ALIVE"
        return s._replace(published=tuple(sorted(published)), position=upto, violation=violation)


def put(s, kind, whose, state):
    """Created or replaced, a document moves to the end of the feed."""
    others = tuple(document for document in s.documents if document[1:3] != (kind, whose))
    return s._replace(documents=others + ((s.changes + 1, kind, whose, state),), changes=s.changes + 1)


def dropped(s, unwanted):
    return s._replace(documents=tuple(document for document in s.documents if not unwanted(document)))


def found(s, owner):
    return next((document for document in s.documents if document[1:3] == (MARKER, owner)), None)


def renumbered(s):
    """Only the order of changes counts: they are numbered anew."""
    reading = s.relay is not None and s.relay[0] in ("page", "commit")
    page, upto = (s.relay[1], s.relay[2:]) if reading else ((), ())
    used = {document[0] for document in s.documents + page} | {s.position, s.changes} | set(upto)
    number = {old: new for new, old in enumerate(sorted(used))}

    def renewed(documents):
        return tuple((number[document[0]],) + document[1:] for document in documents)

    relay = s.relay
    if reading:
        relay = (s.relay[0], renewed(page), number[upto[0]])
    elif relay:
        relay = ("answer", tuple((0,) + document[1:] for document in relay[1]))
    return s._replace(documents=renewed(s.documents), changes=number[s.changes], position=number[s.position], relay=relay)


def case(name, expected, **rules):
    return Case(name, expected, Purge(Rules(**rules)).find)


# Two prefixes on one store -------------------------------------------------------------------------------------------------------------------


class Prefixes(NamedTuple):
    """Relays of two prefixes read one store: which of them run, and what each has committed; who is registered; the marker and the event."""

    registered: int | None = None
    running: tuple = (False, False)
    looked: tuple = (False, False)
    committed: tuple = (False, False)
    event: bool = True
    marker: bool = False
    violation: str | None = None


def prefixes(registers, at_once=True):
    """Registers: a prefix runs only when it is the registered one. At once: looking and registering is one step, as a create that fails when the document is there."""

    def steps(s):
        for i in range(2):
            if not s.running[i]:
                if not registers:
                    yield f"a relay of prefix {i} starts", s._replace(running=replaced(s.running, i, True))
                elif at_once and s.registered in (None, i):
                    yield f"prefix {i} registers and starts", s._replace(registered=i, running=replaced(s.running, i, True))
                elif not at_once and not s.looked[i] and s.registered in (None, i):
                    yield f"prefix {i} looks and finds no other", s._replace(looked=replaced(s.looked, i, True))
                elif not at_once and s.looked[i]:
                    yield f"prefix {i} registers and starts", s._replace(registered=i, running=replaced(s.running, i, True))
                continue
            if s.event and not s.committed[i]:
                yield f"prefix {i} commits the event", s._replace(committed=replaced(s.committed, i, True))
            if s.marker and s.committed[i]:
                lost = any(s.running[other] and not s.committed[other] for other in range(2))
                after = s._replace(marker=False, event=False, violation="LOST" if lost else None)
                yield f"prefix {i} answers the marker, the provider deletes the history", after
        if s.event and not s.marker:
            yield "a provider sets its marker", s._replace(marker=True)

    return explore(Prefixes(), steps)


CASES = [
    case("the marker is answered before the Kafka commit", "LOST", answer="state", commits_before_answering=False),
    case("deletes do not name the version of the lock", "LOST", answer="state", deletes_name_the_lock=False),
    case("somebody else removes markers", "LOST", swept="all"),
    case("one marker id per instance", "LOST", answer="state", one_id_per_attempt=False),
    case("the tombstone comes with the marker", "ALIVE", tombstone_with_the_delete=False),
    Case("relays of two prefixes read one store", "LOST", lambda: prefixes(False)),
    Case("prefixes look and register in two steps", "LOST", lambda: prefixes(True, at_once=False)),
    case("the protocol", None),
    Case("one prefix is registered, by one step", None, lambda: prefixes(True)),
    case("a positive answer instead: state published", None, answer="state"),
    case("a positive answer, somebody else removes markers that ask", None, answer="state", swept="asking"),
]
