"""What is measured, on the unchanged Python SDK.

    python workload.py work ADDRESS                            a worker, until it is ended
    python workload.py measure ADDRESS[,ADDRESS...] COUNTS     for each count of orchestrations at once a line of JSON; clients use the addresses in turn
"""
import json
import logging
import statistics
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from durabletask import task
from durabletask.client import OrchestrationStatus, TaskHubGrpcClient
from durabletask.worker import TaskHubGrpcWorker

WIDTH = 20
WARM_UP_COUNT = 100
WARM_UP_SECONDS = 90
ALONE = 60
STARTERS = 16
PATIENCE = 600


def echo(_, text):
    return text


def sequence(context, _):
    done = []
    for i in range(3):
        done.append((yield context.call_activity(echo, input=f"hello {i}")))
    return done


def fan_out(context, _):
    return (yield task.when_all([context.call_activity(echo, input=i) for i in range(WIDTH)]))


EXPECTED = {sequence: ["hello 0", "hello 1", "hello 2"], fan_out: list(range(WIDTH))}


def work(address):
    worker = TaskHubGrpcWorker(host_address=address)
    worker.add_orchestrator(sequence)
    worker.add_orchestrator(fan_out)
    worker.add_activity(echo)
    worker.start()
    print("works", flush=True)
    threading.Event().wait()


class Clients:
    def __init__(self, addresses):
        self.all = [TaskHubGrpcClient(host_address=address) for address in addresses]

    def run(self, number, orchestrator):
        """Starts an orchestration and waits for its end; answers how long both took."""
        client = self.all[number % len(self.all)]
        begun = time.monotonic()
        instance = client.schedule_new_orchestration(orchestrator, instance_id=uuid.uuid4().hex)
        self.ended(client, instance, orchestrator)
        return time.monotonic() - begun

    @staticmethod
    def ended(client, instance, orchestrator):
        state = client.wait_for_orchestration_completion(instance, timeout=PATIENCE)
        if state is None or state.runtime_status is not OrchestrationStatus.COMPLETED or json.loads(state.serialized_output) != EXPECTED[orchestrator]:
            raise SystemExit(f"{instance} ended wrongly: {state}")

    def at_once(self, count, orchestrator):
        """Starts so many as fast as they are taken; answers how many were done a second, from the first start to the last end."""
        with ThreadPoolExecutor(STARTERS) as starters:
            begun = time.monotonic()
            started = list(starters.map(
                lambda number: self.all[number % len(self.all)].schedule_new_orchestration(orchestrator, instance_id=uuid.uuid4().hex), range(count)))
            # One after the other: a server whose threads its waiting clients hold would measure that instead.
            for number, instance in enumerate(started):
                self.ended(self.all[number % len(self.all)], instance, orchestrator)
            return count / (time.monotonic() - begun)


def measure(addresses, counts):
    clients = Clients(addresses)
    warm = time.monotonic() + WARM_UP_SECONDS
    while time.monotonic() < warm:
        clients.at_once(WARM_UP_COUNT, sequence)
        clients.at_once(WARM_UP_COUNT // 4, fan_out)
    for count in counts:
        figures = {}
        for orchestrator in (sequence, fan_out):
            alone = sorted(clients.run(number, orchestrator) * 1_000 for number in range(ALONE))
            figures[orchestrator.__name__] = {
                "per_second": round(clients.at_once(count, orchestrator), 1),
                "p50_ms": round(statistics.median(alone)),
                "p99_ms": round(alone[int(len(alone) * 0.99)]),
            }
        print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    if sys.argv[1] == "work":
        work(sys.argv[2])
    else:
        measure(sys.argv[2].split(","), [int(count) for count in sys.argv[3].split(",")])
