// What the scripts share: counted checks, refusals, containers to work in, the emulator's controls.
import assert from 'node:assert/strict';
import { PartitionKeyDefinitionVersion } from '@azure/cosmos';

export const counts = { passed: 0, failed: 0 };

export async function feature(name, check) {
  try {
    await check();
    counts.passed++;
    console.log(`ok      ${name}`);
  } catch (error) {
    counts.failed++;
    console.log(`FAILED  ${name}\n        ${error.stack ?? error}`);
  }
}

export async function refused(call, code, subStatus) {
  const error = await call().then(() => null, (e) => e);
  assert.ok(error, 'nothing was refused');
  assert.equal(error.code, code, `${error.code} ${error.message}`);
  if (subStatus !== undefined) {
    assert.equal(Number(error.substatus ?? error.subStatusCode), subStatus);
  }
  return error;
}

/** Options of a client that doesn't repeat what was throttled, so that a 429 is seen. */
export const impatient = {
  connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 1 } },
};

/** Makes containers in a database, empty or filled, and uses the emulator's controls on them. */
export function worker(endpoint, database) {
  let count = 0;
  /** A name that nothing has yet. */
  const name = (kind) => `${kind}-${count++}`;

  async function container(id, more = {}, options = {}) {
    const made = await database.containers.create(
      { id, partitionKey: { paths: ['/pk'], version: PartitionKeyDefinitionVersion.V2 }, ...more },
      options,
    );
    return made.container;
  }

  async function filled(id, more) {
    const made = await container(id, more);
    for (let n = 0; n < 60; n++) {
      await made.items.create({ id: `item-${n}`, pk: `key-${n % 12}`, n, kind: `k${n % 3}` });
    }
    return made;
  }

  async function control(controlled, name, body) {
    const answer = await fetch(`${endpoint}_emulator/dbs/${database.id}/colls/${controlled.id}/${name}`, {
      method: 'POST',
      headers: { 'x-emulator-control': 'true' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return answer.json();
  }

  return { container, filled, control, name };
}

export const ids = (documents) => documents.map((document) => document.id);

/** Reads a change feed up to its end. */
export async function drain(iterator) {
  const seen = [];
  while (iterator.hasMoreResults) {
    const page = await iterator.readNext();
    if (page.statusCode === 304) {
      return { seen, continuation: page.continuationToken };
    }
    seen.push(...page.result);
  }
  throw new Error('a change feed never ends');
}
