package io.sluice.relay.metrics;

import com.azure.cosmos.CosmosDiagnosticsContext;
import com.azure.cosmos.models.CosmosClientTelemetryConfig;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts the requests to Cosmos DB as the SDK reports them, so that requests which the SDK makes on its own (the
 * feed) are counted too. Operations are the SDK's: a pair of what is done and to what, such as
 * {@code Batch Document}; each page of a query or of the feed counts. Thread-safe.
 */
public final class CosmosMeters {
    private static final int THROTTLED = 429;
    private static final int FIRST_FAILURE = 400;

    private static final int FIRST_FAULT_OF_THE_SERVICE = 500;

    private final MeterRegistry registry;

    /** Meters in this registry. */
    public CosmosMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** The same store, for one client whose requests are counted; call it once for each client. */
    public CosmosStoreConfig metered(CosmosStoreConfig config) {
        var telemetry = new CosmosClientTelemetryConfig().diagnosticsHandler((request, trace) -> record(request));
        return CosmosStoreConfig.of(
                config.clientBuilder().clientTelemetryConfig(telemetry), config.database(), config.container());
    }

    private void record(CosmosDiagnosticsContext request) {
        var took = request.getDuration();
        record(
                operation(request),
                request.getStatusCode(),
                took == null ? Duration.ZERO : took,
                request.getTotalRequestCharge());
    }

    /** Such as {@code create_document}: a label's value without blanks needs no quotes in a query or a shell. */
    private static String operation(CosmosDiagnosticsContext request) {
        return Stream.of(request.getOperationType(), request.getResourceType())
                .filter(Objects::nonNull)
                .map(part -> part.toLowerCase(Locale.ROOT))
                .collect(Collectors.joining("_"));
    }

    void record(String operation, int status, Duration took, double requestUnits) {
        Timer.builder("sluice.relay.cosmos.requests")
                .description("Requests to Cosmos, by operation of the SDK")
                .tag("operation", operation)
                .tag("outcome", outcome(status))
                .register(registry)
                .record(took);
        DistributionSummary.builder("sluice.relay.cosmos.charge")
                .description("What a request cost")
                .baseUnit("request_units")
                .tag("operation", operation)
                .register(registry)
                .record(requestUnits);
        if (status == THROTTLED) {
            Counter.builder("sluice.relay.cosmos.throttles")
                    .description("Answers 429, of the service or of the relay's own share")
                    .tag("operation", operation)
                    .register(registry)
                    .increment();
        }
    }

    private static String outcome(int status) {
        if (status == THROTTLED) {
            return "throttled";
        }
        if (status < FIRST_FAILURE) {
            return "ok";
        }
        return status < FIRST_FAULT_OF_THE_SERVICE ? "refused" : "failed";
    }
}
