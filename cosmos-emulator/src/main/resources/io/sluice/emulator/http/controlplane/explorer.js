'use strict';

const byId = (id) => document.getElementById(id);
let current = null;

async function ask(path, body) {
  const options = body
    ? { method: 'POST', headers: { 'x-emulator-control': 'true' }, body: JSON.stringify(body) }
    : {};
  const answer = await fetch('/_emulator/' + path, options);
  const json = await answer.json();
  if (!answer.ok) {
    throw new Error(json.message);
  }
  return json;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function pathOf(database, container) {
  return `dbs/${encodeURIComponent(database)}/colls/${encodeURIComponent(container)}/`;
}

async function list() {
  const { databases } = await ask('dbs');
  const nav = byId('containers');
  nav.replaceChildren();
  for (const database of databases) {
    nav.append(element('strong', database.id));
    for (const container of database.containers) {
      const button = element('button', `${container.id} (${container.items} items)`);
      button.onclick = () => open(database.id, container.id);
      nav.append(button);
    }
  }
  if (databases.length === 0) {
    nav.append(element('p', 'There is no database yet.'));
  }
  return databases;
}

async function open(database, container) {
  current = pathOf(database, container);
  byId('container').hidden = false;
  byId('name').textContent = `${database} / ${container}`;
  const { ranges } = await ask(current + 'ranges');
  byId('ranges').replaceChildren(...ranges.map((range) => {
    const row = document.createElement('tr');
    const cells = [range.id, range.minInclusive, range.maxExclusive, range.items, range.lsn, range.parents.join(' ')];
    row.append(...cells.map((cell) => element('td', cell)));
    return row;
  }));
  await run();
}

async function run() {
  const status = byId('status');
  status.className = '';
  try {
    const { documents, more } = await ask(current + 'query', { query: byId('query').value });
    status.textContent = `${documents.length} results${more ? ', and more' : ''}`;
    byId('results').replaceChildren(...documents.map((document) => element('pre', JSON.stringify(document, null, 2))));
  } catch (error) {
    status.className = 'error';
    status.textContent = error.message;
    byId('results').replaceChildren();
  }
}

byId('form').onsubmit = (event) => {
  event.preventDefault();
  run();
};

// A link may name what to show: /?database=…&container=…&query=…
list().then(async (databases) => {
  const asked = new URLSearchParams(location.search);
  if (asked.has('query')) {
    byId('query').value = asked.get('query');
  }
  const database = databases.find((one) => one.id === asked.get('database'));
  if (database && asked.has('container')) {
    await open(database.id, asked.get('container'));
  }
});
