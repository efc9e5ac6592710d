"""The in-memory backend of the Python SDK as a program: a server known to be right, which scenarios of every SDK are tried against.

    python in_memory.py PORT

It differs from the SDK's class in three things:
- It answers a hundred calls at once. The class has ten threads, and each wait of a client and each worker's stream holds one: ten waits, and no
  worker can complete anything.
- It lets calls wait that have no deadline, as those of the JavaScript SDK: the class fails them with a time that is out of range.
- The Java SDK 1.5.0 speaks the protocol of before completion tokens: its completions have none, and the class drops them as stale. Here an empty token
  stands for the turn that is out, as the protocol had it then.
"""
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import durabletask.internal.orchestrator_service_pb2_grpc as stubs
import grpc
from durabletask.testing.in_memory_backend import InMemoryOrchestrationBackend

ONE_HOUR = 3600


class Backend(InMemoryOrchestrationBackend):

    def start(self):
        self._shutdown_event.clear()
        self._server = grpc.server(ThreadPoolExecutor(max_workers=100))
        stubs.add_TaskHubSidecarServiceServicer_to_server(self, self._server)
        self._server.add_insecure_port(f"localhost:{self._port}")
        self._server.start()
        return f"localhost:{self._port}"

    def _wait_for_state(self, instance_id, predicate, timeout):
        return super()._wait_for_state(instance_id, predicate, timeout and min(timeout, ONE_HOUR))

    def CompleteOrchestratorTask(self, request, context):
        if not request.completionToken:
            with self._lock:
                instance = self._instances.get(request.instanceId)
                if instance is not None:
                    request.completionToken = str(instance.completion_token)
        return super().CompleteOrchestratorTask(request, context)


def started(port):
    backend = Backend(port=port)
    backend.start()
    return backend


if __name__ == "__main__":
    started(int(sys.argv[1]))
    print(f"In-memory backend listens at localhost:{sys.argv[1]}", flush=True)
    threading.Event().wait()
