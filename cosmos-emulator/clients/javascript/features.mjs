// The emulator's features as the JavaScript SDK sees them. Arguments: endpoint, key, the table of queries.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  BulkOperationType,
  ChangeFeedMode,
  ChangeFeedStartFrom,
  CosmosClient,
  PartitionKeyDefinitionVersion,
  PartitionKeyKind,
} from '@azure/cosmos';
import { counts, drain, feature, ids, impatient, refused, worker } from './checks.mjs';

const [endpoint, key, tableFile] = process.argv.slice(2);
const client = new CosmosClient({ endpoint, key, ...impatient });
const databaseName = 'javascript';
const { database } = await client.databases.createIfNotExists({ id: databaseName });
const { container, filled, control } = worker(endpoint, database);

await feature('account, databases and containers', async () => {
  const { resource: account } = await client.getDatabaseAccount();
  assert.equal(account.consistencyPolicy, 'Session');
  const things = await container('things');
  assert.deepEqual((await database.containers.readAll().fetchAll()).resources.map((c) => c.id), ['things']);
  const { resource } = await things.read();
  await things.replace({ ...resource, defaultTtl: 100 });
  assert.equal((await things.read()).resource.defaultTtl, 100);
  await refused(() => container('things'), 409);
  await things.delete();
  await refused(() => things.read(), 404);
});

await feature('items: create, read, replace, upsert, patch, delete', async () => {
  const items = await container('items');
  const { resource: made } = await items.items.create({ id: '1', pk: 'a', n: 1 });
  assert.equal((await items.item('1', 'a').read()).resource.n, 1);
  await items.item('1', 'a').replace({ ...made, n: 2 }, { accessCondition: { type: 'IfMatch', condition: made._etag } });
  await refused(
    () => items.item('1', 'a').replace({ ...made, n: 3 }, { accessCondition: { type: 'IfMatch', condition: made._etag } }),
    412,
  );
  await items.items.upsert({ id: '1', pk: 'a', n: 4 });
  const { resource: patched } = await items.item('1', 'a').patch([
    { op: 'incr', path: '/n', value: 6 },
    { op: 'add', path: '/list', value: [1] },
  ]);
  assert.equal(patched.n, 10);
  await items.item('1', 'a').delete();
  assert.equal((await items.item('1', 'a').read()).statusCode, 404);
});

await feature('a transactional batch is all or nothing', async () => {
  const batches = await container('batches');
  const { result } = await batches.items.batch(
    [
      { operationType: BulkOperationType.Create, resourceBody: { id: '1', pk: 'a' } },
      { operationType: BulkOperationType.Upsert, resourceBody: { id: '2', pk: 'a' } },
    ],
    'a',
  );
  assert.deepEqual(result.map((one) => one.statusCode), [201, 201]);
  const broken = await batches.items.batch(
    [
      { operationType: BulkOperationType.Create, resourceBody: { id: '3', pk: 'a' } },
      { operationType: BulkOperationType.Create, resourceBody: { id: '1', pk: 'a' } },
    ],
    'a',
  );
  assert.deepEqual(broken.result.map((one) => one.statusCode), [424, 409]);
  assert.equal((await batches.items.readAll().fetchAll()).resources.length, 2);
});

await feature('bulk operations', async () => {
  const bulk = await container('bulk');
  const operations = Array.from({ length: 50 }, (_, n) => ({
    operationType: BulkOperationType.Create,
    partitionKey: `key-${n}`,
    resourceBody: { id: `${n}`, pk: `key-${n}` },
  }));
  const results = await bulk.items.executeBulkOperations(operations);
  assert.ok(results.every((one) => one.response?.statusCode === 201), JSON.stringify(results[0]));
});

await feature('queries over all partitions', async () => {
  const queried = await filled('queried');
  const all = async (query, options) => (await queried.items.query(query, options).fetchAll()).resources;
  assert.deepEqual(await all('SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 3'), [58, 57, 56]);
  assert.deepEqual(await all('SELECT TOP 2 VALUE c.n FROM c ORDER BY c.n'), [0, 1]);
  assert.deepEqual(await all('SELECT VALUE COUNT(1) FROM c'), [60]);
  assert.deepEqual(await all('SELECT VALUE SUM(c.n) FROM c WHERE c.n < 4'), [6]);
  assert.deepEqual((await all('SELECT DISTINCT VALUE c.kind FROM c')).sort(), ['k0', 'k1', 'k2']);
  const groups = await all('SELECT c.kind, COUNT(1) AS total, MAX(c.n) AS most FROM c GROUP BY c.kind');
  assert.deepEqual(groups.sort((a, b) => a.most - b.most).map((g) => [g.kind, g.total, g.most]), [
    ['k0', 20, 57],
    ['k1', 20, 58],
    ['k2', 20, 59],
  ]);
  const parameters = [{ name: '@low', value: 55 }];
  assert.equal((await all({ query: 'SELECT * FROM c WHERE c.n > @low', parameters })).length, 4);
  assert.equal((await all('SELECT * FROM c', { partitionKey: 'key-3' })).length, 5);
});

