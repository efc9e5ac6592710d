"""Turns that a host of the DurableTask protocol hands to workers over streams. The page beside this module says what it means."""

from typing import NamedTuple

from exploration import IN_DOUBT, Case, explore, replaced, sent

START, EVENT, LATE = "start", "event", "late result"
OK, GONE, UNKNOWN, AGAIN, MISROUTED = "OK", "ABORTED", "NOT_FOUND", "UNAVAILABLE", "UNAVAILABLE, of another host"
WAITING = "waiting"


class Rules(NamedTuple):
    """What the protocol does (the defaults), and what a weaker one leaves out; then the bounds."""

    ack_names_the_lock: bool = True
    keeps_turn_of_a_broken_stream: bool = False
    remembers_acked_tokens: bool = True
    token_names_the_host: bool = True
    settles_a_lost_answer: bool = True
    results_name_the_execution: bool = True
    keeps_messages_that_come_between: bool = True
    acks_what_was_fetched: bool = True
    fails_the_instance_on_a_permanent_error: bool = False
    workers_send_tokens: bool = True
    matches_the_connection: bool = True  # where workers send none
    drops_what_is_ambiguous: bool = True
    gives_back_when_even: bool = True
    connections: int = 1  # of workers, to each host
    hosts: int = 2
    messages: tuple = (START, EVENT)
    comes_later: tuple = (EVENT,)
    continues: bool = False
    deaths: int = 1  # of workers and streams
    host_deaths: int = 1
    lapses: int = 1
    repeats: int = 1
    failures: int = 1


class Turn(NamedTuple):
    """What a host dispatched: the lock it goes by, the messages it has, its execution, by which connection, whether a stream still has it."""

    lock: int
    messages: tuple
    execution: int
    connection: int = 0
    on_stream: bool = True


class Item(NamedTuple):
    """What a worker has: the turn's token (host and lock), the messages it decides over, its execution, its connection, what it was told."""

    host: int
    lock: int
    messages: tuple
    execution: int
    connection: int = 0
    told: str = WAITING


class Unanswered(NamedTuple):
    """How many turns a host has sent by one connection that have no answer, and whether there were several since there was last none."""

    count: int = 0
    several: bool = False

    def sent(self):
        return Unanswered(self.count + 1, self.several or self.count > 0)

    def answered(self):
        return Unanswered(self.count - 1, self.several) if self.count > 1 else Unanswered()


class State(NamedTuple):
    queue: tuple  # (number, kind, execution it belongs to)
    lock: int = 0  # which lock holds the instance; 0 for none
    locks: int = 0  # given so far
    execution: int = 1
    applied: tuple = ()  # numbers of messages, as committed turns took them
    effects: tuple = ()  # numbers of messages whose decision was committed
    turns: tuple = ()  # per host: its open turn, or None
    acked: tuple = ()  # per host: locks whose turns it knows to have acked since it began
    unanswered: tuple = ()  # per host and connection, where workers send no tokens
    dead: tuple = ()
    items: tuple = ()  # with workers; a completion may be sent late, and again
    committed: tuple = ()  # locks whose ack is in the store
    later: tuple = ()
    deaths: int = 0
    host_deaths: int = 0
    lapses: int = 0
    repeats: int = 0
    failures: int = 0
    under_way: tuple = ()
    violation: str | None = None


