"""What clients do to instances: start, watch, suspend, terminate, restart."""
import time
from datetime import datetime, timedelta, timezone

import durabletask.internal.orchestrator_service_pb2 as pb
import grpc
import pytest
from durabletask.client import OrchestrationStatus

from hub import eventually, refused


def waits(ctx, _):
    return (yield ctx.wait_for_external_event("end"))


def echo(ctx, value):
    return value


def running(hub, **options):
    """An instance of `waits` that a worker has begun."""
    instance = hub.start(waits, **options)
    hub.client.wait_for_orchestration_start(instance)
    return instance


# --- start and wait

def test_an_instance_is_pending_until_a_worker_takes_it(hub):
    instance = hub.start(echo, "later")
    assert hub.status(instance) is OrchestrationStatus.PENDING
    with hub.worker([echo]):
        assert hub.completed(instance) == "later"


def test_a_client_that_waits_for_the_start_is_told_when_a_worker_comes(hub):
    instance = hub.start(waits)
    with pytest.raises(TimeoutError):
        hub.client.wait_for_orchestration_start(instance, timeout=0.5)
    with hub.worker([waits]):
        assert hub.client.wait_for_orchestration_start(instance).runtime_status is OrchestrationStatus.RUNNING
        hub.client.terminate_orchestration(instance)
        hub.finished(instance)


def test_a_wait_for_the_end_times_out(hub):
    with hub.worker([waits]):
        instance = running(hub)
        with pytest.raises(TimeoutError):
            hub.client.wait_for_orchestration_completion(instance, timeout=0.5)
        hub.client.raise_orchestration_event(instance, "end", data="after all")
        assert hub.completed(instance) == "after all"


def test_a_wait_for_what_has_ended_returns_at_once(hub):
    with hub.worker([echo]):
        instance = hub.start(echo, 1)
        hub.completed(instance)
    state = hub.client.wait_for_orchestration_completion(instance, timeout=5, fetch_payloads=False)
    assert state.runtime_status is OrchestrationStatus.COMPLETED
    assert state.serialized_input is None and state.serialized_output is None, "no payloads were asked for"


def test_an_instance_that_nobody_started_is_not_there(hub):
    assert hub.client.get_orchestration_state(hub.id("nobody")) is None


def test_a_state_tells_name_input_output_and_times(hub):
    with hub.worker([echo]):
        instance = hub.start(echo, {"a": 1})
        hub.completed(instance)
    state = hub.client.get_orchestration_state(instance)
    assert (state.instance_id, state.name) == (instance, "echo")
    assert (state.get_input(), state.get_output()) == ({"a": 1}, {"a": 1})
    now = datetime.now(timezone.utc).replace(tzinfo=None)
    assert now - timedelta(minutes=5) < state.created_at <= state.last_updated_at < now + timedelta(minutes=5)


def test_an_id_in_use_is_refused(hub):
    with hub.worker([waits]):
        instance = running(hub)
        assert refused(lambda: hub.client.schedule_new_orchestration(waits, instance_id=instance)) is grpc.StatusCode.ALREADY_EXISTS
        hub.client.raise_orchestration_event(instance, "end", data="undisturbed")
        assert hub.completed(instance) == "undisturbed"


def test_an_id_whose_instance_has_ended_is_reused_if_the_policy_allows_it(hub):
    allow = pb.OrchestrationIdReusePolicy(replaceableStatus=[pb.ORCHESTRATION_STATUS_COMPLETED, pb.ORCHESTRATION_STATUS_FAILED])
    with hub.worker([echo]):
        instance = hub.start(echo, "first")
        assert hub.completed(instance) == "first"
        assert hub.start(echo, "second", instance_id=instance, reuse_id_policy=allow) == instance
        eventually(lambda: hub.completed(instance) == "second", "the second run has replaced the first")


def test_an_id_is_not_reused_if_the_policy_names_other_statuses(hub):
    allow = pb.OrchestrationIdReusePolicy(replaceableStatus=[pb.ORCHESTRATION_STATUS_FAILED])
    with hub.worker([echo]):
        instance = hub.start(echo, "first")
        hub.completed(instance)
        again = lambda: hub.client.schedule_new_orchestration(echo, input="second", instance_id=instance, reuse_id_policy=allow)
        assert refused(again) is grpc.StatusCode.ALREADY_EXISTS
        assert hub.completed(instance) == "first"


