"""Orchestrations that start others and wait for them."""
from datetime import timedelta

import pytest
from durabletask import task
from durabletask.client import OrchestrationStatus

from hub import eventually


def greet(ctx, name):
    return f"hello {name}"


def child(ctx, name):
    return (yield ctx.call_activity(greet, input=name))


def test_a_child_answers_its_parent(hub):
    def parent(ctx, name):
        return (yield ctx.call_sub_orchestrator(child, input=name))

    with hub.worker([parent, child], [greet]):
        assert hub.run(parent, "tokyo") == "hello tokyo"


def test_children_run_side_by_side(hub):
    def parent(ctx, count):
        return (yield task.when_all([ctx.call_sub_orchestrator(child, input=str(n)) for n in range(count)]))

    with hub.worker([parent, child], [greet]):
        assert hub.run(parent, 20) == [f"hello {n}" for n in range(20)]


def test_children_have_children(hub):
    def tree(ctx, depth):
        if depth == 0:
            return 1
        leaves = yield task.when_all([ctx.call_sub_orchestrator(tree, input=depth - 1) for _ in range(2)])
        return sum(leaves)

    with hub.worker([tree]):
        assert hub.run(tree, 3) == 8


def test_a_child_can_be_named_and_looked_up(hub):
    def parent(ctx, name):
        return (yield ctx.call_sub_orchestrator(child, input="named", instance_id=name))

    name = hub.id("child")
    with hub.worker([parent, child], [greet]):
        assert hub.run(parent, name) == "hello named"

    state = hub.client.get_orchestration_state(name)
    assert state.name == "child"
    assert state.runtime_status is OrchestrationStatus.COMPLETED
    assert state.get_output() == "hello named"


@pytest.mark.beyond_in_memory("tells a child nothing of its parent")
def test_a_child_knows_its_parent(hub):
    def knows(ctx, _):
        return ctx.parent_instance_id

    def parent(ctx, _):
        return (yield ctx.call_sub_orchestrator(knows))

    with hub.worker([parent, knows]):
        instance = hub.start(parent)
        assert hub.completed(instance) == instance


def test_a_child_that_fails_fails_its_parent(hub):
    def fails(ctx, _):
        raise ValueError("the child gave up")

    def parent(ctx, _):
        yield ctx.call_sub_orchestrator(fails)

    with hub.worker([parent, fails]):
        state = hub.finished(hub.start(parent))

    assert state.runtime_status is OrchestrationStatus.FAILED
    assert "the child gave up" in state.failure_details.message


@pytest.mark.beyond_in_memory("makes every failure of a child a plain Exception")
def test_a_parent_sees_what_error_its_child_failed_with(hub):
    def fails(ctx, _):
        raise ValueError("the child gave up")

    def parent(ctx, _):
        try:
            yield ctx.call_sub_orchestrator(fails)
        except task.TaskFailedError as error:
            return [error.details.is_caused_by(ValueError), error.details.message]

    with hub.worker([parent, fails]):
        assert hub.run(parent) == [True, "the child gave up"]


def test_a_child_that_failed_is_retried_under_the_same_id(hub):
    attempts = []

    def flaky(ctx, needed):
        attempts.append(ctx.instance_id)
        if len(attempts) < needed:
            raise RuntimeError("not yet")
        return len(attempts)

    def parent(ctx, needed):
        policy = task.RetryPolicy(first_retry_interval=timedelta(milliseconds=50), max_number_of_attempts=5)
        return (yield ctx.call_sub_orchestrator(flaky, input=needed, retry_policy=policy))

    with hub.worker([parent, flaky]):
        assert hub.run(parent, 3) == 3
    assert len(attempts) == 3 and len(set(attempts)) == 1
    assert hub.status(attempts[0]) is OrchestrationStatus.COMPLETED


def test_a_child_that_never_succeeds_fails_its_parent_after_its_retries(hub):
    attempts = []

    def broken(ctx, _):
        attempts.append(1)
        raise RuntimeError("never")

    def parent(ctx, _):
        policy = task.RetryPolicy(first_retry_interval=timedelta(milliseconds=50), max_number_of_attempts=3)
        yield ctx.call_sub_orchestrator(broken, retry_policy=policy)

    with hub.worker([parent, broken]):
        assert hub.finished(hub.start(parent)).runtime_status is OrchestrationStatus.FAILED
    assert len(attempts) == 3


def test_a_child_that_continues_as_new_answers_its_parent_in_the_end(hub):
    def counts_down(ctx, number):
        yield ctx.call_activity(greet, input=str(number))
        if number > 0:
            ctx.continue_as_new(number - 1)
            return None
        return "liftoff"

    def parent(ctx, _):
        return (yield ctx.call_sub_orchestrator(counts_down, input=5))

    with hub.worker([parent, counts_down], [greet]):
        assert hub.run(parent) == "liftoff"


def test_a_parent_that_ends_leaves_its_child_running(hub):
    def waits(ctx, _):
        return (yield ctx.wait_for_external_event("end"))

    def parent(ctx, name):
        ctx.call_sub_orchestrator(waits, instance_id=name)
        yield ctx.create_timer(timedelta(milliseconds=10))
        return "gone"

    name = hub.id("orphan")
    with hub.worker([parent, waits]):
        assert hub.run(parent, name) == "gone"
        eventually(lambda: hub.status(name) is OrchestrationStatus.RUNNING, "the child runs")
        hub.client.raise_orchestration_event(name, "end", data="by itself")
        assert hub.completed(name) == "by itself"
