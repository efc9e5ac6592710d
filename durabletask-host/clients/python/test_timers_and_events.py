"""Timers, external events, and what people build of both."""
import time
from datetime import datetime, timedelta

import grpc
from durabletask import task

from hub import refused


def test_a_timer_delays_the_orchestration(hub):
    def sleeps(ctx, _):
        before = ctx.current_utc_datetime
        yield ctx.create_timer(timedelta(seconds=1))
        return (ctx.current_utc_datetime - before).total_seconds()

    with hub.worker([sleeps]):
        assert hub.run(sleeps) >= 1, "the clock that the orchestrator sees has passed the timer's time"


def test_a_timer_of_the_past_fires_at_once(hub):
    def late(ctx, _):
        yield ctx.create_timer(datetime(2020, 1, 1))
        yield ctx.create_timer(timedelta(0))
        return "done"

    with hub.worker([late]):
        assert hub.run(late) == "done"


def test_timers_run_side_by_side(hub):
    def many(ctx, _):
        yield task.when_all([ctx.create_timer(timedelta(seconds=1)) for _ in range(30)])
        return "done"

    with hub.worker([many]):
        start = time.monotonic()
        assert hub.run(many) == "done"
        assert time.monotonic() - start < 15, "thirty timers of a second took as long as one after the other"


def test_timers_fire_in_the_order_of_their_times(hub):
    def ordered(ctx, delays):
        timers = {ctx.create_timer(timedelta(milliseconds=d)): d for d in delays}
        fired = []
        while timers:
            first = yield task.when_any(list(timers))
            fired.append(timers.pop(first))
        return fired

    with hub.worker([ordered]):
        assert hub.run(ordered, [900, 100, 500]) == [100, 500, 900]


def test_a_long_timer_is_made_of_short_ones(hub):
    def sleeps(ctx, _):
        yield ctx.create_timer(timedelta(milliseconds=900))
        return "woke"

    with hub.worker([sleeps], maximum_timer_interval=timedelta(milliseconds=300)):
        assert hub.run(sleeps) == "woke"


def test_an_event_wakes_an_orchestration_that_waits(hub):
    def waits(ctx, _):
        ctx.set_custom_status("waiting")
        return (yield ctx.wait_for_external_event("order"))

    with hub.worker([waits]):
        instance = hub.start(waits)
        hub.client.wait_for_orchestration_start(instance)
        hub.client.raise_orchestration_event(instance, "order", data={"item": 7})
        assert hub.completed(instance) == {"item": 7}


def test_an_event_that_comes_early_is_kept(hub):
    def comes_late(ctx, _):
        yield ctx.create_timer(timedelta(milliseconds=500))
        return (yield ctx.wait_for_external_event("early"))

    with hub.worker([comes_late]):
        instance = hub.start(comes_late)
        hub.client.raise_orchestration_event(instance, "early", data="bird")
        assert hub.completed(instance) == "bird"


def test_an_event_may_come_before_any_worker_is_there(hub):
    def first_turn(ctx, _):
        return (yield ctx.wait_for_external_event("go"))

    instance = hub.start(first_turn)
    hub.client.raise_orchestration_event(instance, "go", data=1)
    with hub.worker([first_turn]):
        assert hub.completed(instance) == 1


def test_events_of_one_name_keep_their_order(hub):
    def collects(ctx, count):
        values = []
        for _ in range(count):
            values.append((yield ctx.wait_for_external_event("tick")))
        return values

    with hub.worker([collects]):
        instance = hub.start(collects, 25)
        for n in range(25):
            hub.client.raise_orchestration_event(instance, "tick", data=n)
        assert hub.completed(instance) == list(range(25))


def test_events_of_several_names_may_come_in_any_order(hub):
    def all_three(ctx, names):
        return (yield task.when_all([ctx.wait_for_external_event(name) for name in names]))

    with hub.worker([all_three]):
        instance = hub.start(all_three, ["a", "b", "c"])
        for name in ["c", "a", "b"]:
            hub.client.raise_orchestration_event(instance, name, data=name.upper())
        assert hub.completed(instance) == ["A", "B", "C"]


def test_an_event_without_data_wakes_as_well(hub):
    def waits(ctx, _):
        value = yield ctx.wait_for_external_event("ping")
        return value is None

    with hub.worker([waits]):
        instance = hub.start(waits)
        hub.client.raise_orchestration_event(instance, "ping")
        assert hub.completed(instance) is True


def approval(ctx, seconds):
    event = ctx.wait_for_external_event("approval")
    deadline = ctx.create_timer(timedelta(seconds=seconds))
    winner = yield task.when_any([event, deadline])
    return f"approved by {event.get_result()}" if winner is event else "escalated"


def test_a_request_is_approved_in_time(hub):
    with hub.worker([approval]):
        instance = hub.start(approval, 60)
        hub.client.raise_orchestration_event(instance, "approval", data="ann")
        assert hub.completed(instance) == "approved by ann"


def test_a_request_that_nobody_approves_is_escalated(hub):
    with hub.worker([approval]):
        assert hub.run(approval, 1) == "escalated"


def test_an_event_for_nobody_is_refused(hub):
    code = refused(lambda: hub.client.raise_orchestration_event(hub.id("nobody"), "order"))
    assert code is grpc.StatusCode.NOT_FOUND


def test_an_event_for_an_orchestration_that_has_ended_is_ignored(hub):
    def ends(ctx, _):
        return "ended"

    with hub.worker([ends]):
        instance = hub.start(ends)
        assert hub.completed(instance) == "ended"
        hub.client.raise_orchestration_event(instance, "too-late", data=1)
        assert hub.completed(instance) == "ended"


def test_an_orchestration_sends_an_event_to_another(hub):
    def receiver(ctx, _):
        return (yield ctx.wait_for_external_event("greeting"))

    def sender(ctx, target):
        ctx.send_event(target, "greeting", data="from " + ctx.instance_id)
        yield ctx.create_timer(timedelta(0))
        return "sent"

    with hub.worker([receiver, sender]):
        target = hub.start(receiver)
        source = hub.start(sender, target)
        assert hub.completed(source) == "sent"
        assert hub.completed(target) == "from " + source


def test_an_event_that_an_orchestration_sends_to_nobody_is_dropped(hub):
    def sender(ctx, target):
        ctx.send_event(target, "greeting", data="hello")
        yield ctx.create_timer(timedelta(0))
        return "sent"

    nobody = hub.id("nobody")
    with hub.worker([sender]):
        assert hub.run(sender, nobody) == "sent"
    assert hub.client.get_orchestration_state(nobody) is None
