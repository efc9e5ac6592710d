// What the emulator does not have, and who may ask.
import assert from 'node:assert/strict';
import * as sdk from '@azure/cosmos';
import { only, reference, refusal } from './entries.mjs';

const { CosmosClient } = sdk;

export function refusals({ endpoint, key, database, things }) {
  const scripts = () => things.scripts;
  const script = { id: 'script', body: 'function () {}' };
  const trigger = { ...script, triggerType: 'Pre', triggerOperation: 'All' };
  const user = () => database.user('someone');
  const permission = { id: 'may', permissionMode: 'Read', resource: things.url };

  return {
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
  };
}
