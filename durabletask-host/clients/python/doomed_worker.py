"""A worker that begins an activity, says so, and never ends it: for the scenario that kills it. Argument: the address."""
import sys
import threading

from durabletask.worker import TaskHubGrpcWorker


def survives(ctx, _):
    return (yield ctx.call_activity(endless))


def endless(ctx, _):
    print("activity begun", flush=True)
    threading.Event().wait()


worker = TaskHubGrpcWorker(host_address=sys.argv[1])
worker.add_orchestrator(survives)
worker.add_activity(endless)
worker.start()
threading.Event().wait()
