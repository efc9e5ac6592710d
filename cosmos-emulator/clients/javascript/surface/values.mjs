// What the SDK exports besides: it doesn't reach the service, but for one constant.
import assert from 'node:assert/strict';
import { DEFAULT_PARTITION_KEY_PATH } from '@azure/cosmos';
import { enumeration, value } from './entries.mjs';

export function values({ database, name }) {
  return {
    isRestError: value('tells a kind of error'),
    ClientContext: value(
      'internal: what the classes above send with',
      'read queryFeed getQueryPlan queryPartitionKeyRanges delete patch create processQueryFeedResponse applySessionToken replace upsert ' +
        'execute getDatabaseAccount getWriteEndpoint getReadEndpoint getWriteEndpoints getReadEndpoints batch bulk captureSessionToken ' +
        'clearSessionToken recordDiagnostics initializeDiagnosticSettings getSessionParams isMasterResource buildHeaders ' +
        'getContextDerivedPropsForRequestCreation getClientConfig refreshUserAgent getRetryOptions isPartitionLevelFailOverEnabled ' +
        'semanticRerank getOrCreateInferenceService',
    ),

    GlobalEndpointManager: value(
      'internal: chooses among the regions of the account',
      'getReadEndpoint getWriteEndpoint getReadEndpoints getWriteEndpoints getReadLocations markCurrentLocationUnavailableForRead ' +
        'markCurrentLocationUnavailableForWrite canUseMultipleWriteLocations getEffectiveExcludedLocations filterExcludedLocations ' +
        'resolveServiceEndpoint resolveServiceEndpointInternal refreshEndpointList refreshEndpoints refreshStaleUnavailableLocations ' +
        'updateLocation cleanUnavailableLocationList getDatabaseAccountFromAnyEndpoint refreshPPAFFeatureFlag static.getLocationalEndpoint',
    ),

    DiagnosticNodeInternal: value(
      'internal: collects diagnostics',
      'addLog sanitizeHeaders updateTimestamp recordSuccessfulNetworkCall recordFailedNetworkCall recordEndpointResolution addData ' +
        'addChildNode addBulkChildNode initializeChildNode recordQueryResult beginEncryptionDiagnostics endEncryptionDiagnostics ' +
        'toDiagnosticNode toDiagnostic',
    ),

    AzureKeyVaultEncryptionKeyResolver: value('reaches a key vault, not Cosmos DB', 'wrapKey unwrapKey getKeyDetails getOrigin'),
    EncryptionQueryBuilder: value('a query as a value', 'addParameter addUnencryptedParameter toEncryptionSqlQuerySpec'),
    ResourceResponse: value('an answer', 'requestCharge activityId etag'),
    DatabaseResponse: value('an answer'),
    ContainerResponse: value('an answer'),
    ItemResponse: value('an answer'),
    ConflictResponse: value('an answer'),
    OfferResponse: value('an answer'),
    PermissionResponse: value('an answer'),
    UserResponse: value('an answer'),
    TriggerResponse: value('an answer'),
    StoredProcedureResponse: value('an answer', 'sproc'),
    UserDefinedFunctionResponse: value('an answer', 'udf'),
    ClientEncryptionKeyResponse: value('an answer'),
    FeedResponse: value('an answer', 'continuation continuationToken queryMetrics requestCharge activityId correlatedActivityId indexMetrics'),
    ChangeFeedResponse: value('an answer', 'requestCharge activityId continuation sessionToken etag'),
    ChangeFeedIteratorResponse: value('an answer', 'requestCharge activityId continuationToken sessionToken'),
    DatabaseAccount: value(
      'an answer',
      'DatabasesLink MediaLink MaxMediaStorageUsageInMB CurrentMediaStorageUsageInMB ConsistencyPolicy',
    ),

    ErrorResponse: value('an error'),
    TimeoutError: value('an error'),
    AbortError: value('an error'),
    RestError: value('an error', 'static.REQUEST_SEND_ERROR static.PARSE_ERROR'),
    SasTokenProperties: value('a value'),
    CosmosDiagnostics: value('a value'),
    ClientSideMetrics: value('a value', 'add static.createFromArray static.zero'),
    QueryMetrics: value(
      'a value',
      'indexHitRatio add toDelimitedString static.createFromArray static.createFromDelimitedString static.zero',
    ),

    QueryPreparationTimes: value('a value', 'add toDelimitedString static.createFromArray static.createFromDelimitedString static.zero'),
    RuntimeExecutionTimes: value('a value', 'add toDelimitedString static.createFromArray static.createFromDelimitedString static.zero'),
    TimeSpan: value(
      'a value',
      'add subtract compareTo duration equals negate days hours milliseconds seconds ticks totalDays totalHours totalMilliseconds ' +
        'totalMinutes totalSeconds static.fromTicks static.isTimeSpan static.additionDoesOverflow static.subtractionDoesUnderflow ' +
        'static.compare static.interval static.fromMilliseconds static.fromSeconds static.fromMinutes static.fromHours static.fromDays ' +
        'static.zero static.maxValue static.minValue',
    ),

    Constants: value('names and limits of the SDK'),
    QueryMetricsConstants: value('names of the SDK'),
    StatusCodes: value('names of statuses'),
    SasTokenPermissionKind: value('rights of a token that is refused: see createAuthorizationSasToken'),
    DEFAULT_PARTITION_KEY_PATH: {
      '': async () => {
        const { resource } = await database.containers.create({ id: name('keyless') });
        assert.deepEqual(resource.partitionKey.paths, [DEFAULT_PARTITION_KEY_PATH]);
      },
    },

    // Members too: a new kind of operation or policy is something new to the service.
    BulkOperationType: enumeration('Create Upsert Read Delete Replace Patch'),
    ChangeFeedMode: enumeration('LatestVersion AllVersionsAndDeletes'),
    ConflictResolutionMode: enumeration('Custom LastWriterWins'),
    ConnectionMode: enumeration('0 Gateway'),
    ConsistencyLevel: enumeration('Strong BoundedStaleness Session Eventual ConsistentPrefix'),
    CosmosDbDiagnosticLevel: enumeration('info debug debugUnsafe'),
    CosmosEncryptedNumberType: enumeration('Integer Float'),
    DataType: enumeration('Number String Point LineString Polygon MultiPolygon'),
    DiagnosticNodeType: enumeration(
      'CLIENT_REQUEST_NODE METADATA_REQUEST_NODE HTTP_REQUEST BATCH_REQUEST PARALLEL_QUERY_NODE DEFAULT_QUERY_NODE QUERY_REPAIR_NODE ' +
        'BACKGROUND_REFRESH_THREAD REQUEST_ATTEMPTS',
    ),

    EncryptionAlgorithm: enumeration('AEAD_AES_256_CBC_HMAC_SHA256'),
    EncryptionKeyResolverName: enumeration('AzureKeyVault'),
    EncryptionType: enumeration('DETERMINISTIC RANDOMIZED'),
    GeospatialType: enumeration('Geography Geometry'),
    HTTPMethod: enumeration('get patch post put delete'),
    IndexKind: enumeration('Range Spatial'),
    IndexingMode: enumeration('consistent lazy none'),
    KeyEncryptionAlgorithm: enumeration('RSA_OAEP'),
    MetadataLookUpType: enumeration('PartitionKeyRangeLookUp DatabaseAccountLookUp QueryPlanLookUp DatabaseLookUp ContainerLookUp'),
    OperationType: enumeration('Create Replace Upsert Delete Read Query Execute Batch Patch'),
    PartitionKeyDefinitionVersion: enumeration('1 2 V1 V2'),
    PartitionKeyKind: enumeration('Hash MultiHash'),
    PatchOperationType: enumeration('add replace remove set incr'),
    PermissionMode: enumeration('None Read All'),
    PluginOn: enumeration('request operation'),
    PriorityLevel: enumeration('High Low'),
    ResourceType: enumeration(
      'none database offer user permission container conflicts sproc udf trigger item pkranges partitionkey clientencryptionkey',
    ),

    SpatialType: enumeration('LineString MultiPolygon Point Polygon'),
    TriggerOperation: enumeration('All Create Update Delete Replace'),
    TriggerType: enumeration('Pre Post'),
    UserDefinedFunctionType: enumeration('Javascript'),
    VectorEmbeddingDataType: enumeration('Float16 Float32 UInt8 Int8'),
    VectorEmbeddingDistanceFunction: enumeration('Euclidean Cosine DotProduct'),
    VectorIndexType: enumeration('Flat DiskANN QuantizedFlat'),
  };
}
