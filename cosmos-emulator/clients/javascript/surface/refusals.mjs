// What the emulator does not have, and who may ask.
import assert from 'node:assert/strict';
import * as sdk from '@azure/cosmos';
import { only, reference, refusal } from './entries.mjs';

const { CosmosClient } = sdk;

/** The refusals of resources of a kind: of the named writes, each with its body, and of the lists. */
function feed(resources, writes) {
  return {
    ...Object.fromEntries(Object.entries(writes).map(([write, body]) => [write, refusal(400, () => resources()[write](body))])),
    query: refusal(400, () => only(resources().query('SELECT * FROM c'))),
    readAll: refusal(400, () => only(resources().readAll())),
  };
}

/** The refusals of one of them, and the members that ask nothing. */
function one(resource, replacement, references = 'url') {
  return {
    read: refusal(400, () => resource().read()),
    replace: refusal(400, () => resource().replace(replacement)),
    delete: refusal(400, () => resource().delete()),
    ...reference(references),
  };
}

export function refusals({ endpoint, key, database, things }) {
  const scripts = () => things.scripts;
  const script = { id: 'script', body: 'function () {}' };
  const trigger = { ...script, triggerType: 'Pre', triggerOperation: 'All' };
  const user = () => database.user('someone');
  const permission = { id: 'may', permissionMode: 'Read', resource: things.url };

  return {
    Scripts: reference('storedProcedure trigger userDefinedFunction storedProcedures triggers userDefinedFunctions'),

    StoredProcedures: feed(() => scripts().storedProcedures, { create: script }),

    StoredProcedure: {
      ...one(() => scripts().storedProcedure('script'), script),
      execute: refusal(400, () => scripts().storedProcedure('script').execute('a', [1])),
    },

    Triggers: feed(() => scripts().triggers, { create: trigger }),
    Trigger: one(() => scripts().trigger('script'), trigger),

    UserDefinedFunctions: feed(() => scripts().userDefinedFunctions, { create: script }),
    UserDefinedFunction: one(() => scripts().userDefinedFunction('script'), script),

    Users: feed(() => database.users, { create: { id: 'someone' }, upsert: { id: 'someone' } }),
    User: one(user, { id: 'other' }, 'url permission'),

    Permissions: feed(() => user().permissions, { create: permission, upsert: permission }),
    Permission: one(() => user().permission('may'), permission),

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
