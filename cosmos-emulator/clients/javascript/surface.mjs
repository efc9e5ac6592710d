// Everything that the JavaScript SDK exports, and every field of its options. Arguments: endpoint, key.
// It fails if a call isn't answered as the service answers it, and if the SDK has a member that has no entry, or an entry has no member.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as sdk from '@azure/cosmos';
import { counts, feature, impatient, refused, worker } from './checks.mjs';
import { methods } from './methods.mjs';
import { declarations, options } from './options.mjs';

const [endpoint, key] = process.argv.slice(2);
const requests = [];
const plugins = [
  {
    on: sdk.PluginOn.request,
    plugin: (context, node, next) => {
      requests.push(context);
      return next(context);
    },
  },
];
const seen = { requests, plugins, last: () => requests.at(-1) };
const client = new sdk.CosmosClient({ endpoint, key, ...impatient, plugins });
const { database } = await client.databases.createIfNotExists({ id: 'javascript-surface' });
const work = worker(endpoint, database);
const things = await work.filled('things');
const fakeVault = {
  encryptionKeyResolverName: 'AZURE_KEY_VAULT',
  wrapKey: async (_id, _algorithm, plain) => plain,
  unwrapKey: async (_id, _algorithm, wrapped) => wrapped,
};
const given = { endpoint, key, client, database, things, seen, fakeVault, ...work };

/** The members of a class, the values of an enumeration; '' is the export itself, or the call of a function. */
function membersOf(exported, entries) {
  if (typeof exported !== 'function') {
    const isEnumeration = Object.keys(entries).length > 1;
    return new Set(['', ...(isEnumeration ? Object.keys(exported) : [])]);
  }
  const own = (holder, left) => Object.getOwnPropertyNames(holder ?? {}).filter((name) => !left.includes(name));
  const statics = own(exported, ['length', 'name', 'prototype']).map((name) => `static.${name}`);
  return new Set([...('' in entries ? [''] : []), ...own(exported.prototype, ['constructor']), ...statics]);
}

/** The fields of an interface, from its declaration. */
function fieldsOf(name) {
  const file = new URL(declarations[name], import.meta.resolve('@azure/cosmos'));
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const body = text.match(new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`))?.[1];
  assert.ok(body !== undefined, `no interface ${name}`);
  return new Set([...body.matchAll(/^ {4}(?:readonly )?(\w+)\??:/gm)].map((match) => match[1]));
}

/** What has no entry, and the entries of what is not there. */
function gaps(name, members, entries) {
  const left = [...members].filter((member) => !(member in entries)).map((member) => `${name}.${member} has no entry`);
  const gone = Object.keys(entries).filter((entry) => !members.has(entry)).map((entry) => `${name}.${entry} is not in the SDK`);
  return [...left, ...gone];
}

const table = methods(given);
const bags = options(given);
const totals = { members: 0, fields: 0, checked: 0, refused: 0, local: 0 };
// This one is met without its name.
const exports = { ...sdk, ChangeFeedIteratorBuilder: things.items.getChangeFeedIterator({}).constructor };

await feature('every export and member has an entry', () => {
  const faults = [];
  for (const [name, exported] of Object.entries(exports)) {
    const entries = table[name];
    if (!entries) {
      faults.push(`${name} has no entry`);
      continue;
    }
    const members = membersOf(exported, entries);
    faults.push(...gaps(name, members, entries));
    totals.members += typeof exported === 'function' ? [...members].filter(Boolean).length : 0;
  }
  faults.push(...Object.keys(table).filter((name) => !(name in exports)).map((name) => `${name} is not exported`));
  assert.deepEqual(faults, []);
});

await feature('every field of options has an entry', () => {
  const faults = Object.keys(declarations).flatMap((name) => {
    const fields = fieldsOf(name);
    totals.fields += fields.size;
    return bags[name] ? gaps(name, fields, bags[name]) : [`${name} has no entry`];
  });
  assert.deepEqual(faults, []);
});

async function check(name, entry, isValue) {
  if (entry.local) {
    totals.local += isValue ? 0 : 1;
  } else if (entry.refused) {
    totals.refused++;
    await feature(`${name}: refused with ${entry.refused}`, async () => assert.match((await refused(entry.call, entry.refused)).message, entry.message));
  } else {
    totals.checked++;
    await feature(name, entry);
  }
}

for (const [name, entries] of [...Object.entries(table), ...Object.entries(bags)]) {
  for (const [member, entry] of Object.entries(entries)) {
    await check(member === '' ? name : `${name}.${member}`, entry, typeof exports[name] !== 'function' && name in exports);
  }
}

await database.delete();
const { members, fields, checked, refused: refusals, local } = totals;
console.log(
  `JavaScript: ${Object.keys(sdk).length} exports with ${members} members, ${fields} fields of options: ${checked} checked, ` +
    `${refusals} refused, ${local} that don't reach the service; ${counts.failed} failed`,
);
process.exit(counts.failed === 0 ? 0 : 1);