class Host:
    def __init__(self, rules: Rules):
        self.rules = rules

    def find(self):
        r = self.rules
        queue = tuple((number, kind, 1) for number, kind in enumerate(r.messages))
        later = tuple((len(queue) + number, kind, 1) for number, kind in enumerate(r.comes_later))
        nothing = ((),) * r.hosts
        start = State(
            queue=queue,
            turns=(None,) * r.hosts,
            acked=nothing,
            unanswered=((Unanswered(),) * r.connections,) * r.hosts,
            dead=(False,) * r.hosts,
            later=later,
            deaths=r.deaths,
            host_deaths=r.host_deaths,
            lapses=r.lapses,
            repeats=r.repeats,
            failures=r.failures,
        )
        self.all = len(queue) + len(later)
        return explore(start, self.steps, self.is_over)

    def is_over(self, s):
        return not s.queue and not s.later

    def steps(self, s):
        for message in s.later:
            yield f"message {message[0]} ({message[1]}) comes", s._replace(queue=s.queue + (message,), later=tuple(each for each in s.later if each != message))
        if s.lock and s.lapses:
            yield "the lock lapses", s._replace(lock=0, lapses=s.lapses - 1)
        for host in range(self.rules.hosts):
            if s.dead[host]:
                continue
            yield from self.host_steps(s, host)
        for i in range(len(s.items)):
            yield from self.worker_steps(s, i)
        for i, request in enumerate(s.under_way):
            after, _ = self.apply(s._replace(under_way=s.under_way[:i] + s.under_way[i + 1 :]), request)
            yield f"an ack of lock {request[0]} that was given up arrives", after

    # The host: fetches for a stream that has a credit, keeps the turn as long as its stream lives --------------------------------------------

    def host_steps(self, s, host):
        turn = s.turns[host]
        if s.host_deaths:
            # Its lock lapses some time later; when is nobody's choice, so at once will do.
            lock = 0 if turn and s.lock == turn.lock else s.lock
            after = s._replace(turns=replaced(s.turns, host, None), acked=replaced(s.acked, host, ()), lock=lock, host_deaths=s.host_deaths - 1)
            after = self.without_connections(after, host)
            yield f"host {host} dies, and another begins under its address", after
            if self.rules.hosts > 1:
                yield f"host {host} dies", after._replace(dead=replaced(s.dead, host, True))
        if turn and not turn.on_stream and not self.rules.keeps_turn_of_a_broken_stream:
            freed = s._replace(turns=replaced(s.turns, host, None))
            yield f"host {host} abandons the turn of the broken stream", freed._replace(lock=0) if s.lock == turn.lock else freed
        if turn and s.lock != turn.lock:
            yield f"host {host} finds its lock lost and drops the turn", s._replace(turns=replaced(s.turns, host, None))
        if not turn and not s.lock and s.queue:
            number = s.locks + 1
            messages = s.queue
            for connection in range(self.rules.connections):
                turned = Turn(number, messages, s.execution, connection)
                item = Item(host, number, messages, s.execution, connection)
                after = s._replace(lock=number, locks=number, turns=replaced(s.turns, host, turned), items=s.items + (item,))
                if not self.rules.workers_send_tokens:
                    after = self.noted(after, host, connection, s.unanswered[host][connection].sent())
                yield f"host {host} locks ({number}) and sends the turn to the worker of connection {connection}", after

    # The worker: replays, completes; dies; completes late or again ---------------------------------------------------------------------------

    def worker_steps(self, s, i):
        item = s.items[i]
        who = f"the worker of lock {item.lock}"
        if s.deaths and item.told == WAITING:
            broken = self.broken(s, item)
            yield f"{who} dies", self.without_worker(broken, i)._replace(deaths=s.deaths - 1)
            yield f"the stream to {who} breaks, and it works on", broken._replace(deaths=s.deaths - 1)
        if not self.rules.workers_send_tokens:
            yield from self.answer_without_token(s, i, f"{who} answers")
        elif item.told in (WAITING, AGAIN):
            yield from self.completion(s, i, item.host, f"{who} completes")
            for other in range(self.rules.hosts):
                if other != item.host and not s.dead[other] and s.repeats:
                    yield from self.completion(s._replace(repeats=s.repeats - 1), i, other, f"{who} completes at host {other}")
        elif item.told == OK and s.repeats:
            yield from self.completion(s._replace(repeats=s.repeats - 1), i, item.host, f"{who} completes once more")

    # Workers that send no tokens: an answer names the instance alone, and comes by the connection that the turn went by ----------------------

    def answer_without_token(self, s, i, what):
        item = s.items[i]
        turn = s.turns[item.host]
        unanswered = s.unanswered[item.host][item.connection]
        is_taken = turn and (
            not self.rules.matches_the_connection
            or (turn.connection == item.connection and not (unanswered.several and self.rules.drops_what_is_ambiguous))
        )
        if not is_taken:
            yield f"{what}: dropped", self.even(self.heard(s, i), item.host, item.connection)
            return
        request = (turn.lock, item.messages, turn.messages, item.execution)
        for name, after in sent(s, what, request, self.apply, lambda answer, after: self.taken(after, i, turn.lock, answer)):
            yield name, after

    def taken(self, s, i, lock, answer):
        if answer == IN_DOUBT and lock not in s.committed:
            return s
        return self.closed(self.heard(s, i), s.items[i].host, lock)

    def heard(self, s, i):
        """The worker is told of no error, for it would take that for the end of its stream."""
        item = s.items[i]
        after = self.noted(s, item.host, item.connection, s.unanswered[item.host][item.connection].answered())
        return after._replace(items=tuple(each for j, each in enumerate(s.items) if j != i))

    def even(self, s, host, connection):
        """A turn that waits for an answer which was dropped, or is none's any more, is given back: nothing by that connection can be taken for it."""
        turn = s.turns[host]
        if not self.rules.gives_back_when_even or s.unanswered[host][connection].count or not turn or turn.connection != connection:
            return s
        freed = self.closed(s, host, turn.lock)
        return freed._replace(lock=0) if s.lock == turn.lock else freed

    @staticmethod
    def noted(s, host, connection, unanswered):
        return s._replace(unanswered=replaced(s.unanswered, host, replaced(s.unanswered[host], connection, unanswered)))

    def without_worker(self, s, i):
        """A worker that dies without tokens takes all with it that it got by its connection; another one may come by a connection of that name."""
        item = s.items[i]
        if self.rules.workers_send_tokens:
            return s._replace(items=tuple(each for j, each in enumerate(s.items) if j != i))
        left = tuple(each for each in s.items if (each.host, each.connection) != (item.host, item.connection))
        turn = s.turns[item.host]
        if turn and turn.connection == item.connection:
            s = s._replace(turns=replaced(s.turns, item.host, turn._replace(on_stream=False)))
        return self.noted(s, item.host, item.connection, Unanswered())._replace(items=left)

    def without_connections(self, s, host):
        """With a host end its connections: what its workers answer without tokens, by others, is for nothing that the next host has sent there."""
        if self.rules.workers_send_tokens:
            return s
        left = tuple(each for each in s.items if each.host != host)
        return s._replace(items=left, unanswered=replaced(s.unanswered, host, (Unanswered(),) * self.rules.connections))

    def broken(self, s, item):
        turn = s.turns[item.host]
        if not turn or turn.lock != item.lock:
            return s
        return s._replace(turns=replaced(s.turns, item.host, turn._replace(on_stream=False)))

    def completion(self, s, i, host, what):
        item = s.items[i]
        if s.dead[host]:
            yield f"{what}: nobody is there", self.told(s, i, GONE)
            return
        if item.lock in s.acked[host] and self.rules.remembers_acked_tokens:
            yield f"{what}: acked before", self.told(s, i, OK)
            return
        if host != item.host and self.rules.token_names_the_host:
            yield f"{what}: {MISROUTED}", self.told(s, i, AGAIN)
            return
        turn = s.turns[host]
        is_open = turn and turn.lock == item.lock
        if is_open:
            messages = turn.messages
        elif host != item.host:
            # It has not fetched the turn: it takes what it finds under the lock, which is not what the worker saw.
            messages = s.queue
        elif self.rules.ack_names_the_lock:
            yield f"{what}: {UNKNOWN}", self.told(s, i, GONE, item.lock in s.acked[host])
            return
        else:
            messages = item.messages
        if not self.rules.acks_what_was_fetched:
            messages = s.queue
        request = (item.lock, item.messages, messages, item.execution)
        for name, after in sent(s, what, request, self.apply, lambda answer, after: self.answered(after, i, host, answer)):
            yield name, after

    def answered(self, s, i, host, answer):
        item = s.items[i]
        if answer == IN_DOUBT:
            if not self.rules.settles_a_lost_answer:
                # Taken for refused: the turn is given back, whatever became of it.
                return self.told(self.closed(s, host, item.lock), i, GONE, item.lock in s.committed)
            # It reads the instance: a committed ack shows, and one that is not can be tried again under the lock.
            return self.settled(s, i, host) if item.lock in s.committed else s
        if answer == "ok" or item.lock in s.committed and self.rules.settles_a_lost_answer:
            return self.settled(s, i, host)
        if self.rules.fails_the_instance_on_a_permanent_error:
            return self.told(self.closed(s, host, item.lock), i, GONE)._replace(violation="FAILED")
        return self.told(self.closed(s, host, item.lock), i, GONE)

    def settled(self, s, i, host):
        lock = s.items[i].lock
        after = self.closed(s, host, lock)
        return self.told(after._replace(acked=replaced(after.acked, host, tuple(sorted({*after.acked[host], lock})))), i, OK)

    @staticmethod
    def closed(s, host, lock):
        turn = s.turns[host]
        return s._replace(turns=replaced(s.turns, host, None)) if turn and turn.lock == lock else s

    @staticmethod
    def told(s, i, told, is_untrue=False):
        """What the worker hears. A host that knows nothing of the turn any more may say so; one that acked it may not."""
        item = s.items[i]
        violation = s.violation
        if is_untrue or told == OK and item.lock not in s.committed:
            violation = violation or "ANSWER"
        after = s._replace(violation=violation)
        if told == GONE:
            return after._replace(items=tuple(each for j, each in enumerate(s.items) if j != i))
        return after._replace(items=replaced(s.items, i, item._replace(told=told)))

    # The store: one batch, on condition of the lock ----------------------------------------------------------------------------------------

    def apply(self, s, request):
        lock, decided, messages, execution = request
        if lock in s.committed:
            return (s, "lost") if self.rules.ack_names_the_lock else (self.commit(s, request), "ok")
        if self.rules.ack_names_the_lock and s.lock != lock:
            return s, "lost"
        return self.commit(s, request), "ok"

    def commit(self, s, request):
        lock, decided, messages, execution = request
        violation = s.violation
        numbers = [number for number, _, _ in decided]
        taken = [message for message in messages if message in s.queue]
        if any(number in s.effects for number in numbers):
            violation = violation or "ONCE"
        if any(message not in decided for message in taken):
            violation = violation or "LOST"
        for number, kind, belongs_to in decided:
            if kind == LATE and belongs_to != execution and not self.rules.results_name_the_execution:
                violation = violation or "STALE"
        queue = tuple(message for message in s.queue if message not in taken)
        begins_next = self.rules.continues and s.execution == 1 and any(kind == START for _, kind, _ in decided)
        if begins_next:
            if not self.rules.keeps_messages_that_come_between and queue:
                # The next execution begins with an empty queue.
                violation = violation or "LOST"
                queue = ()
            queue = queue + ((self.all, "next", 2),)
        return s._replace(
            queue=queue,
            lock=0 if s.lock == lock else s.lock,
            execution=2 if begins_next else s.execution,
            effects=tuple(sorted({*s.effects, *numbers})),
            committed=tuple(sorted({*s.committed, lock})),
            violation=violation,
        )


