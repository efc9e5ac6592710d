// Accounts, databases, containers and offers.
import assert from 'node:assert/strict';
import { CosmosClient } from '@azure/cosmos';
import { ids, refused } from '../checks.mjs';
import { internal, local, only, reference, refusal } from './entries.mjs';

export function resources({ endpoint, key, client, database, container, filled, name, things, seen, fakeVault }) {
  const some = () => container(name('some'));
  const encrypting = () => new CosmosClient({ endpoint, key, clientEncryptionOptions: { keyEncryptionKeyResolver: fakeVault } });
  const wrap = { type: 'AZURE_KEY_VAULT', name: 'k', value: 'https://vault/keys/k', algorithm: 'RSA-OAEP' };

  async function withOffer() {
    const made = await container(name('offered'), {}, { offerThroughput: 500 });
    return { made, read: await made.readOffer() };
  }

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
  };
}
