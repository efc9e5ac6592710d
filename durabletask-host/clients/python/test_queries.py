"""Lists of instances, purges, histories. Every scenario asks for instances of its own by prefix or time, so that the hub need not be empty."""
from datetime import timedelta

import grpc
import pytest
from durabletask import history
from durabletask.client import OrchestrationQuery, OrchestrationStatus

from hub import eventually, refused


def echo(ctx, value):
    return value


def fails(ctx, _):
    raise ValueError("on purpose")


def waits(ctx, _):
    return (yield ctx.wait_for_external_event("end"))


def ids(states):
    return {state.instance_id for state in states}


def several(hub, prefix, orchestrator, count, input=None):
    instances = [hub.start(orchestrator, input, instance_id=f"{prefix}-{n:02}") for n in range(count)]
    for instance in instances:
        hub.finished(instance)
    return instances


def after(hub, *earlier):
    """A time between what was created or completed before and what will be: taken from the server's clock, not from ours."""
    latest = max(hub.client.get_orchestration_state(instance).last_updated_at for instance in earlier)
    return latest + timedelta(milliseconds=5)


def marker(hub):
    """A time of the server's clock that all which follows comes after."""
    instance = hub.start(echo, "marker")
    hub.completed(instance)
    time = after(hub, instance)

    def passed():
        next = hub.start(echo, "marker")
        hub.completed(next)
        return hub.client.get_orchestration_state(next).created_at > time

    eventually(passed, "the server's clock goes on")
    return time


def test_instances_are_found_by_the_prefix_of_their_ids(hub):
    with hub.worker([echo]):
        prefix = hub.id("prefix")
        ours = several(hub, prefix, echo, 3)
        several(hub, hub.id("others"), echo, 1)
    found = hub.client.get_all_orchestration_states(OrchestrationQuery(instance_id_prefix=prefix))
    assert ids(found) == set(ours)


def test_instances_are_found_by_status(hub):
    prefix = hub.id("status")

    def by(*statuses):
        return ids(hub.client.get_all_orchestration_states(OrchestrationQuery(instance_id_prefix=prefix, runtime_status=list(statuses))))

    with hub.worker([echo, fails, waits]):
        done = hub.start(echo, instance_id=prefix + "-done")
        failed = hub.start(fails, instance_id=prefix + "-failed")
        runs = hub.start(waits, instance_id=prefix + "-runs")
        hub.finished(done), hub.finished(failed), hub.client.wait_for_orchestration_start(runs)
        assert by(OrchestrationStatus.COMPLETED) == {done}
        assert by(OrchestrationStatus.FAILED) == {failed}
        assert by(OrchestrationStatus.RUNNING) == {runs}
        assert by(OrchestrationStatus.COMPLETED, OrchestrationStatus.FAILED) == {done, failed}
        assert by(OrchestrationStatus.SUSPENDED) == set()
        assert by() == {done, failed, runs}


def test_a_pending_instance_is_found_before_any_worker_has_seen_it(hub):
    prefix = hub.id("pending")
    instance = hub.start(echo, instance_id=prefix)
    query = OrchestrationQuery(instance_id_prefix=prefix, runtime_status=[OrchestrationStatus.PENDING])
    assert ids(hub.client.get_all_orchestration_states(query)) == {instance}


def test_instances_are_found_by_the_time_they_were_created(hub):
    prefix = hub.id("time")
    with hub.worker([echo]):
        old = hub.start(echo, instance_id=prefix + "-old")
        hub.completed(old)
        between = marker(hub)
        new = hub.start(echo, instance_id=prefix + "-new")
        hub.completed(new)
    assert ids(hub.client.get_all_orchestration_states(OrchestrationQuery(instance_id_prefix=prefix, created_time_to=between))) == {old}
    assert ids(hub.client.get_all_orchestration_states(OrchestrationQuery(instance_id_prefix=prefix, created_time_from=between))) == {new}


def test_a_list_comes_in_pages(hub):
    prefix = hub.id("pages")
    with hub.worker([echo]):
        ours = several(hub, prefix, echo, 10)
    found = hub.client.get_all_orchestration_states(OrchestrationQuery(instance_id_prefix=prefix, max_instance_count=3))
    assert sorted(state.instance_id for state in found) == ours, "each once, over four pages"


def test_a_list_has_payloads_if_asked_for(hub):
    prefix = hub.id("payloads")
    with hub.worker([echo, fails]):
        several(hub, prefix, echo, 1, input="payload")
    bare = hub.client.get_all_orchestration_states(OrchestrationQuery(instance_id_prefix=prefix))[0]
    full = hub.client.get_all_orchestration_states(OrchestrationQuery(instance_id_prefix=prefix, fetch_inputs_and_outputs=True))[0]
    assert (bare.name, bare.get_input(), bare.get_output()) == ("echo", None, None)
    assert (full.name, full.get_input(), full.get_output()) == ("echo", "payload", "payload")


def test_a_list_tells_why_instances_failed(hub):
    prefix = hub.id("why")
    with hub.worker([fails]):
        several(hub, prefix, fails, 1)
    found = hub.client.get_all_orchestration_states(OrchestrationQuery(instance_id_prefix=prefix, fetch_inputs_and_outputs=True))
    assert found[0].failure_details.message == "on purpose"


