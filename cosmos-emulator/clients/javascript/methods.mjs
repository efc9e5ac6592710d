// One entry for everything the SDK exports: a check, a refusal, or why a member doesn't reach the service.
import assert from 'node:assert/strict';
import * as sdk from '@azure/cosmos';
import { drain, ids, refused } from './checks.mjs';

const { BulkOperationType, ChangeFeedMode, ChangeFeedStartFrom, CosmosClient } = sdk;

/** Members that don't reach the service, and why. */
export const local = (reason, names = '') => Object.fromEntries(names.split(' ').filter(Boolean).map((name) => [name, { local: reason }]));
/** A whole export that doesn't reach the service, with the names it has. */
export const value = (reason, names = '') => ({ '': { local: reason }, ...local(reason, names) });
/** A call that the emulator refuses with this status. */
export const refusal = (status, call, message = /not supported by this emulator/) => ({ refused: status, call, message });

const reference = (names) => local('makes a reference, asks nothing', names);
const internal = (names) => local('internal: public methods use it', names);
const enumeration = (names) => value('an enumeration', names);

const only = async (iterator) => (await iterator.fetchAll()).resources;
const create = (id, more = {}) => ({ operationType: BulkOperationType.Create, partitionKey: 'a', resourceBody: { id, pk: 'a', ...more } });

async function all(pages) {
  const seen = [];
  for await (const page of pages) {
    seen.push(...(page.resources ?? page.result));
  }
  return seen;
}

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

