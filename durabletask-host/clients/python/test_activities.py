"""Orchestrations of activities: chains, fan-out, retries, failures, payloads."""
from datetime import timedelta

from durabletask import task
from durabletask.client import OrchestrationStatus


def echo(ctx, value):
    return value


def square(ctx, number):
    return number * number


def retrying(attempts, **more):
    return task.RetryPolicy(first_retry_interval=timedelta(milliseconds=50), max_number_of_attempts=attempts, **more)


def test_a_chain_hands_each_result_to_the_next_activity(hub):
    def upper(ctx, text):
        return text.upper()

    def exclaim(ctx, text):
        return text + "!"

    def chain(ctx, name):
        greeting = yield ctx.call_activity(echo, input=f"hello {name}")
        loud = yield ctx.call_activity(upper, input=greeting)
        return (yield ctx.call_activity(exclaim, input=loud))

    with hub.worker([chain], [echo, upper, exclaim]):
        assert hub.run(chain, "tokyo") == "HELLO TOKYO!"


def test_a_chain_of_a_hundred_activities_replays_its_whole_history(hub):
    def increment(ctx, number):
        return number + 1

    def long_chain(ctx, _):
        number = 0
        for _ in range(100):
            number = yield ctx.call_activity(increment, input=number)
        return number

    with hub.worker([long_chain], [increment]):
        assert hub.run(long_chain) == 100


def test_fan_out_collects_results_in_the_order_of_the_calls(hub):
    def fan_out(ctx, count):
        return (yield task.when_all([ctx.call_activity(square, input=n) for n in range(count)]))

    with hub.worker([fan_out], [square]):
        assert hub.run(fan_out, 20) == [n * n for n in range(20)]


def test_a_thousand_activities_start_in_one_turn(hub):
    def crowd(ctx, count):
        squares = yield task.when_all([ctx.call_activity(square, input=n) for n in range(count)])
        return sum(squares)

    with hub.worker([crowd], [square]):
        assert hub.run(crowd, 1000) == sum(n * n for n in range(1000))


def test_the_first_of_several_tasks_wins(hub):
    def race(ctx, _):
        fast = ctx.call_activity(echo, input="fast")
        slow = ctx.create_timer(timedelta(seconds=30))
        winner = yield task.when_any([slow, fast])
        return (yield winner) if winner is fast else "timer"

    with hub.worker([race], [echo]):
        assert hub.run(race) == "fast", "an orchestration ends although a timer of its own is still to fire"


def test_an_activity_is_retried_until_it_succeeds(hub):
    calls = []

    def flaky(ctx, needed):
        calls.append(ctx.task_id)
        if len(calls) < needed:
            raise RuntimeError(f"attempt {len(calls)}")
        return len(calls)

    def retries(ctx, needed):
        return (yield ctx.call_activity(flaky, input=needed, retry_policy=retrying(5)))

    with hub.worker([retries], [flaky]):
        assert hub.run(retries, 3) == 3


def test_an_activity_that_never_succeeds_is_tried_as_often_as_its_policy_says(hub):
    calls = []

    def broken(ctx, _):
        calls.append(1)
        raise RuntimeError("no luck")

    def gives_up(ctx, _):
        yield ctx.call_activity(broken, retry_policy=retrying(4, backoff_coefficient=2))

    with hub.worker([gives_up], [broken]):
        state = hub.finished(hub.start(gives_up))

    assert state.runtime_status is OrchestrationStatus.FAILED
    assert "no luck" in state.failure_details.message
    assert len(calls) == 4


def test_an_orchestrator_compensates_for_an_activity_that_failed(hub):
    undone = []

    def book(ctx, what):
        if what == "hotel":
            raise ValueError("no room")
        return what

    def cancel(ctx, what):
        undone.append(what)

    def trip(ctx, parts):
        booked = []
        try:
            for part in parts:
                booked.append((yield ctx.call_activity(book, input=part)))
        except task.TaskFailedError as error:
            for part in reversed(booked):
                yield ctx.call_activity(cancel, input=part)
            return f"cancelled: {error.details.message}"

    with hub.worker([trip], [book, cancel]):
        assert hub.run(trip, ["flight", "car", "hotel"]) == "cancelled: no room"
        assert undone == ["car", "flight"]


