package io.sluice.emulator.http;

/** Names of headers on the wire. */
final class Headers {
    static final String ACTIVITY_ID = "x-ms-activity-id";
    static final String A_IM = "A-IM";
    static final String AUTHORIZATION = "authorization";
    static final String BATCH_ATOMIC = "x-ms-cosmos-batch-atomic";
    static final String BATCH_CONTINUE_ON_ERROR = "x-ms-cosmos-batch-continue-on-error";
    static final String CONTAINER_PATH = "x-ms-alt-content-path";
    static final String CONTAINER_RID = "x-ms-content-path";
    static final String CONTINUATION = "x-ms-continuation";
    static final String CONTROL = "x-emulator-control";
    static final String CROSS_PARTITION = "x-ms-documentdb-query-enablecrosspartition";
    static final String END_EPK = "x-ms-end-epk";
    static final String ETAG = "etag";
    static final String FEED_FORMAT = "x-ms-cosmos-changefeed-wire-format-version";
    static final String GATEWAY_VERSION = "x-ms-gatewayversion";
    static final String IF_MATCH = "If-Match";
    static final String IF_MODIFIED_SINCE = "If-Modified-Since";
    static final String IF_NONE_MATCH = "If-None-Match";
    static final String INTENDED_RID = "x-ms-cosmos-intended-collection-rid";
    static final String IS_BATCH = "x-ms-cosmos-is-batch-request";
    static final String IS_QUERY = "x-ms-documentdb-isquery";
    static final String IS_QUERY_PLAN = "x-ms-cosmos-is-query-plan-request";
    static final String IS_UPSERT = "x-ms-documentdb-is-upsert";
    static final String ITEM_COUNT = "x-ms-item-count";
    static final String LSN = "lsn";
    static final String MAX_ITEM_COUNT = "x-ms-max-item-count";
    static final String OFFER_AUTOPILOT = "x-ms-cosmos-offer-autopilot-settings";
    static final String OFFER_MINIMUM = "x-ms-cosmos-min-throughput";
    static final String OFFER_REPLACE_PENDING = "x-ms-offer-replace-pending";
    static final String OFFER_THROUGHPUT = "x-ms-offer-throughput";
    static final String PARTITION_KEY = "x-ms-documentdb-partitionkey";
    static final String PARTITION_KEY_RANGE = "x-ms-documentdb-partitionkeyrangeid";
    static final String POPULATE_QUERY_METRICS = "x-ms-documentdb-populatequerymetrics";
    static final String PREFER = "Prefer";
    static final String QUERY_METRICS = "x-ms-documentdb-query-metrics";
    static final String REQUEST_CHARGE = "x-ms-request-charge";
    static final String RETRY_AFTER = "x-ms-retry-after-ms";
    static final String SERVICE_VERSION = "x-ms-serviceversion";
    static final String SESSION_TOKEN = "x-ms-session-token";
    static final String START_EPK = "x-ms-start-epk";
    static final String SUB_STATUS = "x-ms-substatus";
    static final String X_DATE = "x-ms-date";

    private Headers() {}
}
