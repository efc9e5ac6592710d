// What a scenario works with: a client and workers of the unchanged SDK, all at SLUICE_DURABLETASK_ADDRESS (host:port).
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { NoOpLogger, OrchestrationStatus, TaskHubGrpcClient, TaskHubGrpcWorker } from '@microsoft/durabletask-js';

const address = process.env.SLUICE_DURABLETASK_ADDRESS;
assert.ok(address, 'SLUICE_DURABLETASK_ADDRESS names no host');

// How long a scenario waits for what it expects, in seconds; a pass takes milliseconds.
export const PATIENCE = 60;

const logger = new NoOpLogger();
export const client = new TaskHubGrpcClient({ hostAddress: address, logger });
after(() => client.stop());

export const id = (what) => `js-${what}-${randomUUID()}`;

// Options of a scenario that the Python SDK's in-memory backend can't judge: it is left out there, with the reason, and runs against a host.
export function beyondInMemory(why) {
  return { skip: process.env.SLUICE_DURABLETASK_IN_MEMORY === '1' ? `the in-memory backend ${why}` : false };
}

function newWorker({ orchestrators = [], activities = [], ...options }) {
  const worker = new TaskHubGrpcWorker({ hostAddress: address, logger, ...options });
  orchestrators.forEach((orchestrator) => worker.addOrchestrator(orchestrator));
  activities.forEach((activity) => worker.addActivity(activity));
  return worker;
}

// A worker for all scenarios of a file: stopping one takes the SDK a second or two.
export function workerOfThisFile(registered) {
  const worker = newWorker(registered);
  before(() => worker.start());
  after(() => worker.stop());
}

// A worker for the time of one scenario.
export async function withWorker(registered, body) {
  const worker = newWorker(registered);
  await worker.start();
  try {
    return await body();
  } finally {
    await worker.stop();
  }
}

export const start = (orchestrator, input, options) => client.scheduleNewOrchestration(orchestrator, input, options);

export async function finished(instance) {
  const state = await client.waitForOrchestrationCompletion(instance, true, PATIENCE);
  assert.ok(state, `${instance} is not there`);
  return state;
}

const parsed = (text) => (text ? JSON.parse(text) : undefined);
export const output = (state) => parsed(state.serializedOutput);

// Waits for an instance to complete and answers its output.
export async function completed(instance) {
  const state = await finished(instance);
  assert.equal(OrchestrationStatus[state.runtimeStatus], 'COMPLETED', state.failureDetails?.message);
  return output(state);
}

export const run = async (orchestrator, input, options) => completed(await start(orchestrator, input, options));

export const status = async (instance) => (await client.getOrchestrationState(instance))?.runtimeStatus;

export async function customStatus(instance) {
  return parsed((await client.getOrchestrationState(instance)).serializedCustomStatus);
}

// Waits until a condition holds.
export async function eventually(condition, what) {
  const end = Date.now() + PATIENCE * 1000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, `not within ${PATIENCE} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function collect(iterable) {
  const values = [];
  for await (const value of iterable) {
    values.push(value);
  }
  return values;
}