def test_a_failed_activity_names_its_error_with_the_errors_that_caused_it(hub):
    def parse(ctx, text):
        try:
            return {}[text]
        except KeyError as cause:
            raise ValueError("not a known currency") from cause

    def converts(ctx, text):
        yield ctx.call_activity(parse, input=text)

    with hub.worker([converts], [parse]):
        state = hub.finished(hub.start(converts, "XXX"))

    activity = state.failure_details.inner_failure
    assert state.runtime_status is OrchestrationStatus.FAILED
    assert activity.is_caused_by(ValueError) and activity.message == "not a known currency"
    assert "parse" in activity.stack_trace
    assert activity.inner_failure.is_caused_by(KeyError)


def test_an_orchestrator_that_throws_fails_with_its_error(hub):
    def throws(ctx, _):
        raise ArithmeticError("the books don't balance")

    with hub.worker([throws]):
        state = hub.finished(hub.start(throws))

    assert state.runtime_status is OrchestrationStatus.FAILED
    assert state.failure_details.is_caused_by(ArithmeticError)
    assert state.failure_details.message == "the books don't balance"


def test_all_of_a_fan_out_end_before_one_failure_is_seen(hub):
    done = []

    def odd_only(ctx, number):
        if number % 2 == 0:
            raise ValueError(f"{number} is even")
        done.append(number)

    def mixed(ctx, _):
        try:
            yield task.when_all([ctx.call_activity(odd_only, input=n) for n in range(6)])
        except task.TaskFailedError as error:
            return "is even" in error.details.message

    with hub.worker([mixed], [odd_only]):
        assert hub.run(mixed) is True
        assert sorted(done) == [1, 3, 5]


def test_an_activity_that_nobody_registered_fails_the_orchestration(hub):
    def calls_nobody(ctx, _):
        yield ctx.call_activity("nobody")

    with hub.worker([calls_nobody]):
        state = hub.finished(hub.start(calls_nobody))

    assert state.runtime_status is OrchestrationStatus.FAILED
    assert "nobody" in state.failure_details.message


def test_an_orchestrator_that_nobody_registered_fails(hub):
    with hub.worker():
        state = hub.finished(hub.start("nobody_wrote_this"))

    assert state.runtime_status is OrchestrationStatus.FAILED
    assert "nobody_wrote_this" in state.failure_details.message


def test_a_megabyte_passes_through_input_activity_and_output(hub):
    def carries(ctx, payload):
        return (yield ctx.call_activity(echo, input=payload))

    payload = "0123456789abcdef" * (1 << 16)
    with hub.worker([carries], [echo]):
        assert hub.run(carries, payload) == payload


def test_values_keep_their_shape_on_the_way(hub):
    def round_trip(ctx, values):
        echoed = []
        for value in values:
            echoed.append((yield ctx.call_activity(echo, input=value)))
        return echoed

    values = ["", "ünïcödé \u2603 \U0001f600", "a\"b\\c\n\u0000", 0, -1.5, False, [], {}, {"nested": [1, {"deep": None}]}, 2**53]
    with hub.worker([round_trip], [echo]):
        assert hub.run(round_trip, values) == values


def test_no_input_and_no_output_stay_absent(hub):
    seen = []

    def silent(ctx, value):
        seen.append(value)

    def nothing(ctx, value):
        seen.append(value)
        result = yield ctx.call_activity(silent)
        return result

    with hub.worker([nothing], [silent]):
        state = hub.finished(hub.start(nothing))

    assert state.runtime_status is OrchestrationStatus.COMPLETED
    assert state.serialized_input is None
    assert state.serialized_output is None
    assert set(seen) == {None}


def test_many_instances_run_side_by_side(hub):
    def doubles(ctx, number):
        return (yield ctx.call_activity(square, input=number))

    with hub.worker([doubles], [square]):
        instances = {n: hub.start(doubles, n) for n in range(50)}
        assert {n: hub.completed(instance) for n, instance in instances.items()} == {n: n * n for n in range(50)}


def test_ids_and_times_that_an_orchestrator_makes_are_the_same_in_replay(hub):
    seen = []

    def deterministic(ctx, _):
        seen.append((ctx.new_uuid(), ctx.current_utc_datetime))
        yield ctx.call_activity(echo)
        yield ctx.call_activity(echo)
        return True

    with hub.worker([deterministic], [echo]):
        assert hub.run(deterministic)
        assert len(seen) == 3, "the orchestrator starts over in each of its three turns"
        assert len(set(seen)) == 1
