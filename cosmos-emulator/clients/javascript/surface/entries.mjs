// What the entries are made of: a check is a function; the others say why a member isn't one.

/** Members that don't reach the service, and why. */
export const local = (reason, names = '') => Object.fromEntries(names.split(' ').filter(Boolean).map((name) => [name, { local: reason }]));
/** A whole export that doesn't reach the service, with the names it has. */
export const value = (reason, names = '') => ({ '': { local: reason }, ...local(reason, names) });
/** A call that the emulator refuses with this status. */
export const refusal = (status, call, message = /not supported by this emulator/) => ({ refused: status, call, message });

export const reference = (names) => local('makes a reference, asks nothing', names);
export const internal = (names) => local('internal: public methods use it', names);
export const enumeration = (names) => value('an enumeration', names);

export const only = async (iterator) => (await iterator.fetchAll()).resources;

export async function all(pages) {
  const seen = [];
  for await (const page of pages) {
    seen.push(...(page.resources ?? page.result));
  }
  return seen;
}