# Starts that are put off: what clients tell an instance before its time ------------------------------------------------------------------------

SUSPEND, RESUME, TERMINATE, PURGE, START_AGAIN = "suspend", "resume", "terminate", "purge", "start again"
SUSPENDED, RESUMED, TERMINATED, TERMINATED_START = "suspended", "resumed", "terminated", "start that is terminated"
PENDING, RUNNING, ENDED, NOBODY = "PENDING", "RUNNING", "ENDED", "nobody"
TOLD = {SUSPEND: SUSPENDED, RESUME: RESUMED, TERMINATE: TERMINATED}


class StartRules(NamedTuple):
    """As above: the protocol, and what a weaker one leaves out; then the bounds."""

    holds_what_is_suspended: bool = True
    tells_and_shows_at_once: bool = True
    termination_brings_the_start: bool = True
    termination_names_the_version: bool = True
    purge_names_the_version: bool = True
    purge_empties_the_queue: bool = True
    drops_a_start_of_what_has_ended: bool = True
    clients: tuple = ((SUSPEND, RESUME),)  # what each asks for, in order
    goals: tuple = (RUNNING,)  # how it may stand when all is done
    time_comes: bool = True
    failures: int = 1


class Message(NamedTuple):
    kind: str
    execution: int = 0  # of a start: which instance it was made for; the second has the id of the first
    is_visible: bool = True


