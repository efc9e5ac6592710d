// Options of queries and change feeds.
import assert from 'node:assert/strict';
import { ChangeFeedMode, ChangeFeedStartFrom } from '@azure/cosmos';
import { drain, ids } from '../checks.mjs';
import { refusal } from './entries.mjs';
import { probes } from './probes.mjs';

export function feedOptions(given) {
  const { client, things, seen } = given;
  const { some, sends, tokenOf } = probes(given);

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

  return {
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
        // The first page of a feed from a point in time has no items.
        const from = async (ms) => {
          const pages = things.items.changeFeed('key-1', { startTime: new Date(Date.now() + ms) });
          assert.equal((await pages.fetchNext()).count, 0);
          return (await pages.fetchNext()).count;
        };
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
  };

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
}
