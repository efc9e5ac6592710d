// One entry for every field of the SDK's option bags, by interface: a check of what it does, a refusal, or why it sends nothing.
import assert from 'node:assert/strict';
import { Agent } from 'node:https';
import * as sdk from '@azure/cosmos';
import { drain, ids, refused } from './checks.mjs';
import { refusal } from './methods.mjs';

const { BulkOperationType, ChangeFeedMode, ChangeFeedStartFrom, CosmosClient } = sdk;

/** Where the interfaces are declared, next to the module. */
export const declarations = {
  SharedOptions: 'request/SharedOptions.d.ts',
  RequestOptions: 'request/RequestOptions.d.ts',
  FeedOptions: 'request/FeedOptions.d.ts',
  ChangeFeedOptions: 'ChangeFeedOptions.d.ts',
  ChangeFeedIteratorOptions: 'client/ChangeFeed/ChangeFeedIteratorOptions.d.ts',
  BulkOptions: 'utils/batch.d.ts',
  OperationBase: 'utils/batch.d.ts',
  CreateOperationInput: 'utils/batch.d.ts',
  UpsertOperationInput: 'utils/batch.d.ts',
  ReadOperationInput: 'utils/batch.d.ts',
  DeleteOperationInput: 'utils/batch.d.ts',
  ReplaceOperationInput: 'utils/batch.d.ts',
  PatchOperationInput: 'utils/batch.d.ts',
  DatabaseRequest: 'client/Database/DatabaseRequest.d.ts',
  ContainerRequest: 'client/Container/ContainerRequest.d.ts',
  ContainerDefinition: 'client/Container/ContainerDefinition.d.ts',
  CosmosClientOptions: 'CosmosClientOptions.d.ts',
  ConnectionPolicy: 'documents/ConnectionPolicy.d.ts',
  RetryOptions: 'retry/retryOptions.d.ts',
};

