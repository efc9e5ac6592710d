"""Order fulfilment with the DurableTask SDK for Python, unchanged, on Sluice.

Reserves the stock of each line in parallel, charges the card with retries, waits for an approval of large orders at most
a second, and ships. What was reserved is released when the order fails.
"""
import os
from datetime import timedelta

from durabletask import client, task, worker

ADDRESS = os.environ.get("SLUICE_DURABLETASK_ADDRESS", "localhost:4001")
LARGE = 1000
attempts = {}


def reserve(ctx: task.ActivityContext, line: dict) -> str:
    return f"{line['quantity']} {line['item']}"


def release(ctx: task.ActivityContext, reservation: str) -> None:
    print(f"  released {reservation}")


def charge(ctx: task.ActivityContext, order: dict) -> str:
    """Fails the first time, as card services do."""
    attempts[order["id"]] = attempts.get(order["id"], 0) + 1
    if attempts[order["id"]] == 1:
        raise RuntimeError("the card service does not answer")
    if order["card"] == "stolen":
        raise ValueError("the card is refused")
    return f"{order['total']} charged"


def ship(ctx: task.ActivityContext, order: dict) -> str:
    return f"order {order['id']} shipped"


def fulfil(ctx: task.OrchestrationContext, order: dict):
    ctx.set_custom_status("reserving")
    reservations = yield task.when_all([ctx.call_activity(reserve, input=line) for line in order["lines"]])
    if order["total"] >= LARGE:
        ctx.set_custom_status("waiting for approval")
        approval = ctx.wait_for_external_event("approval")
        late = ctx.create_timer(timedelta(seconds=1))
        if (yield task.when_any([approval, late])) is late:
            yield task.when_all([ctx.call_activity(release, input=r) for r in reservations])
            return "not approved"
    ctx.set_custom_status("charging")
    retry = task.RetryPolicy(first_retry_interval=timedelta(milliseconds=100), max_number_of_attempts=3)
    try:
        yield ctx.call_activity(charge, input=order, retry_policy=retry)
    except task.TaskFailedError:
        yield task.when_all([ctx.call_activity(release, input=r) for r in reservations])
        return "payment refused"
    return (yield ctx.call_activity(ship, input=order))


def order(number: int, total: int, card: str = "good") -> dict:
    lines = [{"item": "book", "quantity": 2}, {"item": "lamp", "quantity": 1}]
    return {"id": number, "total": total, "card": card, "lines": lines}


def main() -> None:
    with worker.TaskHubGrpcWorker(host_address=ADDRESS) as hub_worker:
        hub_worker.add_orchestrator(fulfil)
        for activity in (reserve, release, charge, ship):
            hub_worker.add_activity(activity)
        # Other applications on the task hub keep their work.
        hub_worker.use_work_item_filters()
        hub_worker.start()
        hub = client.TaskHubGrpcClient(host_address=ADDRESS)
        small = hub.schedule_new_orchestration(fulfil, input=order(1, 40))
        approved = hub.schedule_new_orchestration(fulfil, input=order(2, 4000))
        hub.raise_orchestration_event(approved, "approval")
        late = hub.schedule_new_orchestration(fulfil, input=order(3, 4000))
        refused = hub.schedule_new_orchestration(fulfil, input=order(4, 40, card="stolen"))
        expected = {
            small: '"order 1 shipped"',
            approved: '"order 2 shipped"',
            late: '"not approved"',
            refused: '"payment refused"',
        }
        for instance, outcome in expected.items():
            state = hub.wait_for_orchestration_completion(instance, timeout=60)
            print(f"{instance}  {state.runtime_status.name}  {state.serialized_output}")
            if state.serialized_output != outcome:
                raise SystemExit(f"expected {outcome}")


if __name__ == "__main__":
    main()