class Ask(NamedTuple):
    """What a client is at: how many of its wishes are granted, and what it has read for the next; None for nothing."""

    granted: int = 0
    seen: tuple | None = None


class PutOffState(NamedTuple):
    queue: tuple = (Message(START, 1, False),)
    instance: int = 1  # whose document is there; 0 for none
    version: int = 1  # of that document
    status: str = PENDING
    has_begun: bool = False
    is_time: bool = False  # of the first instance; the second starts at once
    asks: tuple = ()
    stopped: tuple = ()  # instances whose termination was taken
    is_held: bool = False  # a suspension was taken, and nobody has asked to resume since
    receipts: tuple = ()
    under_way: tuple = ()
    failures: int = 0
    violation: str | None = None


def is_suspended(messages, before=False):
    for message in messages:
        before = message.kind == SUSPENDED or (before and message.kind != RESUMED)
    return before


class PutOff:
    """An instance whose start lies ahead, the host's turns as single steps: what can come between is above."""

    def __init__(self, rules: StartRules):
        self.rules = rules

    def find(self):
        return explore(PutOffState(asks=(Ask(),) * len(self.rules.clients), failures=self.rules.failures), self.steps, self.is_over)

    def is_over(self, s):
        granted = all(ask.granted == len(wishes) for ask, wishes in zip(s.asks, self.rules.clients))
        return granted and s.status in self.rules.goals

    def steps(self, s):
        if self.rules.time_comes and not s.is_time:
            yield "its time comes", s._replace(is_time=True, queue=tuple(message._replace(is_visible=True) for message in s.queue))
        yield from self.turn(s)
        for client in range(len(s.asks)):
            yield from self.client_steps(s, client)
        for i, request in enumerate(s.under_way):
            after, _ = self.apply(s._replace(under_way=s.under_way[:i] + s.under_way[i + 1 :]), request)
            yield f"{request[0]}, that was given up, arrives", after

    # The host ---------------------------------------------------------------------------------------------------------------------------------

    def turn(self, s):
        taken = [message for message in s.queue if message.is_visible]
        starts = [message for message in taken if message.kind in (START, TERMINATED_START)]
        if not s.instance or not taken or not (s.has_begun or starts):
            return
        after = s._replace(queue=tuple(message for message in s.queue if not message.is_visible), version=s.version + 1)
        if s.status == ENDED:
            if starts and not self.rules.drops_a_start_of_what_has_ended:
                yield "a host begins it once more", self.run(after, s, False)
            else:
                yield "a host drops what comes to an end", after
            return
        if not s.has_begun and starts[0].execution != s.instance:
            after = after._replace(violation="STRAY")
        suspended = is_suspended(taken, s.has_begun and s.status == SUSPENDED)
        if any(message.kind in (TERMINATED, TERMINATED_START) for message in taken):
            yield "a host ends it", after._replace(status=ENDED, has_begun=True)
        elif suspended and not s.has_begun and self.rules.holds_what_is_suspended:
            yield "a host begins it and asks no worker", after._replace(status=SUSPENDED, has_begun=True)
        else:
            yield "a host hands it to a worker", self.run(after, s, suspended)

    @staticmethod
    def run(after, s, suspended):
        violation = after.violation
        if s.instance in s.stopped:
            violation = violation or "STOPPED"
        if s.is_held and not (suspended and s.has_begun):
            violation = violation or "HELD"
        return after._replace(status=SUSPENDED if suspended else RUNNING, has_begun=True, violation=violation)

    # Clients: each reads the instance, then writes; who has no answer writes again under the same name --------------------------------------

    def client_steps(self, s, client):
        ask = s.asks[client]
        wishes = self.rules.clients[client]
        if ask.granted == len(wishes):
            return
        wish = wishes[ask.granted]
        who = f"client {client}"
        if ask.seen is None:
            seen = (s.instance, s.version, s.status, self.is_ahead(s))
            after = self.asking(s, client, ask._replace(seen=seen))
            yield f"{who} reads it, to {wish}", after._replace(is_held=s.is_held and wish != RESUME)
            return
        for request in self.requests(s, client, wish, ask):
            yield from sent(s, f"{who}: {request[0]}", request, self.apply, lambda answer, after: self.heard(after, client, request, answer))

    @staticmethod
    def is_ahead(s):
        return s.instance == 1 and not s.has_begun and not s.is_time

    def requests(self, s, client, wish, ask):
        instance, version, status, is_ahead = ask.seen
        name = (client, ask.granted)
        if wish == START_AGAIN:
            yield ("start", name, None, False, "granted")
        elif wish == PURGE:
            if status == ENDED or is_ahead:
                yield ("purge", name, version if self.rules.purge_names_the_version else None, False, "granted")
            else:
                yield ("pass over", name, None, False, "granted")
        elif wish == TERMINATE and is_ahead and self.rules.termination_brings_the_start:
            message = Message(TERMINATED_START, instance)
            yield (message, name, version if self.rules.termination_names_the_version else None, False, "granted")
        elif wish in (SUSPEND, RESUME) and is_ahead and self.rules.tells_and_shows_at_once:
            yield (Message(TOLD[wish]), name, version, True, "granted")
        elif wish in (SUSPEND, RESUME) and is_ahead and name not in s.receipts:
            yield (Message(TOLD[wish]), name, None, False, "again")
        elif wish in (SUSPEND, RESUME) and is_ahead:
            yield ("show", (wish, name), None, True, "granted")
        else:
            yield (Message(TOLD[wish]), name, None, False, "granted")

    def heard(self, s, client, request, answer):
        ask = s.asks[client]
        if answer == IN_DOUBT:
            return s
        if answer == "changed" or request[4] == "again":
            return self.asking(s, client, ask._replace(seen=None))
        wish = self.rules.clients[client][ask.granted]
        return self.asking(s._replace(is_held=wish == SUSPEND or s.is_held and wish != RESUME), client, Ask(ask.granted + 1))

    @staticmethod
    def asking(s, client, ask):
        return s._replace(asks=replaced(s.asks, client, ask))

    # The store: a batch on one partition, on condition of the version where one is named ----------------------------------------------------

    def apply(self, s, request):
        what, name, version, shows, _ = request
        if what == "pass over" or what == "start" and s.instance:
            return s, "ok"
        if what != "show" and name in s.receipts:
            return s, "ok"
        is_gone = not s.instance and what in ("purge", "show")
        if version not in (None, s.version) or is_gone:
            return s, "changed"
        after, answer = self.write(s._replace(receipts=tuple(sorted({*s.receipts, name}, key=str))), what, name, shows), "ok"
        return self.judged(after), answer

    def write(self, s, what, name, shows):
        if what == "start":
            return s._replace(instance=2, version=s.version + 1, status=PENDING, has_begun=False, queue=s.queue + (Message(START, 2),))
        if what == "purge":
            violation = s.violation or ("SPARED" if s.has_begun and s.status != ENDED else None)
            queue = () if self.rules.purge_empties_the_queue else s.queue
            return s._replace(instance=0, version=s.version + 1, status=NOBODY, has_begun=False, queue=queue, violation=violation)
        if what == "show":
            status = s.status if s.has_begun else (SUSPENDED if name[0] == SUSPEND else PENDING)
            return s._replace(status=status, version=s.version + 1)
        stopped = s.stopped + (s.instance,) if what.kind in (TERMINATED, TERMINATED_START) else s.stopped
        after = s._replace(queue=s.queue + (what,), stopped=tuple(sorted(set(stopped))))
        if shows or what.kind == TERMINATED_START:
            after = after._replace(version=s.version + 1)
        return after._replace(status=SUSPENDED if what.kind == SUSPENDED else PENDING) if shows else after

    def judged(self, s):
        """Before its time an instance shows what its first turn will find."""
        is_true = not self.is_ahead(s) or (s.status == SUSPENDED) == is_suspended(s.queue)
        return s if is_true or s.violation else s._replace(violation="SHOWN")


