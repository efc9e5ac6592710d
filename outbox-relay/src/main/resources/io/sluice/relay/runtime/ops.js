'use strict';
// Everything that comes from the store is set as text, never as markup.
const byId = id => document.getElementById(id);

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path + ' answered ' + answer.status);
  return answer.json();
}

function table(id, heads, rows) {
  const made = document.createElement('tbody');
  for (const [cells, kind] of [[heads, 'th'], ...rows.map(row => [row, 'td'])]) {
    const line = made.insertRow();
    for (const cell of cells) {
      const field = document.createElement(kind);
      field.textContent = cell === null || cell === undefined ? 'unknown' : String(cell);
      line.append(field);
    }
  }
  byId(id).replaceChildren(made);
}

const time = millis => new Date(millis).toISOString().slice(11, 19);

function draw(samples) {
  const svg = byId('lag');
  svg.replaceChildren();
  const known = samples.filter(sample => sample.seconds !== null);
  const last = samples[samples.length - 1];
  byId('lag-now').textContent = !last ? 'not measured yet'
    : last.seconds === null ? 'now: unknown'
    : 'now: ' + last.seconds + ' s, ' + last.events + ' events';
  if (known.length === 0) return;
  const from = samples[0].atMillis;
  const span = Math.max(1, last.atMillis - from);
  const most = Math.max(1, ...known.map(sample => sample.seconds));
  const add = (kind, attributes, text) => {
    const shape = document.createElementNS('http://www.w3.org/2000/svg', kind);
    Object.entries(attributes).forEach(([name, value]) => shape.setAttribute(name, value));
    if (text) shape.textContent = text;
    svg.append(shape);
  };
  // An unknown lag is a gap in the line, not a zero.
  let run = [];
  const end = () => { if (run.length > 0) add('polyline', { points: (run.length === 1 ? [run[0], run[0]] : run).join(' ') }); run = []; };
  for (const sample of samples) {
    if (sample.seconds === null) end();
    else run.push((60 + 650 * (sample.atMillis - from) / span).toFixed(1) + ',' + (140 - 120 * sample.seconds / most).toFixed(1));
  }
  end();
  add('text', { x: 4, y: 24 }, most + ' s');
  add('text', { x: 4, y: 144 }, '0 s');
  add('text', { x: 60, y: 157 }, time(from));
  add('text', { x: 665, y: 157 }, time(last.atMillis));
}

function show(answer) {
  const now = answer.status;
  byId('name').textContent = answer.relay;
  const state = !answer.live ? 'not live' : !answer.ready ? 'live, not ready' : 'live and ready';
  byId('health').textContent = state + (now.paused.length ? '; paused: ' + now.paused.join(', ') : '');
  byId('health').className = answer.live && answer.ready ? 'well' : 'ill';
  byId('problems').replaceChildren(...now.problems.map(problem => {
    const line = document.createElement('li');
    line.textContent = problem;
    return line;
  }));
  table('figures', ['intents delivered', 'retried', 'parked', 'failed', 'sources waiting', 'events published', 'commands accepted', 'rejected'],
    [[now.intents.delivered, now.intents.retried, now.intents.parked, now.intents.failed, now.intents.sourcesWaiting,
      now.history.published, now.commands.queued, now.commands.refused]]);
  byId('rejected-count').textContent = '(' + (now.commands.rejected === null ? 'unknown' : now.commands.rejected) + ')';
  const states = now.intents.dispatches;
  table('dispatches', ['dispatches pending', 'sent', 'retrying', 'failed', 'malformed', 'circuit'],
    [[states.pending, states.sent, states.retrying, states.failed, now.intents.malformed, states.circuit]]);
  table('ranges', ['range', 'state', 'published', 'lag, events', 'lag, seconds'],
    now.history.ranges.map(range => [range.range, range.state, range.published, range.lagEvents, range.lagSeconds]));
}

async function owners() {
  const shares = await ask('/owners');
  table('owners', ['topic', 'partition', 'member', 'host'],
    shares.partitions.map(owner => [owner.topic, owner.partition, owner.member, owner.host]));
}

async function deadLetters() {
  const dead = await ask('/dead-letters?limit=20');
  byId('dead-count').textContent = '(' + (dead.total === null ? dead.deadLetters.length + ' or more' : dead.total) + ')';
  table('dead', ['failed at', 'source', 'target', 'attempts', 'reason', 'id'],
    dead.deadLetters.map(one => [one.failedAt, one.source, one.target, one.attempts, one.reason, one.id]));
}

async function rejected() {
  const answer = await ask('/commands/rejected?limit=20');
  const commands = answer.rejected;
  byId('rejected-not-read').textContent = answer.notRead === 0 ? ''
    : answer.notRead + ' older records of the dead letter topic were not read: there may be more among them';
  table('rejected', ['rejected at', 'command', 'key', 'place', 'reason', 'id'],
    commands.map(one => [one.rejectedAt, one.commandId, one.key === null ? 'none' : one.key, one.partition + '-' + one.offset, one.reason, one.id]));
}

async function often() {
  show(await ask('/status'));
  draw((await ask('/lag')).samples);
  const events = (await ask('/events')).events;
  table('events', ['at', 'range', 'instance', 'type', 'id'],
    events.slice(-20).reverse().map(event => [time(event.atMillis), event.range, event.instance, event.type, event.id]));
}

function repeat(task, millis) {
  task()
    .catch(failure => { byId('health').textContent = 'no answer: ' + failure.message; byId('health').className = 'ill'; })
    .finally(() => setTimeout(() => repeat(task, millis), millis));
}

repeat(often, 2000);
repeat(owners, 10000);
repeat(deadLetters, 10000);
repeat(rejected, 10000);
