// Items, alone and many at once.
import assert from 'node:assert/strict';
import * as sdk from '@azure/cosmos';
import { drain, ids, refused } from '../checks.mjs';
import { internal, only, reference, refusal } from './entries.mjs';

const { BulkOperationType, ChangeFeedStartFrom, CosmosClient } = sdk;
const create = (id, more = {}) => ({ operationType: BulkOperationType.Create, partitionKey: 'a', resourceBody: { id, pk: 'a', ...more } });

/** One operation of each kind on items of key a, and the statuses that they have in this order. */
const everyKind = () => [
  create('1', { n: 1 }),
  { operationType: BulkOperationType.Upsert, partitionKey: 'a', resourceBody: { id: '2', pk: 'a' } },
  { operationType: BulkOperationType.Read, partitionKey: 'a', id: '1' },
  { operationType: BulkOperationType.Replace, partitionKey: 'a', id: '1', resourceBody: { id: '1', pk: 'a', n: 2 } },
  { operationType: BulkOperationType.Patch, partitionKey: 'a', id: '1', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 3 }] } },
  { operationType: BulkOperationType.Delete, partitionKey: 'a', id: '2' },
];
const everyStatus = [201, 201, 200, 200, 200, 204];

export function items({ endpoint, key, database, container, control, name, things, fakeVault }) {
  const some = () => container(name('some'));
  const encrypting = () => new CosmosClient({ endpoint, key, clientEncryptionOptions: { keyEncryptionKeyResolver: fakeVault } });

  return {
    Items: {
      create: async () => {
        const made = await some();
        const { resource, statusCode, item } = await made.items.create({ pk: 'a', text: 'für \u2028 alle' });
        assert.equal(statusCode, 201);
        assert.match(resource.id, /^[0-9a-f-]{36}$/);
        assert.equal((await item.read()).resource.text, 'für \u2028 alle');
        await refused(() => made.items.create({ id: resource.id, pk: 'a' }), 409);
      },
      upsert: async () => {
        const made = await some();
        assert.equal((await made.items.upsert({ id: '1', pk: 'a' })).statusCode, 201);
        assert.equal((await made.items.upsert({ id: '1', pk: 'a' })).statusCode, 200);
      },
      readAll: async () => assert.equal((await only(things.items.readAll())).length, 60),
      query: async () => {
        const spec = { query: 'SELECT VALUE c.n FROM c WHERE c.n < @most ORDER BY c.n', parameters: [{ name: '@most', value: 3 }] };
        assert.deepEqual(await only(things.items.query(spec)), [0, 1, 2]);
      },
      batch: async () => {
        const made = await some();
        const { result, code } = await made.items.batch(everyKind().map(({ partitionKey, ...operation }) => operation), 'a');
        assert.equal(code, 200);
        assert.deepEqual(result.map((one) => one.statusCode), everyStatus);
        assert.equal(result[4].resourceBody.n, 5);
        const broken = await made.items.batch([create('9'), create('1')].map(({ partitionKey, ...operation }) => operation), 'a');
        assert.deepEqual([broken.code, broken.result.map((one) => one.statusCode)], [207, [424, 409]]);
      },
      bulk: async () => {
        const made = await some();
        const result = await made.items.bulk(everyKind(), { continueOnError: true });
        assert.deepEqual(result.map((one) => one.statusCode), everyStatus);
        assert.equal(result[4].resourceBody.n, 5);
      },
      executeBulkOperations: async () => {
        const made = await some();
        const result = await made.items.executeBulkOperations([...everyKind(), create('1'), { operationType: 'Read', partitionKey: 'a', id: 'none' }]);
        assert.deepEqual(result.map((one) => one.response?.statusCode ?? one.error.code), [...everyStatus, 409, 404]);
        // A split between two calls: the SDK groups the operations anew.
        const [range] = await only(made.readPartitionKeyRanges());
        await control(made, 'split', { range: range.id });
        const many = Array.from({ length: 40 }, (_, n) => ({ ...create(`${n}`), partitionKey: `k${n}`, resourceBody: { id: `${n}`, pk: `k${n}` } }));
        const after = await made.items.executeBulkOperations(many);
        assert.deepEqual(new Set(after.map((one) => one.response?.statusCode ?? one.error)), new Set([201]));
      },
      readChangeFeed: async () => {
        const feed = things.items.readChangeFeed('key-1', { startFromBeginning: true });
        assert.equal((await feed.fetchNext()).result.length, 5);
      },
      changeFeed: async () => {
        const feed = things.items.changeFeed('key-1', { startFromBeginning: true });
        assert.equal((await feed.fetchNext()).count, 5);
      },
      getChangeFeedIterator: async () => {
        const start = { changeFeedStartFrom: ChangeFeedStartFrom.Beginning() };
        assert.equal((await drain(things.items.getChangeFeedIterator(start))).seen.length, 60);
      },
      getEncryptionQueryIterator: async () => {
        const own = encrypting();
        const builder = new sdk.EncryptionQueryBuilder('SELECT * FROM c WHERE c.n = @n');
        builder.addUnencryptedParameter('@n', 3, '/n');
        const items = own.database(database.id).container(things.id).items;
        const iterator = await items.getEncryptionQueryIterator(builder);
        assert.deepEqual(ids(await only(iterator)), ['item-3']);
        own.dispose();
      },
      ...internal('buildSqlQuerySpec executeBatchOperations createNewBatches groupOperationsBasedOnPartitionKey bulkBatchEncryptionHelper'),
    },

    Item: {
      read: async () => {
        const { resource, etag, statusCode } = await things.item('item-1', 'key-1').read();
        assert.deepEqual([statusCode, resource._etag, resource.n], [200, etag, 1]);
        assert.equal((await things.item('none', 'key-1').read()).statusCode, 404);
      },
      replace: async () => {
        const made = await some();
        const { item } = await made.items.create({ id: '1', pk: 'a' });
        assert.deepEqual((({ statusCode, resource }) => [statusCode, resource.n])(await item.replace({ id: '1', pk: 'a', n: 2 })), [200, 2]);
        await refused(() => made.item('2', 'a').replace({ id: '2', pk: 'a' }), 404);
      },
      delete: async () => {
        const { item } = await (await some()).items.create({ id: '1', pk: 'a' });
        assert.equal((await item.delete()).statusCode, 204);
        await refused(() => item.delete(), 404);
      },
      patch: async () => {
        const { item } = await (await some()).items.create({ id: '1', pk: 'a', n: 1, old: 1 });
        const operations = [
          { op: 'add', path: '/a', value: 1 },
          { op: 'set', path: '/b', value: 2 },
          { op: 'replace', path: '/b', value: 3 },
          { op: 'incr', path: '/n', value: 1 },
          { op: 'remove', path: '/old' },
        ];
        const { a, b, n, old } = (await item.patch(operations)).resource;
        assert.deepEqual([a, b, n, old], [1, 3, 2, undefined]);
        await refused(() => item.patch({ condition: 'FROM c WHERE c.n = 1', operations: operations.slice(0, 1) }), 412);
      },
      ...reference('url'),
    },

    Conflicts: {
      query: async () => assert.deepEqual(await only(things.conflicts.query('SELECT * FROM c')), []),
      readAll: async () => assert.deepEqual(await only(things.conflicts.readAll()), []),
    },

    Conflict: {
      // The SDK signs this one as a read of a user, which no service accepts.
      read: refusal(401, () => things.conflict('none', 'a').read(), /authorization token/),
      delete: refusal(404, () => things.conflict('none', 'a').delete(), /no conflicts/),
      ...reference('url'),
    },

    PartitionKeyBuilder: {
      addValue: async () => {
        const deep = await hierarchical();
        const partitionKey = new sdk.PartitionKeyBuilder().addValue('t').addValue(7).build();
        await deep.items.create({ id: '1', tenant: 't', user: 7 });
        assert.equal((await deep.item('1', partitionKey).read()).statusCode, 200);
      },
      addNullValue: async () => {
        const deep = await hierarchical();
        const partitionKey = new sdk.PartitionKeyBuilder().addValue('t').addNullValue().build();
        await deep.items.create({ id: '1', tenant: 't', user: null });
        assert.equal((await deep.item('1', partitionKey).read()).statusCode, 200);
      },
      addNoneValue: async () => {
        const deep = await hierarchical();
        const partitionKey = new sdk.PartitionKeyBuilder().addValue('t').addNoneValue().build();
        await deep.items.create({ id: '1', tenant: 't' });
        assert.equal((await deep.item('1', partitionKey).read()).statusCode, 200);
        assert.deepEqual(ids(await only(deep.items.query('SELECT * FROM c', { partitionKey }))), ['1']);
      },
      build: { local: 'the value of the calls above' },
    },
  };

  async function hierarchical() {
    return container(name('deep'), { partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 } });
  }
}
