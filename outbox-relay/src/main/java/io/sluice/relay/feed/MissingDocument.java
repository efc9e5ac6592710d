package io.sluice.relay.feed;

import com.azure.cosmos.CosmosException;

/** The answer that a document does not exist, told from the SDK's own 404, for which it sent nothing. */
final class MissingDocument {
    private static final int NOT_FOUND = 404;
    /** The SDK knows no physical partitions of the container, as right after it was created. */
    private static final int NO_ROUTING_MAP = 1024;

    private MissingDocument() {}

    static boolean isMeantBy(CosmosException answer) {
        return answer.getStatusCode() == NOT_FOUND && answer.getSubStatusCode() != NO_ROUTING_MAP;
    }
}
