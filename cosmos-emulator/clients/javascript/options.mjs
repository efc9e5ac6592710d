// One entry for every field of the SDK's option bags, by interface: a check of what it does, a refusal, or why it sends nothing.
import { definitionOptions } from './surface/definition-options.mjs';
import { feedOptions } from './surface/feed-options.mjs';
import { requestOptions } from './surface/request-options.mjs';

/** Where the interfaces are declared, next to the module. */
export const declarations = {
  SharedOptions: 'request/SharedOptions.d.ts',
  RequestOptions: 'request/RequestOptions.d.ts',
  FeedOptions: 'request/FeedOptions.d.ts',
  ChangeFeedOptions: 'ChangeFeedOptions.d.ts',
  ChangeFeedIteratorOptions: 'client/ChangeFeed/ChangeFeedIteratorOptions.d.ts',
  BulkOptions: 'utils/batch.d.ts',
  OperationBase: 'utils/batch.d.ts',
  CreateOperationInput: 'utils/batch.d.ts',
  UpsertOperationInput: 'utils/batch.d.ts',
  ReadOperationInput: 'utils/batch.d.ts',
  DeleteOperationInput: 'utils/batch.d.ts',
  ReplaceOperationInput: 'utils/batch.d.ts',
  PatchOperationInput: 'utils/batch.d.ts',
  DatabaseRequest: 'client/Database/DatabaseRequest.d.ts',
  ContainerRequest: 'client/Container/ContainerRequest.d.ts',
  ContainerDefinition: 'client/Container/ContainerDefinition.d.ts',
  CosmosClientOptions: 'CosmosClientOptions.d.ts',
  ConnectionPolicy: 'documents/ConnectionPolicy.d.ts',
  RetryOptions: 'retry/retryOptions.d.ts',
};

export const options = (given) => Object.assign({}, ...[requestOptions, feedOptions, definitionOptions].map((part) => part(given)));
