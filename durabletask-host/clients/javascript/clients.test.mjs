// What clients do to instances: start, watch, suspend, terminate, restart, list, purge.
import assert from 'node:assert/strict';
import test from 'node:test';
import { HistoryEventType, OrchestrationStatus, PurgeInstanceCriteria, terminateOptions } from '@microsoft/durabletask-js';
import { beyondInMemory, client, collect, completed, eventually, finished, id, output, run, start, status, workerOfThisFile } from './hub.mjs';

const step = async (_, value) => value;

async function* echo(ctx, value) {
  return yield ctx.callActivity(step, value);
}

async function* waits(ctx) {
  return yield ctx.waitForExternalEvent('end');
}

async function* parent(ctx, child) {
  return yield ctx.callSubOrchestrator(waits, undefined, { instanceId: child });
}

async function version(ctx) {
  return ctx.version;
}

workerOfThisFile({ orchestrators: [echo, waits, parent, version], activities: [step] });

async function running() {
  const instance = await start(waits);
  await client.waitForOrchestrationStart(instance);
  return instance;
}

async function end(instance, value) {
  await client.raiseOrchestrationEvent(instance, 'end', value);
  return completed(instance);
}

const grpcCode = (code) => (error) => error.code === code || error.cause?.code === code;
const [ALREADY_EXISTS, NOT_FOUND] = [6, 5];

async function several(prefix, count) {
  const instances = [];
  for (let n = 0; n < count; n++) {
    instances.push(await start(echo, n, { instanceId: `${prefix}-${n}` }));
    await completed(instances[n]);
  }
  return instances;
}

test('an instance that nobody started is not there', async () => {
  assert.equal(await client.getOrchestrationState(id('nobody')), undefined);
});

test('a state tells name, input, output and times', async () => {
  const instance = await start(echo, { a: 1 });
  await completed(instance);
  const state = await client.getOrchestrationState(instance);
  assert.equal(state.name, 'echo');
  assert.deepEqual([JSON.parse(state.serializedInput), output(state)], [{ a: 1 }, { a: 1 }]);
  assert.ok(state.createdAt <= state.lastUpdatedAt && Math.abs(state.createdAt - Date.now()) < 300_000);
});

test('an id in use is refused', async () => {
  const instance = await running();
  await assert.rejects(start(waits, undefined, { instanceId: instance }), grpcCode(ALREADY_EXISTS));
  assert.equal(await end(instance, 'undisturbed'), 'undisturbed');
});

test('a start may be delayed', beyondInMemory('starts an instance at once, whatever its start time is'), async () => {
  const startAt = new Date(Date.now() + 2000);
  const instance = await start(echo, 'later', { startAt });
  assert.equal(await status(instance), OrchestrationStatus.PENDING);
  assert.equal(await completed(instance), 'later');
  assert.ok(Date.now() >= startAt.getTime() - 50);
});

test('a wait for the end times out', async () => {
  const instance = await running();
  await assert.rejects(client.waitForOrchestrationCompletion(instance, true, 0.5), /Timed out/);
  assert.equal(await end(instance, 'after all'), 'after all');
});

test('a suspended instance takes no event until it is resumed', async () => {
  const instance = await running();
  await client.suspendOrchestration(instance);
  await eventually(async () => (await status(instance)) === OrchestrationStatus.SUSPENDED, 'suspended');
  await client.raiseOrchestrationEvent(instance, 'end', 'held back');
  await assert.rejects(client.waitForOrchestrationCompletion(instance, true, 1), /Timed out/);
  await client.resumeOrchestration(instance);
  assert.equal(await completed(instance), 'held back');
});

test('a running instance is terminated with an output', async () => {
  const instance = await running();
  await client.terminateOrchestration(instance, { why: 'no longer needed' });
  const state = await finished(instance);
  assert.equal(state.runtimeStatus, OrchestrationStatus.TERMINATED);
  assert.deepEqual(output(state), { why: 'no longer needed' });
});

async function family() {
  const child = id('child');
  const instance = await start(parent, child);
  await eventually(async () => (await status(child)) === OrchestrationStatus.RUNNING, 'the child runs');
  return [instance, child];
}

test('a termination reaches the children if it is told to', beyondInMemory('does not terminate children'), async () => {
  const [instance, child] = await family();
  await client.terminateOrchestration(instance, terminateOptions({ output: 'all', recursive: true }));
  assert.equal((await finished(instance)).runtimeStatus, OrchestrationStatus.TERMINATED);
  assert.equal((await finished(child)).runtimeStatus, OrchestrationStatus.TERMINATED);
});