export function methods({ endpoint, key, client, database, container, filled, control, things, seen, fakeVault }) {
  let count = 0;
  const some = () => container(`some-${count++}`);
  const name = (kind) => `${kind}-${count++}`;
  const scripts = () => things.scripts;
  const script = { id: 'script', body: 'function () {}' };
  const trigger = { ...script, triggerType: 'Pre', triggerOperation: 'All' };
  const user = () => database.user('someone');
  const permission = { id: 'may', permissionMode: 'Read', resource: things.url };

  async function withOffer() {
    const made = await container(name('offered'), {}, { offerThroughput: 500 });
    return { made, read: await made.readOffer() };
  }

  const encrypting = () => new CosmosClient({ endpoint, key, clientEncryptionOptions: { keyEncryptionKeyResolver: fakeVault } });
  const wrap = { type: 'AZURE_KEY_VAULT', name: 'k', value: 'https://vault/keys/k', algorithm: 'RSA-OAEP' };

  return {
    CosmosClient: {
      getDatabaseAccount: async () => {
        const { resource, statusCode } = await client.getDatabaseAccount();
        assert.equal(statusCode, 200);
        assert.equal(resource.consistencyPolicy, 'Session');
        assert.ok(resource.writableLocations.length > 0 && resource.readableLocations.length > 0);
        assert.equal(resource.enableMultipleWritableLocations, false);
      },
      ...Object.fromEntries(
        ['getWriteEndpoint', 'getReadEndpoint'].map((method) => [
          method,
          async () => assert.equal(new URL(await client[method]()).port, new URL(endpoint).port),
        ]),
      ),
      ...Object.fromEntries(
        ['getWriteEndpoints', 'getReadEndpoints'].map((method) => [
          method,
          async () => {
            const own = new CosmosClient({ endpoint, key });
            await own.database(database.id).read();
            assert.deepEqual((await own[method]()).map((one) => new URL(one).port), [new URL(endpoint).port]);
            own.dispose();
          },
        ]),
      ),
      ...reference('database offer'),
      dispose: { local: 'ends the refreshing of endpoints' },
      updateHostFramework: async () => {
        const own = new CosmosClient({ endpoint, key, plugins: seen.plugins });
        await own.updateHostFramework('framework');
        await own.database(database.id).read();
        assert.match(seen.last().headers['User-Agent'], /framework/);
        own.dispose();
      },
      ...internal('initializeClientConfigDiagnostic getDatabaseAccountInternal backgroundRefreshEndpointList'),
    },

    Databases: {
      create: async () => {
        const made = await client.databases.create({ id: name('created'), throughput: 400 });
        assert.equal(made.statusCode, 201);
        assert.equal((await made.database.readOffer()).resource.content.offerThroughput, 400);
        await refused(() => client.databases.create({ id: made.database.id }), 409);
        await made.database.delete();
      },
      createIfNotExists: async () => {
        assert.equal((await client.databases.createIfNotExists({ id: database.id })).statusCode, 200);
        const made = await client.databases.createIfNotExists({ id: name('created') });
        assert.equal(made.statusCode, 201);
        await made.database.delete();
      },
      query: async () => {
        const query = { query: 'SELECT * FROM c WHERE c.id = @id', parameters: [{ name: '@id', value: database.id }] };
        assert.deepEqual(ids(await only(client.databases.query(query))), [database.id]);
      },
      readAll: async () => assert.ok(ids(await only(client.databases.readAll())).includes(database.id)),
      ...internal('createInternal'),
    },

    Database: {
      read: async () => {
        const { resource, statusCode } = await database.read();
        assert.deepEqual([statusCode, resource.id], [200, database.id]);
        await refused(() => client.database('nowhere').read(), 404);
      },
      delete: async () => {
        const made = await client.databases.create({ id: name('deleted') });
        assert.equal((await made.database.delete()).statusCode, 204);
        await refused(() => made.database.read(), 404);
      },
      readOffer: async () => assert.equal((await database.readOffer()).resource, undefined),
      createClientEncryptionKey: refusal(400, async () => {
        const own = encrypting();
        await own.database(database.id).createClientEncryptionKey('k', 'AEAD_AES_256_CBC_HMAC_SHA256', wrap).finally(() => own.dispose());
      }),
      readClientEncryptionKey: refusal(400, () => client.database(database.id).readClientEncryptionKey('k')),
      rewrapClientEncryptionKey: refusal(400, async () => {
        const own = encrypting();
        await own.database(database.id).rewrapClientEncryptionKey('k', wrap).finally(() => own.dispose());
      }),
      ...reference('url container user'),
      ...internal('readInternal'),
    },

    Containers: {
      create: async () => {
        const made = await database.containers.create({ id: name('created'), partitionKey: '/pk', defaultTtl: 100 });
        assert.deepEqual([made.statusCode, made.resource.defaultTtl], [201, 100]);
        assert.deepEqual(made.resource.partitionKey.paths, ['/pk']);
        await refused(() => database.containers.create({ id: made.container.id, partitionKey: '/pk' }), 409);
      },
      createIfNotExists: async () => {
        assert.equal((await database.containers.createIfNotExists({ id: things.id, partitionKey: '/pk' })).statusCode, 200);
        assert.equal((await database.containers.createIfNotExists({ id: name('created'), partitionKey: '/pk' })).statusCode, 201);
      },
      query: async () => {
        const query = { query: 'SELECT * FROM c WHERE c.id = @id', parameters: [{ name: '@id', value: things.id }] };
        assert.deepEqual(ids(await only(database.containers.query(query))), [things.id]);
      },
      readAll: async () => assert.ok(ids(await only(database.containers.readAll())).includes(things.id)),
      ...internal('createInternal'),
    },

    Container: {
      read: async () => {
        const { resource, statusCode, etag } = await things.read();
        assert.deepEqual([statusCode, resource.id, resource._etag], [200, things.id, etag]);
        await refused(() => database.container('nowhere').read(), 404);
      },
      replace: async () => {
        const made = await some();
        const { resource } = await made.read();
        assert.equal((await made.replace({ ...resource, defaultTtl: 7 })).resource.defaultTtl, 7);
        await refused(() => made.replace({ ...resource, partitionKey: { paths: ['/other'] } }), 400);
      },
      delete: async () => {
        const made = await some();
        assert.equal((await made.delete()).statusCode, 204);
        await refused(() => made.read(), 404);
      },
      getPartitionKeyDefinition: async () => {
        const own = new CosmosClient({ endpoint, key });
        const { resource } = await own.database(database.id).container(things.id).getPartitionKeyDefinition();
        assert.deepEqual(resource.paths, ['/pk']);
        own.dispose();
      },
      readOffer: async () => {
        const { read } = await withOffer();
        assert.equal(read.resource.content.offerThroughput, 500);
        assert.equal((await things.readOffer()).resource, undefined);
      },
      getQueryPlan: async () => {
        const { result } = await things.getQueryPlan('SELECT * FROM c ORDER BY c.n DESC');
        assert.deepEqual(result.queryInfo.orderBy, ['Descending']);
        assert.deepEqual([result.queryRanges[0].min, result.queryRanges[0].max], ['', 'FF']);
      },
      readPartitionKeyRanges: async () => {
        const ranges = await only(things.readPartitionKeyRanges());
        assert.equal(ranges[0].minInclusive, '');
        assert.equal(ranges.at(-1).maxExclusive, 'FF');
      },
      getFeedRanges: async () => assert.equal((await things.getFeedRanges()).length, (await only(things.readPartitionKeyRanges())).length),
      deleteAllItemsForPartitionKey: async () => {
        const made = await filled(name('swept'));
        await made.deleteAllItemsForPartitionKey('key-1');
        assert.equal((await only(made.items.query('SELECT * FROM c', { partitionKey: 'key-1' }))).length, 0);
        assert.equal((await only(made.items.readAll())).length, 55);
      },
      initializeEncryption: refusal(400, async () => {
        const path = { path: '/secret', clientEncryptionKeyId: 'k', encryptionType: 'Randomized', encryptionAlgorithm: 'AEAD_AES_256_CBC_HMAC_SHA256' };
        const made = await container(name('encrypted'), { clientEncryptionPolicy: { includedPaths: [path], policyFormatVersion: 1 } });
        const own = encrypting();
        await own.database(database.id).container(made.id).initializeEncryption().finally(() => own.dispose());
      }),
      semanticRerank: { local: 'reaches the service of inference, at an address of its own' },
      ...reference('items scripts conflicts url item conflict'),
      ...internal('readInternal readPartitionKeyDefinition checkAndInitializeEncryption throwIfRequestNeedsARetryPostPolicyRefresh'),
    },

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

    Scripts: reference('storedProcedure trigger userDefinedFunction storedProcedures triggers userDefinedFunctions'),
    StoredProcedures: {
      create: refusal(400, () => scripts().storedProcedures.create(script)),
      query: refusal(400, () => only(scripts().storedProcedures.query('SELECT * FROM c'))),
      readAll: refusal(400, () => only(scripts().storedProcedures.readAll())),
    },
    StoredProcedure: {
      read: refusal(400, () => scripts().storedProcedure('script').read()),
      replace: refusal(400, () => scripts().storedProcedure('script').replace(script)),
      delete: refusal(400, () => scripts().storedProcedure('script').delete()),
      execute: refusal(400, () => scripts().storedProcedure('script').execute('a', [1])),
      ...reference('url'),
    },
    Triggers: {
      create: refusal(400, () => scripts().triggers.create(trigger)),
      query: refusal(400, () => only(scripts().triggers.query('SELECT * FROM c'))),
      readAll: refusal(400, () => only(scripts().triggers.readAll())),
    },
    Trigger: {
      read: refusal(400, () => scripts().trigger('script').read()),
      replace: refusal(400, () => scripts().trigger('script').replace(trigger)),
      delete: refusal(400, () => scripts().trigger('script').delete()),
      ...reference('url'),
    },
    UserDefinedFunctions: {
      create: refusal(400, () => scripts().userDefinedFunctions.create(script)),
      query: refusal(400, () => only(scripts().userDefinedFunctions.query('SELECT * FROM c'))),
      readAll: refusal(400, () => only(scripts().userDefinedFunctions.readAll())),
    },
    UserDefinedFunction: {
      read: refusal(400, () => scripts().userDefinedFunction('script').read()),
      replace: refusal(400, () => scripts().userDefinedFunction('script').replace(script)),
      delete: refusal(400, () => scripts().userDefinedFunction('script').delete()),
      ...reference('url'),
    },

    Users: {
      create: refusal(400, () => database.users.create({ id: 'someone' })),
      upsert: refusal(400, () => database.users.upsert({ id: 'someone' })),
      query: refusal(400, () => only(database.users.query('SELECT * FROM c'))),
      readAll: refusal(400, () => only(database.users.readAll())),
    },
    User: {
      read: refusal(400, () => user().read()),
      replace: refusal(400, () => user().replace({ id: 'other' })),
      delete: refusal(400, () => user().delete()),
      ...reference('url permission'),
    },
    Permissions: {
      create: refusal(400, () => user().permissions.create(permission)),
      upsert: refusal(400, () => user().permissions.upsert(permission)),
      query: refusal(400, () => only(user().permissions.query('SELECT * FROM c'))),
      readAll: refusal(400, () => only(user().permissions.readAll())),
    },
    Permission: {
      read: refusal(400, () => user().permission('may').read()),
      replace: refusal(400, () => user().permission('may').replace(permission)),
      delete: refusal(400, () => user().permission('may').delete()),
      ...reference('url'),
    },

    Offers: {
      query: async () => {
        const { read } = await withOffer();
        const { resource } = read.resource;
        const query = { query: 'SELECT * FROM c WHERE c.resource = @self', parameters: [{ name: '@self', value: resource }] };
        assert.deepEqual((await only(client.offers.query(query))).map((one) => one.content.offerThroughput), [500]);
      },
      readAll: async () => {
        const { read } = await withOffer();
        assert.ok(ids(await only(client.offers.readAll())).includes(read.resource.id));
      },
    },
    Offer: {
      read: async () => {
        const { read } = await withOffer();
        const { resource } = await client.offer(read.resource.id).read();
        assert.equal(resource.content.offerThroughput, 500);
        assert.ok(resource._ts > 0, 'an offer without _ts');
        await refused(() => client.offer('none').read(), 404);
      },
      replace: async () => {
        const { made, read } = await withOffer();
        const { resource } = await read.offer.replace({ ...read.resource, content: { ...read.resource.content, offerThroughput: 900 } });
        assert.equal(resource.content.offerThroughput, 900);
        assert.notEqual(resource._etag, read.resource._etag);
        assert.equal((await made.readOffer()).resource.content.offerThroughput, 900);
      },
      ...reference('url'),
    },

    QueryIterator: {
      fetchAll: async () => assert.equal((await things.items.query('SELECT * FROM c', { maxItemCount: 7 }).fetchAll()).resources.length, 60),
      fetchNext: async () => {
        const page = await things.items.query('SELECT * FROM c', { maxItemCount: 2, partitionKey: 'key-1' }).fetchNext();
        assert.deepEqual([page.resources.length, page.hasMoreResults], [2, true]);
        assert.ok(page.requestCharge > 0 && page.continuationToken && page.activityId);
      },
      hasMoreResults: async () => {
        const iterator = things.items.query('SELECT * FROM c', { partitionKey: 'key-1' });
        assert.equal(iterator.hasMoreResults(), true);
        await iterator.fetchNext();
        assert.equal(iterator.hasMoreResults(), false);
      },
      reset: async () => {
        const iterator = things.items.query('SELECT * FROM c', { maxItemCount: 2, partitionKey: 'key-1' });
        const first = ids((await iterator.fetchNext()).resources);
        iterator.reset();
        assert.deepEqual(ids((await iterator.fetchNext()).resources), first);
      },
      getAsyncIterator: async () => {
        const pages = things.items.query('SELECT VALUE c.n FROM c ORDER BY c.n', { maxItemCount: 7 }).getAsyncIterator();
        assert.deepEqual(await all(pages), Array.from({ length: 60 }, (_, n) => n));
      },
      ...internal(
        'getAsyncIteratorInternal fetchAllInternal fetchNextInternal toArrayImplementation createExecutionContext init _init ' +
          'createHybridQueryExecutionContext createPipelinedExecutionContext fetchQueryPlan needsQueryPlan shouldForceQueryPlan ' +
          'forceQueryPlanExecutionContext handleSplitError',
      ),
    },

    ChangeFeedIterator: {
      fetchNext: async () => {
        const made = await some();
        const feed = made.items.changeFeed('a', { startFromBeginning: true });
        await made.items.create({ id: '1', pk: 'a' });
        const page = await feed.fetchNext();
        assert.deepEqual([ids(page.result), page.statusCode], [['1'], 200]);
        assert.ok(page.etag && page.sessionToken && page.requestCharge > 0);
        await made.items.create({ id: '2', pk: 'a' });
        assert.deepEqual(ids((await feed.fetchNext()).result), ['2']);
      },
      hasMoreResults: async () => {
        const feed = things.items.changeFeed('key-1', { startFromBeginning: true });
        await feed.fetchNext();
        assert.equal(feed.hasMoreResults, true);
        assert.equal((await feed.fetchNext()).statusCode, 304);
        assert.equal(feed.hasMoreResults, false);
      },
      getAsyncIterator: async () => {
        const feed = things.items.changeFeed('key-1', { startFromBeginning: true, maxItemCount: 2 });
        assert.equal((await all(feed.getAsyncIterator())).length, 5);
      },
      ...internal('getFeedResponse'),
      ...local('a constant', 'static.IfNoneMatchAllHeaderValue'),
    },

    // Not exported by name: what Items.getChangeFeedIterator returns.
    ChangeFeedIteratorBuilder: {
      readNext: async () => {
        const made = await some();
        const changeFeedMode = ChangeFeedMode.AllVersionsAndDeletes;
        const now = await drain(made.items.getChangeFeedIterator({ changeFeedMode, changeFeedStartFrom: ChangeFeedStartFrom.Now() }));
        await made.items.create({ id: '1', pk: 'a' });
        await made.item('1', 'a').delete();
        const changeFeedStartFrom = ChangeFeedStartFrom.Continuation(now.continuation);
        const { seen: changes } = await drain(made.items.getChangeFeedIterator({ changeFeedMode, changeFeedStartFrom }));
        assert.deepEqual(changes.map((change) => change.metadata.operationType), ['create', 'delete']);
      },
      hasMoreResults: async () => assert.equal(things.items.getChangeFeedIterator({}).hasMoreResults, true),
      getAsyncIterator: async () => {
        const start = { changeFeedStartFrom: ChangeFeedStartFrom.Beginning('key-1') };
        for await (const page of things.items.getChangeFeedIterator(start).getAsyncIterator()) {
          assert.equal(page.result.length, 5);
          break;
        }
      },
      ...internal('initializeIterator'),
    },

    createAuthorizationSasToken: {
      '': refusal(
        401,
        async () => {
          const scope = { user: 'u', userTag: 't', databaseName: database.id, containerName: things.id, resourceKind: 'ITEM', resourcePath: '' };
          const times = { startTime: new Date(), expiryTime: new Date(Date.now() + 60_000), keyType: 0, partitionKeyValueRanges: [] };
          const reads = { dataPlaneReaderScope: 16, dataPlaneWriterScope: 0, controlPlaneReaderScope: 0, controlPlaneWriterScope: 0 };
          const token = await sdk.createAuthorizationSasToken(key, { ...scope, ...times, ...reads });
          const own = new CosmosClient({ endpoint, tokenProvider: async () => token });
          await own.database(database.id).container(things.id).item('item-1', 'key-1').read().finally(() => own.dispose());
        },
        /takes tokens of the master key/,
      ),
    },
    setAuthorizationTokenHeaderUsingMasterKey: {
      '': async () => {
        const headers = {};
        await sdk.setAuthorizationTokenHeaderUsingMasterKey('get', database.url, 'dbs', headers, key);
        const answer = await fetch(`${endpoint}${database.url}`, { headers });
        assert.deepEqual([answer.status, (await answer.json()).id], [200, database.id]);
      },
    },
    isRestError: value('tells a kind of error'),

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

    ChangeFeedStartFrom: {
      'static.Beginning': async () => {
        const [range] = await things.getFeedRanges();
        const start = (resource) => things.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(resource) });
        assert.equal((await drain(start())).seen.length, 60);
        assert.equal((await drain(start('key-2'))).seen.length, 5);
        assert.ok((await drain(start(range))).seen.length < 60);
      },
      'static.Now': async () => {
        const made = await filled(name('now'));
        const [range] = await made.getFeedRanges();
        for (const resource of [undefined, 'key-1', range]) {
          const feed = made.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now(resource) });
          assert.deepEqual((await drain(feed)).seen, []);
        }
      },
      'static.Time': async () => {
        const made = await filled(name('time'));
        const from = (time, resource) => made.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Time(time, resource) });
        assert.equal((await drain(from(new Date(Date.now() - 3_600_000)))).seen.length, 60);
        assert.equal((await drain(from(new Date(Date.now() - 3_600_000), 'key-1'))).seen.length, 5);
        assert.equal((await drain(from(new Date(Date.now() + 3_600_000)))).seen.length, 0);
      },
      'static.Continuation': async () => {
        const made = await filled(name('continued'));
        for (const resource of [undefined, 'key-1']) {
          const first = await drain(made.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(resource) }));
          await made.items.create({ id: `later-${resource}`, pk: 'key-1' });
          const changeFeedStartFrom = ChangeFeedStartFrom.Continuation(first.continuation);
          assert.deepEqual(ids((await drain(made.items.getChangeFeedIterator({ changeFeedStartFrom }))).seen), [`later-${resource}`]);
        }
      },
    },
    FeedRange: value('a value that getFeedRanges returns'),
    ChangeFeedPolicy: {
      '': async () => {
        const retention = sdk.ChangeFeedRetentionTimeSpan.fromMinutes(10);
        const made = await container(name('policy'), { changeFeedPolicy: new sdk.ChangeFeedPolicy(retention) });
        assert.equal((await made.read()).resource.changeFeedPolicy.retentionDuration, 10);
      },
    },
    ChangeFeedRetentionTimeSpan: value('a length of time', 'getRetentionInMinutes static.fromMinutes'),

    ClientContext: value(
      'internal: what the classes above send with',
      'read queryFeed getQueryPlan queryPartitionKeyRanges delete patch create processQueryFeedResponse applySessionToken replace upsert ' +
        'execute getDatabaseAccount getWriteEndpoint getReadEndpoint getWriteEndpoints getReadEndpoints batch bulk captureSessionToken ' +
        'clearSessionToken recordDiagnostics initializeDiagnosticSettings getSessionParams isMasterResource buildHeaders ' +
        'getContextDerivedPropsForRequestCreation getClientConfig refreshUserAgent getRetryOptions isPartitionLevelFailOverEnabled ' +
        'semanticRerank getOrCreateInferenceService',
    ),
    GlobalEndpointManager: value(
      'internal: chooses among the regions of the account',
      'getReadEndpoint getWriteEndpoint getReadEndpoints getWriteEndpoints getReadLocations markCurrentLocationUnavailableForRead ' +
        'markCurrentLocationUnavailableForWrite canUseMultipleWriteLocations getEffectiveExcludedLocations filterExcludedLocations ' +
        'resolveServiceEndpoint resolveServiceEndpointInternal refreshEndpointList refreshEndpoints refreshStaleUnavailableLocations ' +
        'updateLocation cleanUnavailableLocationList getDatabaseAccountFromAnyEndpoint refreshPPAFFeatureFlag static.getLocationalEndpoint',
    ),
    DiagnosticNodeInternal: value(
      'internal: collects diagnostics',
      'addLog sanitizeHeaders updateTimestamp recordSuccessfulNetworkCall recordFailedNetworkCall recordEndpointResolution addData ' +
        'addChildNode addBulkChildNode initializeChildNode recordQueryResult beginEncryptionDiagnostics endEncryptionDiagnostics ' +
        'toDiagnosticNode toDiagnostic',
    ),
    AzureKeyVaultEncryptionKeyResolver: value('reaches a key vault, not Cosmos DB', 'wrapKey unwrapKey getKeyDetails getOrigin'),
    EncryptionQueryBuilder: value('a query as a value', 'addParameter addUnencryptedParameter toEncryptionSqlQuerySpec'),

    ResourceResponse: value('an answer', 'requestCharge activityId etag'),
    DatabaseResponse: value('an answer'),
    ContainerResponse: value('an answer'),
    ItemResponse: value('an answer'),
    ConflictResponse: value('an answer'),
    OfferResponse: value('an answer'),
    PermissionResponse: value('an answer'),
    UserResponse: value('an answer'),
    TriggerResponse: value('an answer'),
    StoredProcedureResponse: value('an answer', 'sproc'),
    UserDefinedFunctionResponse: value('an answer', 'udf'),
    ClientEncryptionKeyResponse: value('an answer'),
    FeedResponse: value('an answer', 'continuation continuationToken queryMetrics requestCharge activityId correlatedActivityId indexMetrics'),
    ChangeFeedResponse: value('an answer', 'requestCharge activityId continuation sessionToken etag'),
    ChangeFeedIteratorResponse: value('an answer', 'requestCharge activityId continuationToken sessionToken'),
    DatabaseAccount: value(
      'an answer',
      'DatabasesLink MediaLink MaxMediaStorageUsageInMB CurrentMediaStorageUsageInMB ConsistencyPolicy',
    ),
    ErrorResponse: value('an error'),
    TimeoutError: value('an error'),
    AbortError: value('an error'),
    RestError: value('an error', 'static.REQUEST_SEND_ERROR static.PARSE_ERROR'),
    SasTokenProperties: value('a value'),
    CosmosDiagnostics: value('a value'),
    ClientSideMetrics: value('a value', 'add static.createFromArray static.zero'),
    QueryMetrics: value(
      'a value',
      'indexHitRatio add toDelimitedString static.createFromArray static.createFromDelimitedString static.zero',
    ),
    QueryPreparationTimes: value('a value', 'add toDelimitedString static.createFromArray static.createFromDelimitedString static.zero'),
    RuntimeExecutionTimes: value('a value', 'add toDelimitedString static.createFromArray static.createFromDelimitedString static.zero'),
    TimeSpan: value(
      'a value',
      'add subtract compareTo duration equals negate days hours milliseconds seconds ticks totalDays totalHours totalMilliseconds ' +
        'totalMinutes totalSeconds static.fromTicks static.isTimeSpan static.additionDoesOverflow static.subtractionDoesUnderflow ' +
        'static.compare static.interval static.fromMilliseconds static.fromSeconds static.fromMinutes static.fromHours static.fromDays ' +
        'static.zero static.maxValue static.minValue',
    ),

    Constants: value('names and limits of the SDK'),
    QueryMetricsConstants: value('names of the SDK'),
    StatusCodes: value('names of statuses'),
    SasTokenPermissionKind: value('rights of a token that is refused: see createAuthorizationSasToken'),
    DEFAULT_PARTITION_KEY_PATH: {
      '': async () => {
        const { resource } = await database.containers.create({ id: name('keyless') });
        assert.deepEqual(resource.partitionKey.paths, [sdk.DEFAULT_PARTITION_KEY_PATH]);
      },
    },
    // Members too: a new kind of operation or policy is something new to the service.
    BulkOperationType: enumeration('Create Upsert Read Delete Replace Patch'),
    ChangeFeedMode: enumeration('LatestVersion AllVersionsAndDeletes'),
    ConflictResolutionMode: enumeration('Custom LastWriterWins'),
    ConnectionMode: enumeration('0 Gateway'),
    ConsistencyLevel: enumeration('Strong BoundedStaleness Session Eventual ConsistentPrefix'),
    CosmosDbDiagnosticLevel: enumeration('info debug debugUnsafe'),
    CosmosEncryptedNumberType: enumeration('Integer Float'),
    DataType: enumeration('Number String Point LineString Polygon MultiPolygon'),
    DiagnosticNodeType: enumeration(
      'CLIENT_REQUEST_NODE METADATA_REQUEST_NODE HTTP_REQUEST BATCH_REQUEST PARALLEL_QUERY_NODE DEFAULT_QUERY_NODE QUERY_REPAIR_NODE ' +
        'BACKGROUND_REFRESH_THREAD REQUEST_ATTEMPTS',
    ),
    EncryptionAlgorithm: enumeration('AEAD_AES_256_CBC_HMAC_SHA256'),
    EncryptionKeyResolverName: enumeration('AzureKeyVault'),
    EncryptionType: enumeration('DETERMINISTIC RANDOMIZED'),
    GeospatialType: enumeration('Geography Geometry'),
    HTTPMethod: enumeration('get patch post put delete'),
    IndexKind: enumeration('Range Spatial'),
    IndexingMode: enumeration('consistent lazy none'),
    KeyEncryptionAlgorithm: enumeration('RSA_OAEP'),
    MetadataLookUpType: enumeration('PartitionKeyRangeLookUp DatabaseAccountLookUp QueryPlanLookUp DatabaseLookUp ContainerLookUp'),
    OperationType: enumeration('Create Replace Upsert Delete Read Query Execute Batch Patch'),
    PartitionKeyDefinitionVersion: enumeration('1 2 V1 V2'),
    PartitionKeyKind: enumeration('Hash MultiHash'),
    PatchOperationType: enumeration('add replace remove set incr'),
    PermissionMode: enumeration('None Read All'),
    PluginOn: enumeration('request operation'),
    PriorityLevel: enumeration('High Low'),
    ResourceType: enumeration(
      'none database offer user permission container conflicts sproc udf trigger item pkranges partitionkey clientencryptionkey',
    ),
    SpatialType: enumeration('LineString MultiPolygon Point Polygon'),
    TriggerOperation: enumeration('All Create Update Delete Replace'),
    TriggerType: enumeration('Pre Post'),
    UserDefinedFunctionType: enumeration('Javascript'),
    VectorEmbeddingDataType: enumeration('Float16 Float32 UInt8 Int8'),
    VectorEmbeddingDistanceFunction: enumeration('Euclidean Cosine DotProduct'),
    VectorIndexType: enumeration('Flat DiskANN QuantizedFlat'),
  };

  async function hierarchical() {
    return container(name('deep'), { partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 } });
  }
}