@pytest.mark.beyond_in_memory("starts an instance at once, whatever its start time is")
def test_a_start_may_be_delayed(hub):
    def when(ctx, _):
        return ctx.current_utc_datetime.isoformat()

    start_at = datetime.now(timezone.utc) + timedelta(seconds=2)
    with hub.worker([when]):
        instance = hub.start(when, start_at=start_at)
        assert hub.status(instance) is OrchestrationStatus.PENDING
        assert datetime.fromisoformat(hub.completed(instance)).replace(tzinfo=timezone.utc) >= start_at


# --- continue as new

def test_an_eternal_orchestration_starts_over_with_new_input(hub):
    def counter(ctx, number):
        number = yield ctx.call_activity(echo, input=number + 1)
        if number < 10:
            ctx.continue_as_new(number)
            return None
        return number

    with hub.worker([counter], [echo]):
        instance = hub.start(counter, 0)
        assert hub.completed(instance) == 10
        assert hub.client.get_orchestration_state(instance).get_input() == 9


def test_events_not_yet_read_are_carried_into_the_next_generation(hub):
    def one_at_a_time(ctx, sum):
        sum += yield ctx.wait_for_external_event("amount")
        if sum < 55:
            ctx.continue_as_new(sum, save_events=True)
            return None
        return sum

    with hub.worker([one_at_a_time]):
        instance = hub.start(one_at_a_time, 0)
        for amount in range(1, 11):
            hub.client.raise_orchestration_event(instance, "amount", data=amount)
        assert hub.completed(instance) == 55


def test_an_eternal_orchestration_runs_on_timers_until_it_is_terminated(hub):
    def monitor(ctx, count):
        ctx.set_custom_status(count)
        yield ctx.create_timer(timedelta(milliseconds=20))
        ctx.continue_as_new(count + 1)

    with hub.worker([monitor]):
        instance = hub.start(monitor, 0)
        eventually(lambda: (hub.custom_status(instance) or 0) >= 5, "five rounds")
        hub.client.terminate_orchestration(instance, output="enough")
        state = hub.finished(instance)
    assert state.runtime_status is OrchestrationStatus.TERMINATED
    assert state.get_output() == "enough"


# --- custom status

def test_a_custom_status_shows_while_the_instance_runs(hub):
    def steps(ctx, _):
        ctx.set_custom_status({"step": 1})
        yield ctx.wait_for_external_event("next")
        ctx.set_custom_status({"step": 2})
        yield ctx.wait_for_external_event("next")
        ctx.set_custom_status({"step": "done"})

    with hub.worker([steps]):
        instance = hub.start(steps)
        eventually(lambda: hub.custom_status(instance) == {"step": 1}, "step 1")
        hub.client.raise_orchestration_event(instance, "next")
        eventually(lambda: hub.custom_status(instance) == {"step": 2}, "step 2")
        hub.client.raise_orchestration_event(instance, "next")
        assert hub.finished(instance).get_custom_status() == {"step": "done"}


# --- suspend and resume

def test_a_suspended_instance_takes_no_event_until_it_is_resumed(hub):
    with hub.worker([waits]):
        instance = running(hub)
        hub.client.suspend_orchestration(instance, reason="holiday")
        eventually(lambda: hub.status(instance) is OrchestrationStatus.SUSPENDED, "suspended")
        hub.client.raise_orchestration_event(instance, "end", data="held back")
        with pytest.raises(TimeoutError):
            hub.client.wait_for_orchestration_completion(instance, timeout=1)
        hub.client.resume_orchestration(instance)
        assert hub.completed(instance) == "held back"


@pytest.mark.beyond_in_memory("shows the status only after the worker's next turn")
def test_suspended_and_resumed_show_as_soon_as_they_are_accepted(hub):
    with hub.worker([waits]):
        instance = running(hub)
        hub.client.suspend_orchestration(instance)
        assert hub.status(instance) is OrchestrationStatus.SUSPENDED, "the answer comes when it shows"
        hub.client.resume_orchestration(instance)
        assert hub.status(instance) is OrchestrationStatus.RUNNING


def test_a_suspended_instance_is_terminated_all_the_same(hub):
    with hub.worker([waits]):
        instance = running(hub)
        hub.client.suspend_orchestration(instance)
        eventually(lambda: hub.status(instance) is OrchestrationStatus.SUSPENDED, "suspended")
        hub.client.terminate_orchestration(instance, output="over")
        state = hub.finished(instance)
    assert state.runtime_status is OrchestrationStatus.TERMINATED
    assert state.get_output() == "over"