await feature('pages and continuations', async () => {
  const paged = await filled('paged');
  const seen = [];
  let continuationToken;
  do {
    const page = await paged.items
      .query('SELECT * FROM c', { maxItemCount: 4, partitionKey: 'key-1', continuationToken })
      .fetchNext();
    seen.push(...ids(page.resources));
    continuationToken = page.continuationToken;
  } while (continuationToken);
  assert.equal(new Set(seen).size, 5);
  assert.equal(seen.length, 5);
});

await feature('ORDER BY without the index it needs is refused', async () => {
  const composite = [[{ path: '/kind', order: 'ascending' }, { path: '/n', order: 'descending' }]];
  const indexed = await filled('indexed', {
    indexingPolicy: {
      indexingMode: 'consistent',
      includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/shut/?' }],
      compositeIndexes: composite,
    },
  });
  const all = (query) => indexed.items.query(query, { partitionKey: 'key-0' }).fetchAll();
  assert.equal((await all('SELECT * FROM c ORDER BY c.kind, c.n DESC')).resources.length, 5);
  assert.match((await refused(() => all('SELECT * FROM c ORDER BY c.kind, c.n'), 400)).message, /composite index/);
  assert.match((await refused(() => all('SELECT * FROM c ORDER BY c.shut'), 400)).message, /excluded/);
});

await feature('unique keys', async () => {
  const unique = await container('unique', { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/mail'] }] } });
  await unique.items.create({ id: '1', pk: 'a', mail: 'x' });
  await refused(() => unique.items.create({ id: '2', pk: 'a', mail: 'x' }), 409);
  await unique.items.create({ id: '2', pk: 'b', mail: 'x' });
});

await feature('hierarchical partition keys', async () => {
  const deep = await container('deep', {
    partitionKey: {
      paths: ['/tenant', '/user'],
      kind: PartitionKeyKind.MultiHash,
      version: PartitionKeyDefinitionVersion.V2,
    },
  });
  for (let n = 0; n < 20; n++) {
    await deep.items.create({ id: `${n}`, tenant: `t${n % 2}`, user: `u${n % 5}` });
  }
  assert.equal((await deep.item('3', ['t1', 'u3']).read()).resource.id, '3');
  assert.equal((await deep.items.query('SELECT * FROM c', { partitionKey: ['t1', 'u3'] }).fetchAll()).resources.length, 2);
  assert.equal((await deep.items.query("SELECT * FROM c WHERE c.tenant = 't1'").fetchAll()).resources.length, 10);
});

await feature('change feed, latest versions, through a split', async () => {
  const feed = await filled('feed');
  const first = await drain(
    feed.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 7 }),
  );
  assert.equal(new Set(ids(first.seen)).size, 60);
  await control(feed, 'split', { range: '0' });
  await control(feed, 'split', { range: '3' });
  for (let n = 0; n < 12; n++) {
    await feed.items.create({ id: `later-${n}`, pk: `key-${n}` });
  }
  const second = await drain(
    feed.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Continuation(first.continuation) }),
  );
  assert.deepEqual(ids(second.seen).sort(), Array.from({ length: 12 }, (_, n) => `later-${n}`).sort());
});

await feature('change feed, all versions and deletes', async () => {
  const versions = await container('versions');
  const options = { changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes };
  const start = await drain(
    versions.items.getChangeFeedIterator({ ...options, changeFeedStartFrom: ChangeFeedStartFrom.Now() }),
  );
  await versions.items.create({ id: '1', pk: 'a', n: 1 });
  await versions.items.upsert({ id: '1', pk: 'a', n: 2 });
  await versions.item('1', 'a').delete();
  const { seen } = await drain(
    versions.items.getChangeFeedIterator({
      ...options,
      changeFeedStartFrom: ChangeFeedStartFrom.Continuation(start.continuation),
    }),
  );
  assert.deepEqual(seen.map((change) => change.metadata.operationType), ['create', 'replace', 'delete']);
  assert.equal(seen[2].metadata.id, '1');
});

