package io.sluice.provider.cosmos;

import com.azure.cosmos.models.ThroughputProperties;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What throughput a container is created with; one that exists keeps its own. */
public sealed interface Throughput {
    /** None of its own: a serverless account, or a database whose throughput is shared. */
    Throughput NONE = new None();

    /** A fixed number of request units per second. */
    static Throughput manual(int requestUnits) {
        return new Manual(requestUnits);
    }

    /** As much as is used, between a tenth of the maximum and the maximum of request units per second. */
    static Throughput autoscale(int maxRequestUnits) {
        return new Autoscale(maxRequestUnits);
    }

    /**
     * Reads {@code none}, {@code manual:400} or {@code autoscale:4000}.
     *
     * @throws IllegalArgumentException naming the fault
     */
    static Throughput parse(String text) {
        String[] parts = text.strip().toLowerCase(Locale.ROOT).split(":", -1);
        if (parts.length == 1 && parts[0].equals("none")) {
            return NONE;
        }
        try {
            if (parts.length == 2 && parts[0].equals("manual")) {
                return manual(Integer.parseInt(parts[1]));
            }
            if (parts.length == 2 && parts[0].equals("autoscale")) {
                return autoscale(Integer.parseInt(parts[1]));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("throughput must end in a number, was " + text, e);
        }
        throw new IllegalArgumentException(
                "throughput must be none, manual:<request units> or autoscale:<maximum>, was " + text);
    }

    /** For the SDK; null for none. */
    @Nullable
    ThroughputProperties properties();

    /** See {@link #NONE}. */
    record None() implements Throughput {
        @Override
        public @Nullable ThroughputProperties properties() {
            return null;
        }
    }

    /** See {@link #manual}. */
    record Manual(int requestUnits) implements Throughput {
        public Manual {
            if (requestUnits < 400 || requestUnits % 100 != 0) {
                throw new IllegalArgumentException(
                        "manual throughput must be at least 400 in steps of 100, was " + requestUnits);
            }
        }

        @Override
        public ThroughputProperties properties() {
            return ThroughputProperties.createManualThroughput(requestUnits);
        }
    }

    /** See {@link #autoscale}. */
    record Autoscale(int maxRequestUnits) implements Throughput {
        public Autoscale {
            if (maxRequestUnits < 1_000 || maxRequestUnits % 1_000 != 0) {
                throw new IllegalArgumentException(
                        "the maximum of autoscale must be at least 1000 in steps of 1000, was " + maxRequestUnits);
            }
        }

        @Override
        public ThroughputProperties properties() {
            return ThroughputProperties.createAutoscaledThroughput(maxRequestUnits);
        }
    }
}