def test_suspend_and_resume_of_nobody_are_refused(hub):
    assert refused(lambda: hub.client.suspend_orchestration(hub.id("nobody"))) is grpc.StatusCode.NOT_FOUND
    assert refused(lambda: hub.client.resume_orchestration(hub.id("nobody"))) is grpc.StatusCode.NOT_FOUND


# --- terminate

def test_a_running_instance_is_terminated_with_an_output(hub):
    with hub.worker([waits]):
        instance = running(hub)
        hub.client.terminate_orchestration(instance, output={"why": "no longer needed"})
        state = hub.finished(instance)
    assert state.runtime_status is OrchestrationStatus.TERMINATED
    assert state.get_output() == {"why": "no longer needed"}
    assert state.failure_details is None


def test_an_instance_that_no_worker_has_begun_is_terminated(hub):
    began = []

    def unlucky(ctx, _):
        began.append(1)
        yield ctx.wait_for_external_event("never")

    instance = hub.start(unlucky)
    hub.client.terminate_orchestration(instance, output="too early")
    with hub.worker([unlucky]):
        assert hub.finished(instance).runtime_status is OrchestrationStatus.TERMINATED


def test_an_instance_that_has_ended_stays_as_it_ended_when_terminated(hub):
    with hub.worker([echo]):
        instance = hub.start(echo, "fine")
        hub.completed(instance)
        hub.client.terminate_orchestration(instance, output="too late")
        assert hub.completed(instance) == "fine"


def family(hub):
    def parent(ctx, child):
        return (yield ctx.call_sub_orchestrator(waits, instance_id=child))

    return parent, hub.id("child")


@pytest.mark.beyond_in_memory("does not terminate children")
def test_a_termination_reaches_the_children(hub):
    parent, child = family(hub)
    with hub.worker([parent, waits]):
        instance = hub.start(parent, child)
        eventually(lambda: hub.status(child) is OrchestrationStatus.RUNNING, "the child runs")
        hub.client.terminate_orchestration(instance, output="all of you", recursive=True)
        assert hub.finished(instance).runtime_status is OrchestrationStatus.TERMINATED
        assert hub.finished(child).runtime_status is OrchestrationStatus.TERMINATED


def test_a_termination_of_the_parent_alone_spares_the_children(hub):
    parent, child = family(hub)
    with hub.worker([parent, waits]):
        instance = hub.start(parent, child)
        eventually(lambda: hub.status(child) is OrchestrationStatus.RUNNING, "the child runs")
        hub.client.terminate_orchestration(instance, recursive=False)
        assert hub.finished(instance).runtime_status is OrchestrationStatus.TERMINATED
        hub.client.raise_orchestration_event(child, "end", data="still here")
        assert hub.completed(child) == "still here"


# --- restart

def test_an_instance_that_has_ended_is_restarted_under_its_id(hub):
    runs = []

    def counts(ctx, value):
        runs.append(value)
        return [len(runs), value]

    with hub.worker([counts]):
        instance = hub.start(counts, "same input")
        assert hub.completed(instance) == [1, "same input"]
        assert hub.client.restart_orchestration(instance) == instance
        eventually(lambda: hub.completed(instance) == [2, "same input"], "the second run's result")


def test_an_instance_that_has_ended_is_restarted_under_a_new_id(hub):
    with hub.worker([echo]):
        instance = hub.start(echo, "copy me")
        hub.completed(instance)
        copy = hub.client.restart_orchestration(instance, restart_with_new_instance_id=True)
        assert copy != instance
        assert hub.completed(copy) == "copy me"
        assert hub.completed(instance) == "copy me"


def test_a_restart_of_what_runs_or_of_nobody_is_refused(hub):
    with hub.worker([waits]):
        instance = running(hub)
        assert refused(lambda: hub.client.restart_orchestration(instance)) is grpc.StatusCode.FAILED_PRECONDITION
    assert refused(lambda: hub.client.restart_orchestration(hub.id("nobody"))) is grpc.StatusCode.NOT_FOUND


def test_a_start_takes_no_longer_because_others_wait(hub):
    with hub.worker([waits, echo]):
        sleepers = [running(hub) for _ in range(20)]
        begin = time.monotonic()
        assert hub.run(echo, "awake") == "awake"
        assert time.monotonic() - begin < 10
        for sleeper in sleepers:
            hub.client.raise_orchestration_event(sleeper, "end")
        for sleeper in sleepers:
            hub.completed(sleeper)