await feature('queries go on through splits and merges', async () => {
  await filled('split');
  // From 4.10 on the SDK keeps the ranges of a container, and asks for one that is gone without end when a query begins with it.
  const fresh = () => new CosmosClient({ endpoint, key }).database(databaseName).container('split');
  const everything = async () => (await fresh().items.query('SELECT * FROM c ORDER BY c.n', { maxItemCount: 10 }).fetchAll()).resources;
  assert.equal((await everything()).length, 60);
  await control(fresh(), 'split', { range: '1' });
  assert.deepEqual((await everything()).map((one) => one.n), Array.from({ length: 60 }, (_, n) => n));
  const plain = fresh().items.query('SELECT * FROM c', { maxItemCount: 6, maxDegreeOfParallelism: 1 });
  const seen = [...(await plain.fetchNext()).resources];
  await control(fresh(), 'split', { range: '0' });
  while (plain.hasMoreResults()) {
    seen.push(...((await plain.fetchNext()).resources ?? []));
  }
  assert.equal(new Set(ids(seen)).size, 60);
  await control(fresh(), 'merge', { ranges: ['4', '5'] });
  assert.equal((await everything()).length, 60);
});

await feature('throughput is read, replaced and enforced', async () => {
  const limited = await container('limited', {}, { offerThroughput: 400 });
  const offer = await limited.readOffer();
  assert.equal(offer.resource.content.offerThroughput, 400);
  let error = null;
  for (let n = 0; n < 400 && !error; n++) {
    error = await limited.items.create({ id: `${n}`, pk: 'a' }).then(() => null, (e) => e);
  }
  assert.equal(error?.code, 429);
  offer.resource.content.offerThroughput = 1000;
  await offer.offer.replace(offer.resource);
  assert.equal((await limited.readOffer()).resource.content.offerThroughput, 1000);
});

await feature('a throttled request is repeated by the SDK', async () => {
  await container('patient', {}, { offerThroughput: 400 });
  const patient = new CosmosClient({ endpoint, key }).database(databaseName).container('patient');
  // The limit is one second of the partition's throughput; more can only be written by who waits.
  for (let n = 0; n < 40; n++) {
    await patient.items.create({ id: `${n}`, pk: 'a', text: 'x'.repeat(4096) });
  }
  assert.equal((await patient.items.query('SELECT VALUE c.id FROM c', { partitionKey: 'a' }).fetchAll()).resources.length, 40);
});

await feature('patch: six operations and a condition', async () => {
  const patches = await container('patches');
  await patches.items.create({ id: '1', pk: 'a', n: 1, old: 'x', gone: true, list: [1, 3] });
  const { resource } = await patches.item('1', 'a').patch({
    condition: 'FROM c WHERE c.n = 1',
    operations: [
      { op: 'add', path: '/list/1', value: 2 },
      { op: 'set', path: '/made', value: {} },
      { op: 'replace', path: '/made', value: 'y' },
      { op: 'remove', path: '/gone' },
      { op: 'incr', path: '/n', value: 4 },
      { op: 'move', from: '/old', path: '/moved' },
    ],
  });
  const { n, made, moved, list, old, gone } = resource;
  assert.deepEqual({ n, made, moved, list, old, gone }, { n: 5, made: 'y', moved: 'x', list: [1, 2, 3], old: undefined, gone: undefined });
  await refused(
    () => patches.item('1', 'a').patch({ condition: 'FROM c WHERE c.n = 1', operations: [{ op: 'incr', path: '/n', value: 1 }] }),
    412,
  );
});

await feature('conditions on reads and writes, and answers without content', async () => {
  const conditions = await container('conditions');
  const create = { operationType: BulkOperationType.Create, resourceBody: { id: '1', pk: 'a' } };
  const { result } = await conditions.items.batch([create], 'a', { contentResponseOnWriteEnabled: false });
  assert.deepEqual([result[0].statusCode, result[0].resourceBody], [201, undefined]);
  const { etag } = await conditions.item('1', 'a').read();
  const same = { accessCondition: { type: 'IfNoneMatch', condition: etag } };
  assert.equal((await conditions.item('1', 'a').read(same)).statusCode, 304);
  await refused(() => conditions.item('1', 'a').delete({ accessCondition: { type: 'IfMatch', condition: '"other"' } }), 412);
});

