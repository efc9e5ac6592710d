// Definitions of databases, containers and clients.
import assert from 'node:assert/strict';
import { Agent } from 'node:https';
import * as sdk from '@azure/cosmos';
import { refused } from '../checks.mjs';
import { refusal } from './entries.mjs';
import { probes } from './probes.mjs';

export function definitionOptions(given) {
  const { endpoint, key, client, database, name, things, seen, fakeVault } = given;
  const { some, sends, another, connects, policy, throughputOf } = probes(given);

  const token = (claims) => {
    const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');
    return [part({ alg: 'RS256', typ: 'JWT' }), part(claims), Buffer.from(key).toString('base64url')].join('.');
  };

  /** A field of a container is kept, and has this value if it isn't given. */
  const kept = (field, given, without) => async () => {
    assert.deepEqual((await (await some({ [field]: given })).read()).resource[field], given);
    assert.deepEqual((await things.read()).resource[field], without);
  };

  return {
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