export function options({ endpoint, key, client, database, container, filled, things, seen, fakeVault }) {
  let count = 0;
  const name = (kind) => `${kind}-${count++}`;
  const some = (more, options) => container(name('option'), more, options);
  const item = () => things.item('item-1', 'key-1');

  /** Makes the call, and asserts that a request of it had this header. */
  async function sends(header, wanted, call) {
    const from = seen.requests.length;
    const result = await call();
    const given = seen.requests.slice(from).map((request) => request.headers[header]);
    assert.ok(given.some((one) => String(one) === String(wanted)), `${header}: ${given}`);
    return result;
  }

  /** A read with these options is answered as one without, and sends this header. */
  const harmless = (header, wanted, more) => async () => {
    const { resource, statusCode } = await sends(header, wanted, () => item().read(more));
    assert.deepEqual([statusCode, resource.n], [200, 1]);
  };

  const numbers = async (more, query = 'SELECT VALUE c.n FROM c WHERE c.n < 30') => {
    const { resources } = await things.items.query(query, more).fetchAll();
    return resources.sort((a, b) => a - b);
  };
  const thirty = Array.from({ length: 30 }, (_, n) => n);
  /** A query with these options has all its results. */
  const complete = (more, header, wanted) => async () => {
    const ask = () => numbers(more);
    assert.deepEqual(header ? await sends(header, wanted, ask) : await ask(), thirty);
  };

  const feed = (more) => things.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), ...more });
  const wholeFeed = (more, header, wanted) => async () => {
    const read = () => drain(feed(more));
    assert.equal((header ? await sends(header, wanted, read) : await read()).seen.length, 60);
  };
  const keyFeed = (more) => things.items.changeFeed('key-1', { startFromBeginning: true, ...more });
  const tokenOf = async () => (await item().read()).headers['x-ms-session-token'];

  const operation = (operationType, more) => ({ operationType, partitionKey: 'a', ...more });
  const body = (id, more) => ({ resourceBody: { id, pk: 'a', ...more } });
  const bulk = async (made, one) => (await made.items.bulk([one], {}))[0].statusCode;
  /** The fields of one kind of operation: it is sent, in a container with item 1, and has this status. */
  const inputs = (type, status, more) => ({
    operationType: async () => {
      const made = await some();
      await made.items.create({ id: '1', pk: 'a', n: 1 });
      assert.equal(await bulk(made, operation(type, more)), status);
      assert.equal(await bulk(made, { ...operation('Read', { id: '1' }), partitionKey: 'b' }), 404);
    },
    partitionKey: { local: 'the check of operationType sends it' },
    ...Object.fromEntries(Object.keys(more).map((field) => [field, { local: 'the check of operationType sends it' }])),
  });
  const matching = (type, more) => async () => {
    const made = await some();
    const { etag } = await made.items.create({ id: '1', pk: 'a', n: 1 });
    assert.equal(await bulk(made, operation(type, { ...more, ifMatch: '"other"' })), 412);
    assert.equal(await bulk(made, operation(type, { ...more, ifMatch: etag })), 200);
  };
  const increment = { id: '1', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] } };

  const another = (more) => new CosmosClient({ endpoint, key, plugins: seen.plugins, ...more });
  /** A client with these options reads, and sends this header if one is named. */
  const connects = (more, header, wanted) => async () => {
    const own = another(more);
    const read = () => own.database(database.id).container(things.id).item('item-1', 'key-1').read();
    const { resource } = header ? await sends(header, wanted, read) : await read();
    assert.equal(resource.n, 1);
    own.dispose();
  };
  const policy = (connectionPolicy) => connects({ connectionPolicy });
  const token = (claims) => {
    const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');
    return [part({ alg: 'RS256', typ: 'JWT' }), part(claims), Buffer.from(key).toString('base64url')].join('.');
  };

  const throughputOf = async (made) => (await made.readOffer()).resource?.content;
  /** A field of a container is kept, and has this value if it isn't given. */
  const kept = (field, given, without) => async () => {
    assert.deepEqual((await (await some({ [field]: given })).read()).resource[field], given);
    assert.deepEqual((await things.read()).resource[field], without);
  };

  return {
    SharedOptions: {
      sessionToken: async () => {
        const sessionToken = await tokenOf();
        await harmless('x-ms-session-token', sessionToken, { sessionToken })();
      },
      initialHeaders: async () => {
        const { etag } = await item().read();
        assert.equal((await item().read({ initialHeaders: { 'If-None-Match': etag } })).statusCode, 304);
      },
      abortSignal: async () => {
        const controller = new AbortController();
        controller.abort();
        await assert.rejects(item().read({ abortSignal: controller.signal }), { name: 'AbortError' });
      },
      maxIntegratedCacheStalenessInMs: harmless('x-ms-dedicatedgateway-max-age', '5000', {
        maxIntegratedCacheStalenessInMs: 5000,
        consistencyLevel: 'Eventual',
      }),
      bypassIntegratedCache: harmless('x-ms-dedicatedgateway-bypass-cache', 'true', { bypassIntegratedCache: true }),
      priorityLevel: harmless('x-ms-cosmos-priority-level', 'Low', { priorityLevel: sdk.PriorityLevel.Low }),
      throughputBucket: harmless('x-ms-cosmos-throughput-bucket', 2, { throughputBucket: 2 }),
      consistencyLevel: harmless('x-ms-consistency-level', 'Eventual', { consistencyLevel: 'Eventual' }),
      disableRUPerMinuteUsage: harmless('x-ms-documentdb-disable-ru-per-minute-usage', true, { disableRUPerMinuteUsage: true }),
      excludedLocations: async () => {
        const { resource } = await client.getDatabaseAccount();
        const excludedLocations = [resource.readableLocations[0].name];
        assert.equal((await item().read({ excludedLocations })).statusCode, 200);
      },
    },

    RequestOptions: {
      accessCondition: async () => {
        const made = await some();
        const { item: one, etag } = await made.items.create({ id: '1', pk: 'a' });
        const when = (type, condition) => ({ accessCondition: { type, condition } });
        await refused(() => one.replace({ id: '1', pk: 'a' }, when('IfMatch', '"other"')), 412);
        await refused(() => one.patch([{ op: 'set', path: '/n', value: 1 }], when('IfMatch', '"other"')), 412);
        await refused(() => one.delete(when('IfMatch', '"other"')), 412);
        assert.equal((await one.read(when('IfNoneMatch', etag))).statusCode, 304);
        assert.equal((await one.delete(when('IfMatch', etag))).statusCode, 204);
      },
      enableScriptLogging: refusal(400, () => things.scripts.storedProcedure('p').execute('a', [], { enableScriptLogging: true })),
      indexingDirective: async () => {
        const made = await some();
        const create = () => made.items.create({ id: '1', pk: 'a' }, { indexingDirective: 'Exclude' });
        assert.equal((await sends('x-ms-indexing-directive', 'Exclude', create)).statusCode, 201);
        assert.equal((await made.item('1', 'a').read()).statusCode, 200);
      },
      offerThroughput: async () => assert.equal((await throughputOf(await some({}, { offerThroughput: 700 }))).offerThroughput, 700),
      offerType: { local: 'names levels of performance, S1 to S3, which are no longer sold' },
      populateQuotaInfo: async () => {
        const { headers } = await things.read({ populateQuotaInfo: true });
        assert.match(headers['x-ms-resource-quota'], /collectionSize=\d+/);
        assert.match(headers['x-ms-resource-usage'], /documentsCount=60;/);
        assert.equal((await things.read()).headers['x-ms-resource-usage'], undefined);
      },
      // Triggers can't be made here, so that any that is named is not found.
      preTriggerInclude: refusal(400, async () => (await some()).items.create({ id: '1', pk: 'a' }, { preTriggerInclude: ['t'] }), /./),
      postTriggerInclude: refusal(400, async () => (await some()).items.create({ id: '1', pk: 'a' }, { postTriggerInclude: 't' }), /./),
      resourceTokenExpirySeconds: refusal(400, () =>
        database.user('u').permission('p').read({ resourceTokenExpirySeconds: 60 }),
      ),
      urlConnection: async () => {
        const { resource } = await client.getDatabaseAccount({ urlConnection: endpoint });
        assert.equal(resource.consistencyPolicy, 'Session');
      },
      disableAutomaticIdGeneration: refusal(400, () => things.items.create({ pk: 'a' }, { disableAutomaticIdGeneration: true }), /id/),
      contentResponseOnWriteEnabled: async () => {
        const made = await some();
        const quiet = { contentResponseOnWriteEnabled: false };
        const create = (id) => ({ operationType: BulkOperationType.Create, ...body(id) });
        const { result } = await made.items.batch([create('1'), operation('Read', { id: '1' })], 'a', quiet);
        assert.deepEqual(result.map((one) => one.resourceBody?.id), [undefined, '1']);
        const [one] = await made.items.bulk([{ ...create('2'), partitionKey: 'a' }], {}, quiet);
        assert.deepEqual([one.statusCode, one.resourceBody], [201, undefined]);
        const [two] = await made.items.executeBulkOperations([{ ...create('3'), partitionKey: 'a' }], quiet);
        assert.deepEqual([two.response.statusCode, two.response.resourceBody], [201, undefined]);
      },
    },

    FeedOptions: {
      continuation: async () => assert.deepEqual(await twoPages('continuation'), 5),
      continuationToken: async () => assert.deepEqual(await twoPages('continuationToken'), 5),
      continuationTokenLimitInKB: complete(
        { continuationTokenLimitInKB: 2, maxItemCount: 4 },
        'x-ms-documentdb-responsecontinuationtokenlimitinkb',
        2,
      ),
      enableScanInQuery: async () => {
        const made = await some({ indexingPolicy: { indexingMode: 'none', automatic: false } });
        await made.items.create({ id: '1', pk: 'a', n: 1 });
        const ask = () => made.items.query('SELECT * FROM c WHERE c.n = 1', { enableScanInQuery: true }).fetchAll();
        assert.deepEqual(ids((await sends('x-ms-documentdb-query-enable-scan', true, ask)).resources), ['1']);
      },
      maxDegreeOfParallelism: complete({ maxDegreeOfParallelism: -1 }, 'x-ms-documentdb-query-parallelizecrosspartitionquery', true),
      maxItemCount: async () => {
        const pages = [];
        for await (const page of things.items.query('SELECT * FROM c', { maxItemCount: 2, partitionKey: 'key-1' }).getAsyncIterator()) {
          pages.push(page.resources.length);
        }
        assert.deepEqual(pages, [2, 2, 1]);
      },
      useIncrementalFeed: async () => {
        const read = () => things.items.query(undefined, { useIncrementalFeed: true, partitionKey: 'key-1' }).fetchNext();
        assert.equal((await sends('A-IM', 'Incremental Feed', read)).resources.length, 5);
      },
      accessCondition: async () => {
        const one = { useIncrementalFeed: true, partitionKey: 'key-1', maxItemCount: 2 };
        const { headers } = await things.items.query(undefined, one).fetchNext();
        const accessCondition = { type: 'IfNoneMatch', condition: headers.etag };
        const rest = await things.items.query(undefined, { ...one, maxItemCount: 10, accessCondition }).fetchNext();
        assert.equal(rest.resources.length, 3);
      },
      populateQueryMetrics: async () => {
        const { queryMetrics } = await things.items
          .query('SELECT * FROM c WHERE c.n < 30', { populateQueryMetrics: true, partitionKey: 'key-1' })
          .fetchNext();
        const [metrics] = Object.values(queryMetrics);
        assert.equal(metrics.outputDocumentCount, 3);
        assert.ok(metrics.retrievedDocumentCount >= 3 && metrics.outputDocumentSize > 0);
        const total = await things.items.query('SELECT * FROM c', { populateQueryMetrics: true }).fetchAll();
        assert.equal(Object.values(total.queryMetrics).reduce((sum, one) => sum + one.outputDocumentCount, 0), 60);
      },
      bufferItems: complete({ bufferItems: true, maxItemCount: 4 }),
      forceQueryPlan: complete({ forceQueryPlan: true, maxItemCount: 4 }),
      partitionKey: async () => {
        assert.deepEqual(await numbers({ partitionKey: 'key-1' }), [1, 13, 25]);
        const deep = await some({ partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 } });
        for (let n = 0; n < 12; n++) {
          await deep.items.create({ id: `${n}`, tenant: `t${n % 2}`, user: n % 3 });
        }
        const of = async (partitionKey) => (await deep.items.query('SELECT * FROM c', { partitionKey }).fetchAll()).resources.length;
        assert.deepEqual([await of(['t1', 2]), await of(['t1', 7])], [2, 0]);
      },
      populateIndexMetrics: async () => {
        const { indexMetrics } = await things.items
          .query("SELECT * FROM c WHERE c.n > 3 AND c.kind = 'k1'", { populateIndexMetrics: true, partitionKey: 'key-1' })
          .fetchNext();
        const { UtilizedIndexes, PotentialIndexes } = JSON.parse(indexMetrics);
        const paths = (indexes) => indexes.SingleIndexes.map((one) => one.IndexSpec);
        assert.ok(paths(UtilizedIndexes).includes('/n/?'), indexMetrics);
        assert.deepEqual(paths(PotentialIndexes), []);
      },
      vectorSearchBufferSize: vectors({ vectorSearchBufferSize: 100 }),
      allowUnboundedNonStreamingQueries: vectors({ allowUnboundedNonStreamingQueries: true }),
      disableNonStreamingOrderByQuery: async () => {
        const more = { disableNonStreamingOrderByQuery: true };
        const query = 'SELECT VALUE c.n FROM c WHERE c.n < 30 ORDER BY c.n';
        const from = seen.requests.length;
        assert.deepEqual(await numbers(more, query), thirty);
        assert.doesNotMatch(features(from), /NonStreamingOrderBy/);
      },
      disableHybridSearchQueryPlanOptimization: async () => {
        const from = seen.requests.length;
        assert.deepEqual(await numbers({ disableHybridSearchQueryPlanOptimization: true }), thirty);
        assert.doesNotMatch(features(from), /HybridSearchSkipOrderByRewrite/);
      },
      enableQueryControl: async () => {
        const iterator = things.items.query('SELECT VALUE c.n FROM c WHERE c.n < 30', { enableQueryControl: true, maxItemCount: 4 });
        const found = [];
        let pages = 0;
        while (iterator.hasMoreResults()) {
          found.push(...((await iterator.fetchNext()).resources ?? []));
          pages++;
        }
        assert.deepEqual(found.sort((a, b) => a - b), thirty);
        assert.ok(pages >= 8, `${pages} pages`);
        const half = things.items.query('SELECT VALUE c.n FROM c ORDER BY c.n', { enableQueryControl: true, maxItemCount: 50 });
        const first = await half.fetchNext();
        const more = { enableQueryControl: true, maxItemCount: 50, continuationToken: first.continuationToken };
        const rest = await things.items.query('SELECT VALUE c.n FROM c ORDER BY c.n', more).fetchAll();
        assert.deepEqual([...(first.resources ?? []), ...rest.resources], Array.from({ length: 60 }, (_, n) => n));
      },
    },

    ChangeFeedOptions: {
      maxItemCount: async () => assert.equal((await keyFeed({ maxItemCount: 2 }).fetchNext()).count, 2),
      continuation: async () => {
        const { continuation } = await keyFeed({ maxItemCount: 2 }).fetchNext();
        assert.equal((await things.items.changeFeed('key-1', { continuation }).fetchNext()).count, 3);
      },
      sessionToken: async () => {
        const sessionToken = await tokenOf();
        assert.equal((await sends('x-ms-session-token', sessionToken, () => keyFeed({ sessionToken }).fetchNext())).count, 5);
      },
      startFromBeginning: async () => {
        assert.equal((await keyFeed().fetchNext()).count, 5);
        assert.equal((await things.items.changeFeed('key-1', {}).fetchNext()).statusCode, 304);
      },
      startTime: async () => {
        const from = async (ms) => (await things.items.changeFeed('key-1', { startTime: new Date(Date.now() + ms) }).fetchNext()).count;
        assert.deepEqual([await from(-3_600_000), await from(3_600_000)], [5, 0]);
      },
    },

    ChangeFeedIteratorOptions: {
      maxItemCount: async () => {
        const start = { changeFeedStartFrom: ChangeFeedStartFrom.Beginning('key-1') };
        assert.equal((await feed({ ...start, maxItemCount: 2 }).readNext()).count, 2);
        await wholeFeed({ maxItemCount: 7 })();
      },
      sessionToken: async () => {
        const sessionToken = await tokenOf();
        const changeFeedStartFrom = ChangeFeedStartFrom.Beginning('key-1');
        const read = () => drain(feed({ sessionToken, changeFeedStartFrom }));
        assert.equal((await sends('x-ms-session-token', sessionToken, read)).seen.length, 5);
      },
      changeFeedStartFrom: async () => {
        const parts = [];
        for (const range of await things.getFeedRanges()) {
          parts.push(...(await drain(feed({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(range) }))).seen);
        }
        assert.equal(new Set(ids(parts)).size, 60);
        const deep = await some({ partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 } });
        for (let n = 0; n < 12; n++) {
          await deep.items.create({ id: `${n}`, tenant: `t${n % 2}`, user: n % 3 });
        }
        const of = async (partitionKey) => {
          const changeFeedStartFrom = ChangeFeedStartFrom.Beginning(partitionKey);
          return (await drain(deep.items.getChangeFeedIterator({ changeFeedStartFrom }))).seen.length;
        };
        assert.deepEqual([await of(['t1']), await of(['t1', 2])], [6, 2]);
      },
      changeFeedMode: async () => {
        await wholeFeed({ changeFeedMode: ChangeFeedMode.LatestVersion }, 'A-IM', 'Incremental Feed')();
        const made = await some();
        const changeFeedMode = ChangeFeedMode.AllVersionsAndDeletes;
        const ranges = await made.getFeedRanges();
        for (const parts of [[undefined], ['a'], ranges]) {
          const ends = [];
          for (const part of parts) {
            const now = { changeFeedMode, changeFeedStartFrom: ChangeFeedStartFrom.Now(part) };
            ends.push((await drain(made.items.getChangeFeedIterator(now))).continuation);
          }
          await made.items.create({ id: '1', pk: 'a', n: 1 });
          await made.items.upsert({ id: '1', pk: 'a', n: 2 });
          await made.item('1', 'a').delete();
          const changes = [];
          for (const end of ends) {
            const later = { changeFeedMode, changeFeedStartFrom: ChangeFeedStartFrom.Continuation(end) };
            changes.push(...(await drain(made.items.getChangeFeedIterator(later))).seen);
          }
          assert.deepEqual(changes.map((one) => one.metadata.operationType), ['create', 'replace', 'delete']);
        }
      },
      excludedLocations: async () => {
        const { resource } = await client.getDatabaseAccount();
        await wholeFeed({ excludedLocations: [resource.readableLocations[0].name] })();
      },
      priorityLevel: wholeFeed({ priorityLevel: 'Low' }, 'x-ms-cosmos-priority-level', 'Low'),
      throughputBucket: wholeFeed({ throughputBucket: 3 }, 'x-ms-cosmos-throughput-bucket', 3),
    },

    BulkOptions: {
      continueOnError: async () => {
        const made = await some();
        const three = () => ['1', '1', '2'].map((id) => operation(BulkOperationType.Create, body(id)));
        const stopped = await made.items.bulk(three(), { continueOnError: false });
        assert.deepEqual(stopped.map((one) => one.statusCode), [201, 409, 424]);
        const other = await some();
        const went = await other.items.bulk(three(), { continueOnError: true });
        assert.deepEqual(went.map((one) => one.statusCode), [201, 409, 201]);
      },
    },

    OperationBase: {
      partitionKey: { local: 'as in the inputs below' },
      ifMatch: { local: 'as in the inputs below' },
      ifNoneMatch: { local: 'as in the inputs below' },
    },
    CreateOperationInput: {
      ...inputs('Create', 201, body('2')),
      ifMatch: { local: 'an item that is created has no version to match' },
      ifNoneMatch: { local: 'an item that is created has no version to match' },
    },
    UpsertOperationInput: {
      ...inputs('Upsert', 200, body('1')),
      ifMatch: matching('Upsert', body('1')),
      ifNoneMatch: { local: 'asks for a version that is read, not written' },
    },
    ReadOperationInput: inputs('Read', 200, { id: '1' }),
    DeleteOperationInput: inputs('Delete', 204, { id: '1' }),
    ReplaceOperationInput: {
      ...inputs('Replace', 200, { id: '1', ...body('1') }),
      ifMatch: matching('Replace', { id: '1', ...body('1') }),
      ifNoneMatch: { local: 'asks for a version that is read, not written' },
    },
    PatchOperationInput: {
      ...inputs('Patch', 200, increment),
      ifMatch: matching('Patch', increment),
      ifNoneMatch: { local: 'asks for a version that is read, not written' },
    },

    DatabaseRequest: throughputs(async (more) => {
      const made = await client.databases.create({ id: name('database'), ...more });
      const content = await throughputOf(made.database);
      await made.database.delete();
      return content;
    }),
    ContainerRequest: {
      ...throughputs(async (more) => throughputOf(await some(more))),
      partitionKey: async () => assert.deepEqual((await (await some({ partitionKey: '/a/b' })).read()).resource.partitionKey.paths, ['/a/b']),
    },
    ContainerDefinition: {
      id: async () => assert.equal((await things.read()).resource.id, things.id),
      partitionKey: async () => assert.deepEqual((await things.read()).resource.partitionKey, { paths: ['/pk'], kind: 'Hash', version: 2 }),
      indexingPolicy: async () => {
        const made = await some({ indexingPolicy: { excludedPaths: [{ path: '/shut/?' }] } });
        const { indexingPolicy } = (await made.read()).resource;
        assert.ok(indexingPolicy.excludedPaths.some((one) => one.path === '/shut/?'));
        assert.equal(indexingPolicy.indexingMode, 'consistent');
      },
      defaultTtl: kept('defaultTtl', 100),
      conflictResolutionPolicy: kept(
        'conflictResolutionPolicy',
        { mode: 'LastWriterWins', conflictResolutionPath: '/rank', conflictResolutionProcedure: '' },
        { mode: 'LastWriterWins', conflictResolutionPath: '/_ts', conflictResolutionProcedure: '' },
      ),
      uniqueKeyPolicy: async () => {
        const made = await some({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/mail'] }] } });
        await made.items.create({ id: '1', pk: 'a', mail: 'x' });
        await refused(() => made.items.create({ id: '2', pk: 'a', mail: 'x' }), 409);
      },
      geospatialConfig: kept('geospatialConfig', { type: 'Geometry' }, { type: 'Geography' }),
      changeFeedPolicy: kept('changeFeedPolicy', { retentionDuration: 10 }),
      computedProperties: async () => {
        const made = await some({ computedProperties: [{ name: 'low', query: 'SELECT VALUE LOWER(c.word) FROM c' }] });
        await made.items.create({ id: '1', pk: 'a', word: 'LOUD' });
        assert.deepEqual((await made.items.query('SELECT VALUE c.low FROM c').fetchAll()).resources, ['loud']);
      },
      vectorEmbeddingPolicy: kept('vectorEmbeddingPolicy', {
        vectorEmbeddings: [{ path: '/v', dataType: 'float32', dimensions: 3, distanceFunction: 'cosine' }],
      }),
      fullTextPolicy: kept('fullTextPolicy', { defaultLanguage: 'en-US', fullTextPaths: [{ path: '/t', language: 'en-US' }] }),
      clientEncryptionPolicy: kept('clientEncryptionPolicy', {
        includedPaths: [
          { path: '/s', clientEncryptionKeyId: 'k', encryptionType: 'Randomized', encryptionAlgorithm: 'AEAD_AES_256_CBC_HMAC_SHA256' },
        ],
        policyFormatVersion: 1,
      }),
    },

    CosmosClientOptions: {
      endpoint: connects({}),
      key: refusal(401, () => reads({ key: Buffer.from('another key').toString('base64') }), /authorization token/),
      resourceTokens: refusal(
        401,
        () => reads({ key: undefined, resourceTokens: { [things.url]: 'type=resource&ver=1&sig=none' } }),
        /takes tokens of the master key/,
      ),
      permissionFeed: refusal(
        401,
        () => reads({ key: undefined, permissionFeed: [{ id: 'p', resource: things.url, _token: 'type=resource&ver=1&sig=none' }] }),
        /takes tokens of the master key/,
      ),
      tokenProvider: connects({
        key: undefined,
        tokenProvider: async ({ verb, resourceId, resourceType, headers }) => {
          const signed = { ...headers };
          await sdk.setAuthorizationTokenHeaderUsingMasterKey(verb, resourceId, resourceType, signed, key);
          headers['x-ms-date'] = signed['x-ms-date'];
          return decodeURIComponent(signed.authorization);
        },
      }),
      aadCredentials: async () => {
        const now = Math.floor(Date.now() / 1000);
        const exp = now + 3600;
        const credential = { getToken: async () => ({ token: token({ oid: 'o', iat: now, nbf: now, exp }), expiresOnTimestamp: exp * 1000 }) };
        await connects({ key: undefined, aadCredentials: credential })();
        const own = another({ key: undefined, aadCredentials: credential });
        await refused(() => own.databases.create({ id: 'never' }), 403, 5300);
        own.dispose();
      },
      connectionPolicy: { local: 'its fields are below' },
      consistencyLevel: connects({ consistencyLevel: 'Eventual' }, 'x-ms-consistency-level', 'Eventual'),
      defaultHeaders: connects({ defaultHeaders: { 'x-own': '1' } }, 'x-own', '1'),
      agent: connects({ agent: new Agent({ keepAlive: true }) }),
      httpClient: { local: 'replaces the way to send' },
      userAgentSuffix: async () => {
        await connects({ userAgentSuffix: 'suffix' })();
        assert.match(seen.last().headers['User-Agent'], /suffix/);
      },
      diagnosticLevel: async () => {
        const own = another({ diagnosticLevel: 'info' });
        const { diagnostics } = await own.database(database.id).container(things.id).item('item-1', 'key-1').read();
        assert.ok(diagnostics.clientSideRequestStatistics.gatewayStatistics.some((one) => one.statusCode === 200));
        own.dispose();
      },
      clientEncryptionOptions: async () => {
        const own = another({ clientEncryptionOptions: { keyEncryptionKeyResolver: fakeVault } });
        await sends('x-ms-cosmos-is-client-encrypted', true, () => own.database(database.id).read());
        own.dispose();
      },
      throughputBucket: connects({ throughputBucket: 4 }, 'x-ms-cosmos-throughput-bucket', 4),
      connectionString: connects({ endpoint: undefined, key: undefined, connectionString: `AccountEndpoint=${endpoint};AccountKey=${key};` }),
      enablePreviewFeatures: { local: 'a switch of the SDK' },
    },
    ConnectionPolicy: {
      connectionMode: policy({ connectionMode: sdk.ConnectionMode.Gateway }),
      requestTimeout: policy({ requestTimeout: 60_000 }),
      enableEndpointDiscovery: policy({ enableEndpointDiscovery: false }),
      preferredLocations: async () => {
        const { resource } = await client.getDatabaseAccount();
        await policy({ preferredLocations: ['Nowhere', resource.readableLocations[0].name] })();
      },
      retryOptions: { local: 'its fields are below' },
      useMultipleWriteLocations: connects({ connectionPolicy: { useMultipleWriteLocations: true } }, 'x-ms-cosmos-allow-tentative-writes', true),
      endpointRefreshRateInMs: policy({ endpointRefreshRateInMs: 100_000 }),
      enableBackgroundEndpointRefreshing: policy({ enableBackgroundEndpointRefreshing: false }),
      enablePartitionLevelFailover: policy({ enablePartitionLevelFailover: true }),
      enablePartitionLevelCircuitBreaker: policy({ enablePartitionLevelCircuitBreaker: true }),
    },
    RetryOptions: {
      maxRetryAttemptCount: policy({ retryOptions: { maxRetryAttemptCount: 1 } }),
      fixedRetryIntervalInMilliseconds: policy({ retryOptions: { fixedRetryIntervalInMilliseconds: 10 } }),
      maxWaitTimeInSeconds: policy({ retryOptions: { maxWaitTimeInSeconds: 1 } }),
    },
  };

  async function reads(more) {
    const own = another(more);
    return own.database(database.id).container(things.id).item('item-1', 'key-1').read().finally(() => own.dispose());
  }

  async function twoPages(field) {
    const ask = (more) => things.items.query('SELECT * FROM c', { maxItemCount: 3, partitionKey: 'key-1', ...more }).fetchNext();
    const first = await ask({});
    const second = await ask({ [field]: first.continuationToken });
    return new Set(ids([...first.resources, ...second.resources])).size;
  }

  function features(from) {
    return seen.requests.slice(from).map((one) => one.headers['x-ms-cosmos-supported-query-features']).filter(Boolean).join(';');
  }

  function vectors(more) {
    const query = 'SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.v, [1, 2, 3])';
    return refusal(400, () => things.items.query(query, more).fetchAll(), /VECTORDISTANCE/i);
  }

  function throughputs(contentWith) {
    return {
      throughput: async () => assert.equal((await contentWith({ throughput: 600 })).offerThroughput, 600),
      maxThroughput: async () => {
        const content = await contentWith({ maxThroughput: 4000 });
        assert.deepEqual([content.offerThroughput, content.offerAutopilotSettings.maxThroughput], [400, 4000]);
      },
      autoUpgradePolicy: async () => {
        const autoUpgradePolicy = { throughputPolicy: { incrementPercent: 10 } };
        const { offerAutopilotSettings } = await contentWith({ maxThroughput: 4000, autoUpgradePolicy });
        assert.deepEqual(offerAutopilotSettings.autoUpgradePolicy, autoUpgradePolicy);
      },
    };
  }
}
