"""The client for asyncio, which speaks the same protocol through another gRPC implementation."""
import asyncio

import grpc
import pytest
from durabletask.client import AsyncTaskHubGrpcClient, OrchestrationQuery, OrchestrationStatus


def echo(ctx, value):
    return value


def waits(ctx, _):
    return (yield ctx.wait_for_external_event("end"))


def with_client(hub, scenario):
    async def run():
        client = AsyncTaskHubGrpcClient(host_address=hub.address)
        try:
            return await scenario(client)
        finally:
            await client.close()

    return asyncio.run(run())


def test_many_are_started_and_awaited_at_once(hub):
    async def scenario(client):
        instances = await asyncio.gather(*[client.schedule_new_orchestration(echo, input=n) for n in range(20)])
        states = await asyncio.gather(*[client.wait_for_orchestration_completion(i, timeout=60) for i in instances])
        return [state.get_output() for state in states]

    with hub.worker([echo]):
        assert with_client(hub, scenario) == list(range(20))


def test_an_instance_is_watched_suspended_resumed_and_ended(hub):
    async def scenario(client):
        instance = await client.schedule_new_orchestration(waits)
        started = await client.wait_for_orchestration_start(instance, timeout=60)
        await client.suspend_orchestration(instance)
        await client.resume_orchestration(instance)
        await client.raise_orchestration_event(instance, "end", data="async")
        ended = await client.wait_for_orchestration_completion(instance, timeout=60)
        history = await client.get_orchestration_history(instance)
        purged = await client.purge_orchestration(instance)
        return started.runtime_status, ended.get_output(), len(history) > 3, purged.deleted_instance_count

    with hub.worker([waits]):
        assert with_client(hub, scenario) == (OrchestrationStatus.RUNNING, "async", True, 1)


def test_a_wait_times_out_and_the_instance_is_terminated(hub):
    async def scenario(client):
        instance = await client.schedule_new_orchestration(waits)
        with pytest.raises(TimeoutError):
            await client.wait_for_orchestration_completion(instance, timeout=0.5)
        await client.terminate_orchestration(instance, output="stop")
        state = await client.wait_for_orchestration_completion(instance, timeout=60)
        return state.runtime_status, state.get_output()

    with hub.worker([waits]):
        assert with_client(hub, scenario) == (OrchestrationStatus.TERMINATED, "stop")


def test_instances_are_queried(hub):
    prefix = hub.id("async")

    async def scenario(client):
        for n in range(4):
            await client.schedule_new_orchestration(echo, input=n, instance_id=f"{prefix}-{n}")
            await client.wait_for_orchestration_completion(f"{prefix}-{n}", timeout=60)
        found = await client.get_all_orchestration_states(OrchestrationQuery(instance_id_prefix=prefix, max_instance_count=3))
        return sorted(state.instance_id for state in found)

    with hub.worker([echo]):
        assert with_client(hub, scenario) == [f"{prefix}-{n}" for n in range(4)]


def test_an_event_for_nobody_is_refused(hub):
    async def scenario(client):
        with pytest.raises(grpc.RpcError) as refusal:
            await client.raise_orchestration_event(hub.id("nobody"), "x")
        return refusal.value.code()

    assert with_client(hub, scenario) is grpc.StatusCode.NOT_FOUND
