"""Several workers at one hub: filters, versions, workers that stop, die or were changed."""
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from durabletask import task
from durabletask.client import OrchestrationStatus, TaskHubGrpcClient
from durabletask.worker import (
    ActivityWorkItemFilter,
    ConcurrencyOptions,
    OrchestrationWorkItemFilter,
    VersionFailureStrategy,
    VersioningOptions,
    VersionMatchStrategy,
    WorkItemFilters,
)

from hub import PATIENCE, eventually


def waits(ctx, _):
    return (yield ctx.wait_for_external_event("end"))


def echo(ctx, value):
    return value


# --- filters

def test_two_workers_take_only_what_each_has_registered(hub):
    def charges(ctx, amount):
        return (yield ctx.call_activity(charge, input=amount))

    def ships(ctx, item):
        return (yield ctx.call_activity(ship, input=item))

    def charge(ctx, amount):
        return f"charged {amount}"

    def ship(ctx, item):
        return f"shipped {item}"

    with hub.worker([charges], [charge], filters=True), hub.worker([ships], [ship], filters=True):
        payments = [hub.start(charges, n) for n in range(10)]
        parcels = [hub.start(ships, n) for n in range(10)]
        assert [hub.completed(instance) for instance in payments] == [f"charged {n}" for n in range(10)]
        assert [hub.completed(instance) for instance in parcels] == [f"shipped {n}" for n in range(10)]


def test_an_orchestration_of_one_worker_calls_an_activity_of_another(hub):
    def plans(ctx, value):
        return (yield ctx.call_activity("toils", input=value))

    def toils(ctx, value):
        return value * 2

    with hub.worker([plans], filters=True), hub.worker([], [toils], filters=True):
        assert hub.run(plans, 21) == 42


def test_work_that_no_filter_matches_waits_for_a_worker_that_takes_it(hub):
    def wanted(ctx, value):
        return value

    with hub.worker([waits], filters=True):
        instance = hub.start(wanted, 1)
        with pytest.raises(TimeoutError):
            hub.client.wait_for_orchestration_completion(instance, timeout=1)
        assert hub.status(instance) is OrchestrationStatus.PENDING
        with hub.worker([wanted], filters=True):
            assert hub.completed(instance) == 1


def test_filters_choose_by_version(hub):
    def builds(version):
        def versioned(ctx, _):
            return f"built by {version}"

        filters = WorkItemFilters(orchestrations=[OrchestrationWorkItemFilter("versioned", [version])])
        return hub.worker([versioned], filters=filters)

    with builds("1.0"), builds("2.0"):
        instances = {version: [hub.start("versioned", version=version) for _ in range(5)] for version in ("1.0", "2.0")}
        for version, started in instances.items():
            assert {hub.completed(instance) for instance in started} == {f"built by {version}"}


def test_a_filter_without_versions_takes_all_of_them(hub):
    def any_version(ctx, _):
        return ctx.version

    filters = WorkItemFilters(orchestrations=[OrchestrationWorkItemFilter("any_version")], activities=[ActivityWorkItemFilter("none")])
    with hub.worker([any_version], filters=filters):
        assert hub.run(any_version, version="7.1") == "7.1"
        assert hub.run(any_version) is None


# --- versions

def strict(version, failure):
    return VersioningOptions(version=version, default_version=version, match_strategy=VersionMatchStrategy.STRICT, failure_strategy=failure)


def test_an_orchestrator_knows_the_version_it_was_started_with(hub):
    def knows(ctx, _):
        yield ctx.call_activity(echo)
        return ctx.version

    with hub.worker([knows], [echo]):
        assert hub.run(knows, version="1.2.3") == "1.2.3"


def test_a_client_gives_its_default_version_to_what_it_starts(hub):
    def knows(ctx, _):
        return ctx.version

    with hub.worker([knows]), TaskHubGrpcClient(host_address=hub.address, default_version="4.5") as client:
        assert hub.completed(client.schedule_new_orchestration(knows)) == "4.5"


def test_a_child_gets_the_default_version_of_its_parents_worker(hub):
    def knows(ctx, _):
        return ctx.version

    def parent(ctx, _):
        inherited = yield ctx.call_sub_orchestrator("knows")
        given = yield ctx.call_sub_orchestrator("knows", version="9.0")
        return [inherited, given]

    versions = VersioningOptions(version="3.0", default_version="3.0", match_strategy=VersionMatchStrategy.NONE)
    with hub.worker([parent, knows], versioning=versions):
        assert hub.run(parent) == ["3.0", "9.0"]


def test_a_version_goes_on_through_continue_as_new_and_may_change_there(hub):
    def evolves(ctx, seen):
        yield ctx.call_activity(echo)
        seen = seen + [ctx.version]
        if len(seen) == 1:
            ctx.continue_as_new(seen)
        elif len(seen) == 2:
            ctx.continue_as_new(seen, new_version="2.0")
        else:
            return seen

    with hub.worker([evolves], [echo]):
        assert hub.run(evolves, [], version="1.0") == ["1.0", "1.0", "2.0"]