def test_ids_of_ended_instances_are_listed_in_pages(hub):
    with hub.worker([echo, waits]):
        begin = marker(hub)
        ours = several(hub, hub.id("listed"), echo, 7)
        runs = hub.start(waits)
        hub.client.wait_for_orchestration_start(runs)
        listed, token = [], None
        while True:
            page = hub.client.list_instance_ids([OrchestrationStatus.COMPLETED], completed_time_from=begin, page_size=3, continuation_token=token)
            assert len(page.items) <= 3
            listed += page.items
            token = page.continuation_token
            if token is None:
                break
        assert sorted(instance for instance in listed if instance in ours) == ours, "each once, over several pages"
        assert runs not in listed


def test_an_ended_instance_is_purged(hub):
    with hub.worker([echo]):
        instance = hub.start(echo, 1)
        hub.completed(instance)
    purged = hub.client.purge_orchestration(instance)
    assert purged.deleted_instance_count == 1
    assert hub.client.get_orchestration_state(instance) is None
    assert hub.client.purge_orchestration(instance).deleted_instance_count == 0


def test_a_purged_id_is_free_again(hub):
    with hub.worker([echo]):
        instance = hub.start(echo, "first")
        hub.completed(instance)
        hub.client.purge_orchestration(instance)
        hub.start(echo, "second", instance_id=instance)
        assert hub.completed(instance) == "second"


def test_a_running_instance_is_not_purged(hub):
    with hub.worker([waits]):
        instance = hub.start(waits)
        hub.client.wait_for_orchestration_start(instance)
        assert hub.client.purge_orchestration(instance).deleted_instance_count == 0
        hub.client.raise_orchestration_event(instance, "end", data="alive")
        assert hub.completed(instance) == "alive"


def test_a_purge_of_nobody_counts_nothing(hub):
    assert hub.client.purge_orchestration(hub.id("nobody")).deleted_instance_count == 0


def test_ended_instances_are_purged_by_time_and_status(hub):
    with hub.worker([echo, fails, waits]):
        begin = marker(hub)
        done = several(hub, hub.id("done"), echo, 3)
        failed = several(hub, hub.id("failed"), fails, 1)[0]
        runs = hub.start(waits)
        hub.client.wait_for_orchestration_start(runs)
        purged = hub.client.purge_orchestrations_by(created_time_from=begin, runtime_status=[OrchestrationStatus.COMPLETED])
        assert purged.deleted_instance_count >= 3, "the markers ended in that time too"
        assert [hub.status(instance) for instance in done] == [None] * 3
        assert hub.status(failed) is OrchestrationStatus.FAILED
        assert hub.status(runs) is OrchestrationStatus.RUNNING


def parent_of(hub):
    def parent(ctx, child):
        return (yield ctx.call_sub_orchestrator(echo, input="child", instance_id=child))

    return parent, hub.id("child")


@pytest.mark.beyond_in_memory("does not purge children")
def test_a_purge_takes_the_children_along(hub):
    parent, child = parent_of(hub)
    with hub.worker([parent, echo]):
        instance = hub.start(parent, child)
        hub.completed(instance)
    assert hub.client.purge_orchestration(instance, recursive=True).deleted_instance_count == 2
    assert hub.status(instance) is None and hub.status(child) is None


def test_a_purge_of_the_parent_alone_leaves_the_children(hub):
    parent, child = parent_of(hub)
    with hub.worker([parent, echo]):
        instance = hub.start(parent, child)
        hub.completed(instance)
    assert hub.client.purge_orchestration(instance, recursive=False).deleted_instance_count == 1
    assert hub.status(child) is OrchestrationStatus.COMPLETED


# --- history

KINDS = (history.ExecutionStartedEvent, history.TaskScheduledEvent, history.TaskCompletedEvent, history.ExecutionCompletedEvent)


def test_a_history_tells_what_happened_in_order(hub):
    def one_step(ctx, value):
        return (yield ctx.call_activity(echo, input=value))

    with hub.worker([one_step], [echo]):
        instance = hub.start(one_step, "x", tags={"team": "blue"})
        hub.completed(instance)
    events = [event for event in hub.client.get_orchestration_history(instance) if isinstance(event, KINDS)]
    assert [type(event) for event in events] == list(KINDS)
    started, scheduled, completed, ended = events
    assert (started.name, started.input, started.tags) == ("one_step", '"x"', {"team": "blue"})
    assert (scheduled.name, scheduled.input) == ("echo", '"x"')
    assert (completed.task_scheduled_id, completed.result) == (scheduled.event_id, '"x"')
    assert (ended.orchestration_status, ended.result) == (OrchestrationStatus.COMPLETED.value, '"x"')


def test_a_long_history_comes_whole(hub):
    def many_events(ctx, count):
        for _ in range(count):
            yield ctx.wait_for_external_event("tick")
        return count

    with hub.worker([many_events]):
        instance = hub.start(many_events, 250)
        for n in range(250):
            hub.client.raise_orchestration_event(instance, "tick", data=n)
        assert hub.completed(instance) == 250
    events = hub.client.get_orchestration_history(instance)
    assert [event.input for event in events if isinstance(event, history.EventRaisedEvent)] == [str(n) for n in range(250)]


def test_a_history_of_nobody_is_refused(hub):
    assert refused(lambda: hub.client.get_orchestration_history(hub.id("nobody"))) is grpc.StatusCode.NOT_FOUND