await feature('session tokens', async () => {
  const sessions = await container('sessions');
  const made = await sessions.items.create({ id: '1', pk: 'a' });
  const token = made.headers['x-ms-session-token'];
  assert.match(token, /^\d+:0#\d+#1=\d+$/);
  const [range] = token.split(':');
  assert.equal((await sessions.item('1', 'a').read({ sessionToken: token })).statusCode, 200);
  // The SDK meets 404/1002 by asking once more, without the token.
  assert.equal((await sessions.item('1', 'a').read({ sessionToken: `${range}:0#99999#1=99999` })).statusCode, 200);
});

await feature('time to live', async () => {
  const mortal = await container('mortal', { defaultTtl: -1 });
  await mortal.items.create({ id: '1', pk: 'a', ttl: 1 });
  await mortal.items.create({ id: '2', pk: 'a' });
  const deadline = Date.now() + 60_000;
  let left;
  do {
    left = ids((await mortal.items.query('SELECT * FROM c', { partitionKey: 'a' }).fetchAll()).resources);
  } while (left.length > 1 && Date.now() < deadline);
  assert.deepEqual(left, ['2']);
});

await feature('feed ranges', async () => {
  const ranged = await filled('ranged');
  const ranges = await ranged.getFeedRanges();
  assert.equal(ranges.length, 4);
  const seen = [];
  for (const range of ranges) {
    const start = { changeFeedStartFrom: ChangeFeedStartFrom.Beginning(range) };
    seen.push(...ids((await drain(ranged.items.getChangeFeedIterator(start))).seen));
  }
  assert.equal(seen.length, 60);
  assert.equal(new Set(seen).size, 60);
});

function isClose(wanted, given) {
  if (typeof wanted === 'number' && typeof given === 'number') {
    return Math.abs(wanted - given) <= 1e-12 * Math.max(1, Math.abs(wanted));
  }
  if (wanted === null || given === null || typeof wanted !== 'object' || typeof given !== 'object') {
    return wanted === given;
  }
  const keys = Object.keys(wanted);
  return (
    Array.isArray(wanted) === Array.isArray(given) &&
    keys.length === Object.keys(given).length &&
    keys.every((one) => isClose(wanted[one], given[one]))
  );
}

/** Whether these are the results, in any order unless the query sorts. */
function areResults(query, wanted, given) {
  if (query.includes('ORDER BY')) {
    return isClose(wanted, given);
  }
  const left = [...given];
  return wanted.every((one) => {
    const at = left.findIndex((other) => isClose(one, other));
    return at >= 0 && left.splice(at, 1).length === 1;
  }) && left.length === 0;
}

const table = JSON.parse(readFileSync(tableFile, 'utf8'));
const rows = { passed: 0, excepted: 0 };

async function checkRow(containers, row) {
  const query = row.expression === undefined ? row.query : `SELECT VALUE ${row.expression} FROM c`;
  const options = row.expression === undefined ? {} : { partitionKey: 'one' };
  const asked = containers[row.on ?? 'one'].items.query({ query, parameters: row.parameters ?? [] }, options);
  if (row.error) {
    const error = await refused(() => asked.fetchAll(), 400);
    assert.ok(JSON.stringify(error.body ?? error.message).includes(row.error), `${query}: ${error.message}`);
    return;
  }
  const expected = row.expected ?? ('value' in row ? [row.value] : []);
  const { resources } = await asked.fetchAll();
  assert.ok(areResults(query, expected, resources), `${query}: ${JSON.stringify(resources)}, not ${JSON.stringify(expected)}`);
}

await feature('the table of queries', async () => {
  const containers = {};
  for (const [name, documents] of Object.entries(table.datasets)) {
    containers[name] = await container(`table-${name}`);
    for (const document of documents) {
      await containers[name].items.create(document);
    }
  }
  const faults = [];
  for (const row of table.entries.flatMap((entry) => entry.cases)) {
    if (row.except?.javascript) {
      rows.excepted++;
      continue;
    }
    await checkRow(containers, row).then(() => rows.passed++, (error) => faults.push(error.message));
  }
  assert.equal(faults.length, 0, `${faults.length} rows: ${faults.slice(0, 10).join('\n        ')}`);
});

await feature('what is not supported is refused with a message', async () => {
  const plain = await container('plain');
  const error = await refused(() => plain.scripts.storedProcedures.create({ id: 'p', body: 'function () {}' }), 400);
  assert.match(error.message, /not supported by this emulator/);
});

await database.delete();
console.log(`JavaScript: ${counts.passed} features passed, ${counts.failed} failed; ${rows.passed} queries, ${rows.excepted} not asked`);
process.exit(counts.failed === 0 ? 0 : 1);
