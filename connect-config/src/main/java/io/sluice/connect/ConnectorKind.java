package io.sluice.connect;

import java.util.Arrays;
import java.util.Optional;

/** The two connectors of the Azure Cosmos connector V2. */
enum ConnectorKind {
    SOURCE("com.azure.cosmos.kafka.connect.CosmosSourceConnector", "source."),
    SINK("com.azure.cosmos.kafka.connect.CosmosSinkConnector", "sink.");

    private final String className;
    private final String section;

    ConnectorKind(String className, String section) {
        this.className = className;
        this.section = section;
    }

    String className() {
        return className;
    }

    /** {@code azure.cosmos.source.} or {@code azure.cosmos.sink.} */
    String keyPrefix() {
        return ConnectorKeys.PREFIX + section;
    }

    static Optional<ConnectorKind> ofClass(String className) {
        return Arrays.stream(values())
                .filter(kind -> kind.className.equals(className))
                .findFirst();
    }
}
