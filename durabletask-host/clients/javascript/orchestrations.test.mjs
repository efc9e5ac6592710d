// What orchestrators are made of: activities, retries, timers, events, children, generations.
import assert from 'node:assert/strict';
import test from 'node:test';
import { OrchestrationStatus, RetryPolicy, whenAll, whenAny } from '@microsoft/durabletask-js';
import { beyondInMemory, client, completed, customStatus, eventually, finished, id, run, start, status, workerOfThisFile } from './hub.mjs';

const attempts = new Map();
const attempt = (key) => attempts.set(key, (attempts.get(key) ?? 0) + 1).get(key);

const echo = async (_, value) => value;
const square = async (_, number) => number * number;
const fails = async (_, message) => {
  throw new TypeError(message);
};
const flaky = async (_, { key, needed }) => {
  const count = attempt(key);
  if (count < needed) {
    throw new Error(`attempt ${count}`);
  }
  return count;
};
const retry = new RetryPolicy({ maxNumberOfAttempts: 4, firstRetryIntervalInMilliseconds: 50 });

async function* chain(ctx, text) {
  const first = yield ctx.callActivity(echo, text);
  return yield ctx.callActivity(echo, `${first}!`);
}

async function* fanOut(ctx, count) {
  return yield whenAll(Array.from({ length: count }, (_, n) => ctx.callActivity(square, n)));
}

async function* roundTrip(ctx, values) {
  const echoed = [];
  for (const value of values) {
    echoed.push(yield ctx.callActivity(echo, value));
  }
  return echoed;
}

async function* retries(ctx, input) {
  return yield ctx.callActivity(flaky, input, { retry });
}

async function* failsOn(ctx, message) {
  yield ctx.callActivity(fails, message);
}

async function* catches(ctx, message) {
  try {
    yield ctx.callActivity(fails, message);
  } catch (error) {
    return [error.details.errorType, error.details.message];
  }
}

async function* sleeps(ctx, seconds) {
  yield ctx.callActivity(echo);
  const before = ctx.currentUtcDateTime;
  yield ctx.createTimer(seconds);
  return ctx.currentUtcDateTime - before;
}

async function clock(ctx) {
  return ctx.currentUtcDateTime.getTime();
}

async function* waits(ctx) {
  return yield ctx.waitForExternalEvent('end');
}

async function* collects(ctx, names) {
  const values = [];
  for (const name of names) {
    values.push(yield ctx.waitForExternalEvent(name));
  }
  return values;
}

async function* approval(ctx, seconds) {
  const event = ctx.waitForExternalEvent('approval');
  const winner = yield whenAny([event, ctx.createTimer(seconds)]);
  return winner === event ? `approved by ${event.getResult()}` : 'escalated';
}

async function* sender(ctx, target) {
  ctx.sendEvent(target, 'end', 'from another');
  yield ctx.createTimer(0.01);
  return 'sent';
}

async function* child(ctx, text) {
  return yield ctx.callActivity(echo, `child of ${text}`);
}

async function* parent(ctx, { text, instanceId }) {
  return yield ctx.callSubOrchestrator(child, text, { instanceId });
}

async function* twoGenerationsOfChildren(ctx, generation) {
  const answer = yield ctx.callSubOrchestrator(child, `generation ${generation}`);
  if (generation < 3) {
    ctx.continueAsNew(generation + 1, false);
    return undefined;
  }
  return answer;
}

async function flakyChild(ctx, { key, needed }) {
  const count = attempt(key);
  if (count < needed) {
    throw new Error(`attempt ${count}`);
  }
  return ctx.instanceId;
}

async function* retriesChild(ctx, input) {
  return yield ctx.callSubOrchestrator(flakyChild, input, { retry, instanceId: input.key });
}

async function childFails() {
  throw new RangeError('the child gave up');
}

async function* parentOfFailure(ctx) {
  yield ctx.callSubOrchestrator(childFails);
}

async function knowsParent(ctx) {
  return ctx.parent?.instanceId;
}

async function* asksChild(ctx) {
  return yield ctx.callSubOrchestrator(knowsParent);
}

async function* counter(ctx, number) {
  const next = yield ctx.callActivity(echo, number + 1);
  if (next < 5) {
    ctx.continueAsNew(next, true);
    return undefined;
  }
  return next;
}

async function* adder(ctx, sum) {
  const total = sum + (yield ctx.waitForExternalEvent('amount'));
  if (total < 15) {
    ctx.continueAsNew(total, true);
    return undefined;
  }
  return total;
}

async function* reports(ctx) {
  ctx.setCustomStatus({ step: 1 });
  yield ctx.waitForExternalEvent('next');
  ctx.setCustomStatus({ step: 2 });
  return 'done';
}

workerOfThisFile({
  orchestrators: [
    chain, fanOut, roundTrip, retries, failsOn, catches, sleeps, clock, waits, collects, approval, sender, child, parent, twoGenerationsOfChildren,
    flakyChild, retriesChild, childFails, parentOfFailure, knowsParent, asksChild, counter, adder, reports,
  ],
  activities: [echo, square, fails, flaky],
});

test('a chain hands each result to the next activity', async () => {
  assert.equal(await run(chain, 'hello'), 'hello!');
});

test('a fan-out collects results in the order of the calls', async () => {
  assert.deepEqual(await run(fanOut, 20), Array.from({ length: 20 }, (_, n) => n * n));
});

