package io.sluice.provider.cosmos;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.sluice.provider.request.OperationCost;
import io.sluice.provider.request.OperationObserver;
import io.sluice.provider.request.RequestObserver;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What a provider does, as Micrometer meters. Tags are operations and outcomes only, never instances. Thread-safe. */
final class ProviderMeters implements OperationObserver {
    private static final String OPERATION = "operation";

    private final MeterRegistry registry;
    private final ConcurrentMap<String, OperationMeters> operations = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Map<RequestObserver.Kind, Timer>> requests = new ConcurrentHashMap<>();

    private final DistributionSummary partitionBytes;

    /** Meters in this registry. */
    ProviderMeters(MeterRegistry registry) {
        this.registry = registry;
        this.partitionBytes = DistributionSummary.builder("sluice.provider.partition.seen")
                .description("What a fetched turn shows of its instance's partition: current history and messages")
                .baseUnit("bytes")
                .register(registry);
    }

    /**
     * The clock's offset as a gauge.
     *
     * @return removes the gauge, which would keep what it reads alive
     */
    Runnable clockOffset(Supplier<Duration> offset) {
        TimeGauge gauge = TimeGauge.builder(
                        "sluice.provider.clock.offset", () -> offset.get().toMillis(), TimeUnit.MILLISECONDS)
                .description("What has to be added to this machine's clock to get the service's time")
                .register(registry);
        return () -> registry.remove(gauge);
    }

    /** Meters single requests. */
    RequestObserver requests() {
        return request -> {
            Timer timer = requestTimers(request.call().operation()).get(request.kind());
            Objects.requireNonNull(timer).record(request.nanos(), TimeUnit.NANOSECONDS);
        };
    }

    @Override
    public void ended(OperationCost cost, Result result) {
        operations.computeIfAbsent(cost.operation(), OperationMeters::new).record(cost, result);
        if (cost.partitionBytes() > 0) {
            partitionBytes.record((double) cost.partitionBytes());
        }
    }

    private Map<RequestObserver.Kind, Timer> requestTimers(String operation) {
        return requests.computeIfAbsent(operation, name -> {
            Map<RequestObserver.Kind, Timer> timers = new EnumMap<>(RequestObserver.Kind.class);
            for (RequestObserver.Kind kind : RequestObserver.Kind.values()) {
                timers.put(
                        kind,
                        Timer.builder("sluice.provider.requests")
                                .description(
                                        "Requests to the container: a batch, a point read, or all pages of a query")
                                .tag(OPERATION, name)
                                .tag("outcome", kind.name().toLowerCase(Locale.ROOT))
                                .register(registry));
            }
            return timers;
        });
    }

    /** The meters of one operation, looked up once. */
    private final class OperationMeters {
        private final Map<Result, Timer> timers = new EnumMap<>(Result.class);
        private final DistributionSummary requestCount;
        private final DistributionSummary requestUnits;
        private final Counter retries;
        private final Counter conflicts;
        private final Counter throttles;
        private final Counter lockLosses;
        private final Counter malformed;
        private final Counter newer;

        OperationMeters(String operation) {
            for (Result result : Result.values()) {
                timers.put(
                        result,
                        Timer.builder("sluice.provider.operations")
                                .description("Time an operation spent on the store; waiting for work is not counted")
                                .tag(OPERATION, operation)
                                .tag("result", result.name().toLowerCase(Locale.ROOT))
                                .register(registry));
            }
            requestCount = summary("sluice.provider.operation.requests", "requests", operation);
            requestUnits = summary("sluice.provider.operation.charge", "request units", operation);
            retries = counter("sluice.provider.retries", "Pauses after which something was tried again", operation);
            conflicts = counter("sluice.provider.conflicts", "Answers 409 and 412: somebody was faster", operation);
            throttles = counter("sluice.provider.throttles", "Answers 429", operation);
            lockLosses = counter("sluice.provider.lock.losses", "Operations that found their lock lost", operation);
            newer = counter(
                    "sluice.provider.documents.newer",
                    "Documents met that a newer release wrote in a form of its own; they are left to it",
                    operation);
            malformed = counter(
                    "sluice.provider.queue.malformed",
                    "Documents of the queues that can't be read, each once as far as remembered",
                    operation);
        }

        private DistributionSummary summary(String name, String unit, String operation) {
            return DistributionSummary.builder(name)
                    .description("What an operation took, in " + unit)
                    .baseUnit(unit.replace(' ', '_'))
                    .tag(OPERATION, operation)
                    .register(registry);
        }

        private Counter counter(String name, String description, String operation) {
            return Counter.builder(name)
                    .description(description)
                    .tag(OPERATION, operation)
                    .register(registry);
        }

        void record(OperationCost cost, Result result) {
            Objects.requireNonNull(timers.get(result)).record(cost.storeNanos(), TimeUnit.NANOSECONDS);
            requestCount.record(cost.requests());
            requestUnits.record(cost.requestUnits());
            retries.increment(cost.retries());
            conflicts.increment(cost.conflicts());
            throttles.increment(cost.throttles());
            malformed.increment(cost.malformedDocuments());
            newer.increment(cost.newerDocuments());
            if (result == Result.LOCK_LOST) {
                lockLosses.increment();
            }
        }
    }
}
