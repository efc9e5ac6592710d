"""What a scenario works with: clients and workers of the unchanged SDK, all at one address."""
import time
import uuid
from contextlib import contextmanager

import grpc
from durabletask.client import OrchestrationStatus, TaskHubGrpcClient
from durabletask.worker import ConcurrencyOptions, TaskHubGrpcWorker

# How long a scenario waits for what it expects, in seconds; a pass takes milliseconds.
PATIENCE = 60
FINISHED = {OrchestrationStatus.COMPLETED, OrchestrationStatus.FAILED, OrchestrationStatus.TERMINATED}


class Hub:
    """A task hub that other scenarios use too: every scenario names its instances with `id` and judges only them."""

    def __init__(self, address):
        self.address = address
        self.client = TaskHubGrpcClient(host_address=address)
        self._started = []

    def id(self, what):
        return f"py-{what}-{uuid.uuid4().hex}"

    def start(self, orchestrator, input=None, **options):
        """Starts an instance and answers its id."""
        instance = self.client.schedule_new_orchestration(orchestrator, input=input, **options)
        self._started.append(instance)
        return instance

    def finished(self, instance):
        """Waits for the end of an instance and answers its state, payloads included."""
        state = self.client.wait_for_orchestration_completion(instance, timeout=PATIENCE)
        assert state is not None, f"{instance} is not there"
        return state

    def completed(self, instance):
        """Waits for an instance to complete and answers its output."""
        state = self.finished(instance)
        assert state.runtime_status is OrchestrationStatus.COMPLETED, (state.runtime_status, state.failure_details)
        return state.get_output()

    def run(self, orchestrator, input=None, **options):
        """Starts an instance and answers its output."""
        return self.completed(self.start(orchestrator, input, **options))

    def status(self, instance):
        state = self.client.get_orchestration_state(instance)
        return None if state is None else state.runtime_status

    def custom_status(self, instance):
        return self.client.get_orchestration_state(instance).get_custom_status()

    @contextmanager
    def worker(self, orchestrators=(), activities=(), *, filters=None, versioning=None, concurrency=None, **options):
        """A running worker. It takes whatever the hub has to do unless it is given filters (True: what it has registered)."""
        worker = TaskHubGrpcWorker(host_address=self.address, concurrency_options=concurrency or ConcurrencyOptions(), **options)
        for orchestrator in orchestrators:
            worker.add_orchestrator(orchestrator)
        for activity in activities:
            worker.add_activity(activity)
        if versioning is not None:
            worker.use_versioning(versioning)
        if filters is True:
            worker.use_work_item_filters()
        elif filters is not None:
            worker.use_work_item_filters(filters)
        worker.start()
        try:
            yield worker
        finally:
            worker.stop()

    def close(self):
        """Leaves nothing behind that a later scenario's worker would be given for ever."""
        try:
            for instance in self._started:
                if self.status(instance) not in FINISHED | {None}:
                    self.client.terminate_orchestration(instance)
        except grpc.RpcError as error:
            # The scenario has been judged by now; a server that died meanwhile shows in those that follow.
            print(f"could not clean up: {error}")
        finally:
            self.client.close()


def eventually(condition, what):
    """Waits until a condition holds and answers what it was."""
    end = time.monotonic() + PATIENCE
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"not within {PATIENCE} s: {what}"
        time.sleep(0.02)


def refused(call):
    """The gRPC status that a call is refused with."""
    try:
        call()
    except grpc.RpcError as error:
        return error.code()
    raise AssertionError("the call was not refused")