test('three hundred activities start in one turn', async () => {
  assert.equal((await run(fanOut, 300)).length, 300);
});

test('values keep their shape on the way', async () => {
  const values = ['', 'ünïcödé \u2603', 'a"b\\c\n\u0000', 0, -1.5, false, [], {}, { nested: [1, { deep: null }] }];
  assert.deepEqual(await run(roundTrip, values), values);
});

test('a megabyte passes through input, activity and output', async () => {
  const payload = '0123456789abcdef'.repeat(1 << 16);
  assert.equal(await run(roundTrip, [payload]).then(([echoed]) => echoed), payload);
});

test('an activity is retried until it succeeds', async () => {
  assert.equal(await run(retries, { key: id('retry'), needed: 3 }), 3);
});

test('an activity that never succeeds is tried as often as its policy says', async () => {
  const key = id('retry');
  const state = await finished(await start(retries, { key, needed: 100 }));
  assert.equal(state.runtimeStatus, OrchestrationStatus.FAILED);
  assert.equal(attempts.get(key), 4);
});

test('an activity that fails fails its orchestration', async () => {
  const state = await finished(await start(failsOn, 'no such account'));
  assert.equal(state.runtimeStatus, OrchestrationStatus.FAILED);
  assert.match(state.failureDetails.message, /no such account/);
});

test('an orchestrator sees what error an activity failed with', async () => {
  assert.deepEqual(await run(catches, 'no such account'), ['TypeError', 'no such account']);
});

test('an orchestrator that nobody registered fails', async () => {
  const state = await finished(await start('nobodyWroteThis'));
  assert.equal(state.runtimeStatus, OrchestrationStatus.FAILED);
  assert.match(state.failureDetails.message, /nobodyWroteThis/);
});

test('a timer delays the orchestration', async () => {
  assert.ok((await run(sleeps, 1)) >= 1000);
});

test('a start without a time is a start now', beyondInMemory('takes the SDK\'s empty start time for the year 1970'), async () => {
  const now = await run(clock);
  assert.ok(Math.abs(now - Date.now()) < 300_000, `the clock of the first turn says ${new Date(now)}`);
});

test('an event wakes an orchestration that waits', async () => {
  const instance = await start(waits);
  await client.waitForOrchestrationStart(instance);
  await client.raiseOrchestrationEvent(instance, 'end', { item: 7 });
  assert.deepEqual(await completed(instance), { item: 7 });
});

test('events come in any order and before they are waited for', async () => {
  const instance = await start(collects, ['a', 'b', 'b', 'c']);
  for (const [name, value] of [['c', 1], ['b', 2], ['b', 3], ['a', 4]]) {
    await client.raiseOrchestrationEvent(instance, name, value);
  }
  assert.deepEqual(await completed(instance), [4, 2, 3, 1]);
});

test('a request is approved in time', async () => {
  const instance = await start(approval, 60, { startAt: new Date() });
  await client.raiseOrchestrationEvent(instance, 'approval', 'ann');
  assert.equal(await completed(instance), 'approved by ann');
});

test('a request that nobody approves is escalated', async () => {
  assert.equal(await run(approval, 1), 'escalated');
});

test('an orchestration sends an event to another', async () => {
  const target = await start(waits);
  assert.equal(await run(sender, target), 'sent');
  assert.equal(await completed(target), 'from another');
});

test('an event that is sent to nobody is dropped', async () => {
  const nobody = id('nobody');
  assert.equal(await run(sender, nobody), 'sent');
  assert.equal(await client.getOrchestrationState(nobody), undefined);
});

test('a child answers its parent, under the id it was given', async () => {
  const instanceId = id('child');
  assert.equal(await run(parent, { text: 'adam', instanceId }), 'child of adam');
  assert.equal(await status(instanceId), OrchestrationStatus.COMPLETED);
});

test('a child has an id of its own in each generation of its parent', beyondInMemory('gives executions no id, which the SDK makes the ids of children from'), async () => {
  assert.equal(await run(twoGenerationsOfChildren, 1), 'child of generation 3');
});

test('a child that failed is retried under the same id', async () => {
  const key = id('child');
  assert.equal(await run(retriesChild, { key, needed: 3 }), key);
});

test('a child that fails fails its parent', async () => {
  const state = await finished(await start(parentOfFailure));
  assert.equal(state.runtimeStatus, OrchestrationStatus.FAILED);
  assert.match(state.failureDetails.message, /the child gave up/);
});

test('a child knows its parent', beyondInMemory('tells a child nothing of its parent'), async () => {
  const instance = await start(asksChild);
  assert.equal(await completed(instance), instance);
});

test('an eternal orchestration starts over with new input', async () => {
  assert.equal(await run(counter, 0), 5);
});

test('events not yet read are carried into the next generation', async () => {
  const instance = await start(adder, 0);
  for (const amount of [1, 2, 3, 4, 5]) {
    await client.raiseOrchestrationEvent(instance, 'amount', amount);
  }
  assert.equal(await completed(instance), 15);
});

test('a custom status shows while the instance runs', async () => {
  const instance = await start(reports);
  await eventually(async () => (await customStatus(instance))?.step === 1, 'step 1');
  await client.raiseOrchestrationEvent(instance, 'next');
  assert.equal(await completed(instance), 'done');
  assert.deepEqual(await customStatus(instance), { step: 2 });
});
