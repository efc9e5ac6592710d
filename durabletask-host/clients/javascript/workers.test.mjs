// Several workers at one hub: filters, versions, a worker that takes over.
import assert from 'node:assert/strict';
import test from 'node:test';
import { OrchestrationStatus, VersionFailureStrategy, VersionMatchStrategy } from '@microsoft/durabletask-js';
import { client, completed, customStatus, eventually, finished, run, start, status, withWorker } from './hub.mjs';

async function charges(_, amount) {
  return `charged ${amount}`;
}

async function ships(_, item) {
  return `shipped ${item}`;
}

async function* plans(ctx, value) {
  return yield ctx.callActivity('toils', value);
}

const toils = async (_, value) => value * 2;

async function* twoSteps(ctx) {
  const first = yield ctx.callActivity(toils, 1);
  ctx.setCustomStatus('half way');
  yield ctx.waitForExternalEvent('go on');
  return [first, yield ctx.callActivity(toils, 2)];
}

test('an instance is pending until a worker takes it', async () => {
  const instance = await start(charges, 5);
  assert.equal(await status(instance), OrchestrationStatus.PENDING);
  await withWorker({ orchestrators: [charges] }, async () => assert.equal(await completed(instance), 'charged 5'));
});

test('two workers take only what each has registered', async () => {
  await withWorker({ orchestrators: [charges], workItemFilters: 'auto' }, () =>
    withWorker({ orchestrators: [ships], workItemFilters: 'auto' }, async () => {
      assert.deepEqual(await Promise.all([1, 2, 3].map((n) => run(charges, n))), ['charged 1', 'charged 2', 'charged 3']);
      assert.deepEqual(await Promise.all([1, 2, 3].map((n) => run(ships, n))), ['shipped 1', 'shipped 2', 'shipped 3']);
    }));
});

test('an orchestration of one worker calls an activity of another', async () => {
  await withWorker({ orchestrators: [plans], workItemFilters: 'auto' }, () =>
    withWorker({ activities: [toils], workItemFilters: 'auto' }, async () => assert.equal(await run(plans, 21), 42)));
});

test('another worker takes over what a stopped one had begun', async () => {
  const registered = { orchestrators: [twoSteps], activities: [toils] };
  const instance = await withWorker(registered, async () => {
    const started = await start(twoSteps);
    await eventually(async () => (await customStatus(started)) === 'half way', 'the first step is done');
    return started;
  });
  await client.raiseOrchestrationEvent(instance, 'go on');
  await withWorker(registered, async () => assert.deepEqual(await completed(instance), [2, 4]));
});

test('a worker fails what has another version if it is told to', async () => {
  const versioning = { version: '2.0', matchStrategy: VersionMatchStrategy.Strict, failureStrategy: VersionFailureStrategy.Fail };
  await withWorker({ orchestrators: [charges], versioning }, async () => {
    const state = await finished(await start(charges, 1, { version: '1.0' }));
    assert.equal(state.runtimeStatus, OrchestrationStatus.FAILED);
    assert.equal(state.failureDetails.errorType, 'VersionMismatch');
    assert.equal(await run(charges, 2, { version: '2.0' }), 'charged 2');
  });
});