test('a termination of the parent alone spares the children', async () => {
  const [instance, child] = await family();
  await client.terminateOrchestration(instance);
  assert.equal((await finished(instance)).runtimeStatus, OrchestrationStatus.TERMINATED);
  assert.equal(await end(child, 'still here'), 'still here');
});

test('an event for nobody is refused', async () => {
  await assert.rejects(client.raiseOrchestrationEvent(id('nobody'), 'x', 1), grpcCode(NOT_FOUND));
});

test('an instance that has ended is restarted, under its id or a new one', async () => {
  const instance = await start(echo, 'again');
  await completed(instance);
  const copy = await client.restartOrchestration(instance, true);
  assert.notEqual(copy, instance);
  assert.equal(await completed(copy), 'again');
  assert.equal(await client.restartOrchestration(instance), instance);
  await eventually(async () => (await completed(instance)) === 'again', 'the second run ends');
  await assert.rejects(client.restartOrchestration(id('nobody')), /not found/);
});

test('an orchestrator knows the version it was started with', async () => {
  assert.equal(await run(version, undefined, { version: '1.2.3' }), '1.2.3');
});

test('tags show in the state of the instance', beyondInMemory('leaves tags out of states'), async () => {
  const instance = await start(echo, 1, { tags: { team: 'blue' } });
  await completed(instance);
  assert.deepEqual((await client.getOrchestrationState(instance)).tags, { team: 'blue' });
});

test('instances are listed by prefix and status, in pages', async () => {
  const prefix = id('list');
  const ours = await several(prefix, 5);
  const runs = await start(waits, undefined, { instanceId: `${prefix}-runs` });
  await client.waitForOrchestrationStart(runs);
  const query = { instanceIdPrefix: prefix, statuses: [OrchestrationStatus.COMPLETED], pageSize: 2 };
  const found = await collect(client.getAllInstances(query));
  assert.deepEqual(found.map((state) => state.instanceId).sort(), ours);
  const pages = await collect(client.getAllInstances(query).asPages());
  assert.ok(pages.every((page) => page.values.length <= 2) && pages.length >= 3);
  await end(runs);
});

test('ids of ended instances are listed in pages', async () => {
  const ours = await several(id('ids'), 3);
  const { createdAt } = await client.getOrchestrationState(ours[0]);
  const listed = [];
  let key;
  do {
    const page = await client.listInstanceIds({
      runtimeStatus: [OrchestrationStatus.COMPLETED], completedTimeFrom: createdAt, pageSize: 2, lastInstanceKey: key,
    });
    listed.push(...page.values);
    key = page.continuationToken;
  } while (key);
  assert.deepEqual(listed.filter((instance) => ours.includes(instance)).sort(), ours);
});

test('an ended instance is purged, a running one is not', async () => {
  const instance = await start(echo, 1);
  await completed(instance);
  assert.equal((await client.purgeOrchestration(instance)).deletedInstanceCount, 1);
  assert.equal(await client.getOrchestrationState(instance), undefined);
  const runs = await running();
  assert.equal((await client.purgeOrchestration(runs)).deletedInstanceCount, 0);
  assert.equal(await end(runs, 'alive'), 'alive');
});

test('ended instances are purged by time and status', async () => {
  const ours = await several(id('purge'), 3);
  const criteria = new PurgeInstanceCriteria();
  criteria.setCreatedTimeFrom((await client.getOrchestrationState(ours[0])).createdAt);
  criteria.setRuntimeStatusList([OrchestrationStatus.COMPLETED]);
  criteria.setTimeout(60_000);
  assert.ok((await client.purgeOrchestration(criteria)).deletedInstanceCount >= 3);
  for (const instance of ours) {
    assert.equal(await client.getOrchestrationState(instance), undefined);
  }
});

test('a history tells what happened in order', async () => {
  const instance = await start(echo, 'x');
  await completed(instance);
  const kinds = ['ExecutionStarted', 'TaskScheduled', 'TaskCompleted', 'ExecutionCompleted'].map((kind) => HistoryEventType[kind]);
  const events = (await client.getOrchestrationHistory(instance)).filter((event) => kinds.includes(event.type));
  assert.deepEqual(events.map((event) => event.type), kinds);
  assert.deepEqual([events[0].input, events[2].result, events[2].taskScheduledId], ['"x"', '"x"', events[1].eventId]);
});