def test_a_worker_fails_what_has_another_version_if_it_is_told_to(hub):
    def versioned(ctx, _):
        return "ran"

    with hub.worker([versioned], versioning=strict("2.0", VersionFailureStrategy.FAIL)):
        state = hub.finished(hub.start(versioned, version="1.0"))
        assert state.runtime_status is OrchestrationStatus.FAILED
        assert state.failure_details.error_type == "VersionMismatch"
        assert hub.run(versioned, version="2.0") == "ran"


def test_what_a_worker_of_another_version_rejects_waits_for_the_right_one(hub):
    def versioned(ctx, _):
        return "ran"

    instance = hub.start(versioned, version="1.0")
    with hub.worker([versioned], versioning=strict("2.0", VersionFailureStrategy.REJECT)):
        with pytest.raises(TimeoutError):
            hub.client.wait_for_orchestration_completion(instance, timeout=1)
        with hub.worker([versioned], versioning=strict("1.0", VersionFailureStrategy.REJECT)):
            assert hub.completed(instance) == "ran", "both take work, and only one keeps it"


# --- workers that come and go

def test_another_worker_takes_over_what_a_stopped_one_had_begun(hub):
    def two_steps(ctx, _):
        first = yield ctx.call_activity(echo, input="first")
        ctx.set_custom_status("half way")
        yield ctx.wait_for_external_event("go on")
        second = yield ctx.call_activity(echo, input="second")
        return [first, second]

    with hub.worker([two_steps], [echo]):
        instance = hub.start(two_steps)
        eventually(lambda: hub.custom_status(instance) == "half way", "the first step is done")
    hub.client.raise_orchestration_event(instance, "go on")
    with hub.worker([two_steps], [echo]):
        assert hub.completed(instance) == ["first", "second"]


def test_a_timer_fires_although_no_worker_is_there(hub):
    def sleeps(ctx, _):
        ctx.set_custom_status("asleep")
        yield ctx.create_timer(timedelta(milliseconds=500))
        return "woke"

    with hub.worker([sleeps]):
        instance = hub.start(sleeps)
        eventually(lambda: hub.custom_status(instance) == "asleep", "the timer is set")
    with hub.worker([sleeps]):
        assert hub.completed(instance) == "woke"


def test_an_orchestrator_changed_under_its_history_fails_as_non_deterministic(hub):
    def before():
        def changes(ctx, _):
            yield ctx.call_activity("reserve", input=1)
            ctx.set_custom_status("reserved")
            yield ctx.wait_for_external_event("go on")

        return changes

    def after():
        def changes(ctx, _):
            yield ctx.call_activity("charge", input=1)
            yield ctx.wait_for_external_event("go on")

        return changes

    def reserve(ctx, _):
        return None

    def charge(ctx, _):
        return None

    with hub.worker([before()], [reserve, charge]):
        instance = hub.start("changes")
        eventually(lambda: hub.custom_status(instance) == "reserved", "the first code has run")
    with hub.worker([after()], [reserve, charge]):
        hub.client.raise_orchestration_event(instance, "go on")
        state = hub.finished(instance)
    assert state.runtime_status is OrchestrationStatus.FAILED
    assert "NonDeterminism" in state.failure_details.error_type


def test_two_workers_share_what_there_is_to_do(hub):
    def spread(ctx, count):
        return (yield task.when_all([ctx.call_activity(echo, input=n) for n in range(count)]))

    with hub.worker([spread], [echo]), hub.worker([spread], [echo]):
        instances = [hub.start(spread, 10) for _ in range(10)]
        for instance in instances:
            assert hub.completed(instance) == list(range(10))


@pytest.mark.beyond_in_memory("sends a worker more than it says it takes at a time")
def test_a_worker_that_is_full_leaves_work_to_others(hub):
    together = threading.Barrier(2, timeout=PATIENCE)

    def meets(ctx, _):
        together.wait()
        return "met"

    def pair(ctx, _):
        return (yield task.when_all([ctx.call_activity(meets), ctx.call_activity(meets)]))

    one = ConcurrencyOptions(maximum_concurrent_activity_work_items=1)
    with hub.worker([pair], [meets], concurrency=one), hub.worker([pair], [meets], concurrency=one):
        assert hub.run(pair) == ["met", "met"], "each worker runs one activity at a time, so that the two meet only if each got one"


@pytest.mark.beyond_in_memory("forgets the work that a broken stream had")
def test_an_activity_of_a_worker_that_was_killed_is_run_by_another(hub):
    started = Path(__file__).with_name("doomed_worker.py")
    doomed = subprocess.Popen([sys.executable, str(started), hub.address], stdout=subprocess.PIPE, text=True)
    instance = None
    try:
        instance = hub.start("survives")
        line = doomed.stdout.readline()
        assert line.strip() == "activity begun", line
    finally:
        doomed.kill()
        doomed.wait()

    def survives(ctx, _):
        return (yield ctx.call_activity("endless"))

    def endless(ctx, _):
        return "done by another"

    with hub.worker([survives], [endless]):
        assert hub.completed(instance) == "done by another"
