"""What the models share: exploring every reachable state of a protocol breadth first, and saying what came of it.

A model is a start state and a function `steps(state)` that yields `(name, next state)` for everything anybody could do next. States are
tuples, compared by value. A step that breaks an invariant sets the field `violation` of the state it leads to.
"""

import time
from collections import deque
from typing import Any, Callable, Iterator, NamedTuple, Optional

Steps = Callable[[Any], Iterator[tuple[str, Any]]]

STUCK = "STUCK"


class Finding(NamedTuple):
    """How many states were seen, the invariant that is broken (None: none is) and the shortest way there."""

    states: int
    violation: Optional[str]
    trace: list[str]


class Case(NamedTuple):
    """One configuration of a model, and the invariant it is expected to break (None: none)."""

    name: str
    expected: Optional[str]
    find: Callable[[], Finding]


def replaced(values: tuple, index: int, value: Any) -> tuple:
    """The same tuple with another value at one place."""
    return values[:index] + (value,) + values[index + 1 :]


def explore(start: Any, steps: Steps, end: Optional[Callable[[Any], bool]] = None, only: Optional[str] = None) -> Finding:
    """Visits all states until an invariant is broken.

    end: tells the states in which everything is done; then each reachable state must be able to reach one, or the model is STUCK.
    only: the violation looked for; states that break something else are left alone, and not followed further.
    """
    came_from: dict = {start: None}
    reached_from: dict = {}
    to_visit = deque([start])
    while to_visit:
        state = to_visit.popleft()
        for name, after in steps(state):
            if end:
                reached_from.setdefault(after, []).append(state)
            if after in came_from:
                continue
            came_from[after] = (state, name)
            if not after.violation:
                to_visit.append(after)
            elif only in (None, after.violation):
                return Finding(len(came_from), after.violation, trace(came_from, after))
    if end:
        stuck = first_that_never_ends(came_from, reached_from, end)
        if stuck is not None:
            return Finding(len(came_from), STUCK, trace(came_from, stuck))
    return Finding(len(came_from), None, [])


def first_that_never_ends(came_from: dict, reached_from: dict, end: Callable[[Any], bool]) -> Any:
    """The state nearest to the start from which no end can be reached; None if there is none."""
    ending = {state for state in came_from if end(state)}
    to_visit = deque(ending)
    while to_visit:
        for before in reached_from.get(to_visit.popleft(), ()):
            if before not in ending:
                ending.add(before)
                to_visit.append(before)
    # A dictionary keeps the order of insertion, which is breadth first.
    return next((state for state in came_from if state not in ending), None)


def trace(came_from: dict, state: Any) -> list[str]:
    """Names of the steps that lead to a state; steps without a name are decisions that nobody sees."""
    names = []
    while came_from[state]:
        state, name = came_from[state]
        if name:
            names.append(name)
    return names[::-1]


IN_DOUBT = "in doubt"


def sent(state: Any, what: str, request: tuple, apply: Callable, then: Callable) -> Iterator[tuple[str, Any]]:
    """The three things that can become of a request, while the budget of `failures` lasts for the latter two: it is answered; it is applied
    and its answer is lost; its sender gives it up, and it may be applied at any later moment.

    apply(state, request) gives the state after it and the answer; then(answer, state) is how the sender goes on.
    """
    after, answer = apply(state, request)
    yield f"{what}: {answer}", then(answer, after)
    if state.failures:
        fewer = state.failures - 1
        if answer == "ok":
            yield f"{what}: applied, answer lost", then(IN_DOUBT, after._replace(failures=fewer))
        under_way = state.under_way + (request,)
        yield f"{what}: given up, still under way", then(IN_DOUBT, state._replace(failures=fewer, under_way=under_way))


def run(model: str, cases: list[Case], with_traces: bool) -> int:
    """Explores and prints all cases of a model; returns how many ended otherwise than expected."""
    surprises = 0
    began = time.time()
    for case in cases:
        found = case.find()
        surprise = found.violation != case.expected
        surprises += surprise
        judgement = "SURPRISE, expected " + str(case.expected) if surprise else "as expected"
        print(f"{model}  {case.name}: {found.violation or 'no hole'}, {found.states} states, {judgement}", flush=True)
        if surprise or with_traces:
            for step in found.trace:
                print("       ", step)
    print(f"{model}  {time.time() - began:.0f} s")
    return surprises
