// Queries and change feeds, page by page.
import assert from 'node:assert/strict';
import * as sdk from '@azure/cosmos';
import { drain, ids } from '../checks.mjs';
import { all, internal, local, value } from './entries.mjs';

const { ChangeFeedMode, ChangeFeedStartFrom } = sdk;

export function iterators({ container, filled, name, things }) {
  const some = () => container(name('some'));

  return {
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
  };
}