def case(name, expected, rules):
    return Case(name, expected, (Host if isinstance(rules, Rules) else PutOff)(rules).find)


CONTINUES = Rules(continues=True, comes_later=(EVENT, LATE), hosts=1, host_deaths=0)

WITHOUT_TOKENS = Rules(workers_send_tokens=False, connections=2, hosts=1, repeats=0)

PAUSED = StartRules()

ENDED_AHEAD = StartRules(clients=((SUSPEND, TERMINATE),), goals=(ENDED,), time_comes=False)

REPLACED = StartRules(clients=((TERMINATE,), (PURGE, START_AGAIN)), goals=(RUNNING, ENDED))

PURGED = StartRules(clients=((PURGE,),), goals=(RUNNING, NOBODY))

CASES = [
    case("the protocol, one host", None, Rules(hosts=1, repeats=2)),
    case("the protocol, two hosts", None, Rules(lapses=0)),
    case("the protocol, continue-as-new with messages between", None, CONTINUES),
    case("the protocol, workers without tokens", None, WITHOUT_TOKENS),
    case("the protocol, workers without tokens, continue-as-new", None, CONTINUES._replace(workers_send_tokens=False, repeats=0)),
    case("the ack does not name the lock", "ONCE", Rules(ack_names_the_lock=False)),
    case("a turn is kept when its stream breaks", "STUCK", Rules(keeps_turn_of_a_broken_stream=True, hosts=1, lapses=0, host_deaths=0)),
    case("acked tokens are forgotten", "ANSWER", Rules(remembers_acked_tokens=False)),
    case("any host takes a completion", "LOST", Rules(token_names_the_host=False)),
    case("a lost answer is taken for a refusal", "ANSWER", Rules(settles_a_lost_answer=False)),
    case("the ack takes what is in the queue", "LOST", Rules(acks_what_was_fetched=False, hosts=1)),
    case("results do not name their execution", "STALE", CONTINUES._replace(results_name_the_execution=False)),
    case("continue-as-new empties the queue", "LOST", CONTINUES._replace(keeps_messages_that_come_between=False)),
    case("an answer without a token is taken by the instance alone", "LOST", WITHOUT_TOKENS._replace(matches_the_connection=False)),
    case("an answer without a token is taken though another may be meant", "LOST", WITHOUT_TOKENS._replace(drops_what_is_ambiguous=False)),
    case("a turn whose answers were all dropped stays in hand", "STUCK", WITHOUT_TOKENS._replace(gives_back_when_even=False)),
    case("a permanent error fails the orchestration", "FAILED", Rules(fails_the_instance_on_a_permanent_error=True)),
    case("the protocol, a start that is put off, suspended and resumed", None, PAUSED),
    case("the protocol, a start that is put off, suspended and ended before its time", None, ENDED_AHEAD),
    case("the protocol, a start that is put off, purged and started again while another client ends it", None, REPLACED),
    case("the protocol, a start that is put off, purged while its time comes", None, PURGED),
    case("a worker gets what is suspended before its first turn", "HELD", PAUSED._replace(holds_what_is_suspended=False)),
    case("a suspension is told and shown by two requests", "SHOWN", PAUSED._replace(tells_and_shows_at_once=False)),
    case("a termination waits for the start that is put off", "STUCK", ENDED_AHEAD._replace(termination_brings_the_start=False)),
    case("a start that comes to what has ended begins it again", "STOPPED", PAUSED._replace(clients=((TERMINATE,),), goals=(ENDED,), drops_a_start_of_what_has_ended=False)),
    case("a termination brings a start that may be another instance's", "STRAY", REPLACED._replace(termination_names_the_version=False)),
    case("a purge leaves the messages", "STRAY", REPLACED._replace(purge_empties_the_queue=False)),
    case("a purge goes by what was read before", "SPARED", PURGED._replace(purge_names_the_version=False)),
]
