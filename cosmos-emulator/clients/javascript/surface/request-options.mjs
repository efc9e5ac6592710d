// Options of single requests, of batches and of their operations.
import assert from 'node:assert/strict';
import * as sdk from '@azure/cosmos';
import { refused } from '../checks.mjs';
import { refusal } from './entries.mjs';
import { probes } from './probes.mjs';

const { BulkOperationType } = sdk;

export function requestOptions(given) {
  const { endpoint, client, database, things } = given;
  const { some, item, sends, harmless, tokenOf, throughputOf, operation, body } = probes(given);
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
  };
}
