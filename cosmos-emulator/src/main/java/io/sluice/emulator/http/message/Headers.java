package io.sluice.emulator.http.message;

/** Names of headers on the wire. */
public final class Headers {
    public static final String ACTIVITY_ID = "x-ms-activity-id";
    public static final String A_IM = "A-IM";
    public static final String AUTHORIZATION = "authorization";
    public static final String BATCH_ATOMIC = "x-ms-cosmos-batch-atomic";
    public static final String BATCH_CONTINUE_ON_ERROR = "x-ms-cosmos-batch-continue-on-error";
    public static final String CONTAINER_PATH = "x-ms-alt-content-path";
    public static final String CONTAINER_RID = "x-ms-content-path";
    public static final String CONTINUATION = "x-ms-continuation";
    public static final String CONTROL = "x-emulator-control";
    public static final String CROSS_PARTITION = "x-ms-documentdb-query-enablecrosspartition";
    public static final String END_EPK = "x-ms-end-epk";
    public static final String ETAG = "etag";
    public static final String FEED_FORMAT = "x-ms-cosmos-changefeed-wire-format-version";
    public static final String GATEWAY_VERSION = "x-ms-gatewayversion";
    public static final String IF_MATCH = "If-Match";
    public static final String IF_MODIFIED_SINCE = "If-Modified-Since";
    public static final String IF_NONE_MATCH = "If-None-Match";
    public static final String INDEX_METRICS = "x-ms-cosmos-index-utilization";
    public static final String INTENDED_RID = "x-ms-cosmos-intended-collection-rid";
    public static final String IS_BATCH = "x-ms-cosmos-is-batch-request";
    static final String IS_QUERY = "x-ms-documentdb-isquery";
    public static final String IS_QUERY_PLAN = "x-ms-cosmos-is-query-plan-request";
    public static final String IS_UPSERT = "x-ms-documentdb-is-upsert";
    public static final String ITEM_COUNT = "x-ms-item-count";
    public static final String ITEM_LSN = "x-ms-item-lsn";
    public static final String LSN = "lsn";
    public static final String MAX_ITEM_COUNT = "x-ms-max-item-count";
    public static final String OFFER_AUTOPILOT = "x-ms-cosmos-offer-autopilot-settings";
    public static final String OFFER_MINIMUM = "x-ms-cosmos-min-throughput";
    public static final String OFFER_REPLACE_PENDING = "x-ms-offer-replace-pending";
    public static final String OFFER_THROUGHPUT = "x-ms-offer-throughput";
    public static final String PARTITION_KEY = "x-ms-documentdb-partitionkey";
    public static final String PARTITION_KEY_RANGE = "x-ms-documentdb-partitionkeyrangeid";
    public static final String POPULATE_INDEX_METRICS_V2 = "x-ms-cosmos-populateindexmetrics-V2";
    public static final String DIRECT_EXECUTION = "x-ms-cosmos-query-optimisticdirectexecute";
    public static final String REQUIRES_DISTRIBUTION = "x-ms-cosmos-query-requiresdistribution";
    public static final String POPULATE_QUOTA = "x-ms-documentdb-populatequotainfo";
    public static final String POPULATE_STATISTICS = "x-ms-documentdb-populatepartitionstatistics";
    public static final String RESOURCE_QUOTA = "x-ms-resource-quota";
    public static final String RESOURCE_USAGE = "x-ms-resource-usage";
    public static final String INDEX_PROGRESS = "x-ms-documentdb-collection-index-transformation-progress";
    public static final String POPULATE_INDEX_METRICS = "x-ms-cosmos-populateindexmetrics";
    public static final String POPULATE_QUERY_METRICS = "x-ms-documentdb-populatequerymetrics";
    public static final String POST_TRIGGERS = "x-ms-documentdb-post-trigger-include";
    public static final String PRE_TRIGGERS = "x-ms-documentdb-pre-trigger-include";
    static final String PREFER = "Prefer";
    public static final String QUERY_METRICS = "x-ms-documentdb-query-metrics";
    public static final String REQUEST_CHARGE = "x-ms-request-charge";
    public static final String REQUEST_DURATION = "x-ms-request-duration-ms";
    public static final String RETRY_AFTER = "x-ms-retry-after-ms";
    public static final String SERIALIZATION_FORMATS = "x-ms-cosmos-supported-serialization-formats";
    public static final String SERVICE_VERSION = "x-ms-serviceversion";
    public static final String SESSION_TOKEN = "x-ms-session-token";
    public static final String START_EPK = "x-ms-start-epk";
    public static final String SUB_STATUS = "x-ms-substatus";
    public static final String SUPPORTED_QUERY_FEATURES = "x-ms-cosmos-supported-query-features";
    public static final String X_DATE = "x-ms-date";

    private Headers() {}
}
