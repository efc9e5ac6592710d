// Calls whose requests and results are looked at.
import assert from 'node:assert/strict';
import { CosmosClient } from '@azure/cosmos';

export function probes({ endpoint, key, database, container, name, things, seen }) {
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

  const tokenOf = async () => (await item().read()).headers['x-ms-session-token'];
  const throughputOf = async (made) => (await made.readOffer()).resource?.content;
  const operation = (operationType, more) => ({ operationType, partitionKey: 'a', ...more });
  const body = (id, more) => ({ resourceBody: { id, pk: 'a', ...more } });

  return { some, item, sends, harmless, another, connects, policy, tokenOf, throughputOf, operation, body };
}
