// One entry for everything the SDK exports: a check, a refusal, or why a member doesn't reach the service.
import { items } from './surface/items.mjs';
import { iterators } from './surface/iterators.mjs';
import { refusals } from './surface/refusals.mjs';
import { resources } from './surface/resources.mjs';
import { values } from './surface/values.mjs';

export const methods = (given) => Object.assign({}, ...[resources, items, iterators, refusals, values].map((part) => part(given)));
