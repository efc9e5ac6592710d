package io.sluice.relay.ledger;

import io.sluice.testkit.BrokerCluster;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is done to a broker, and undone later: written as {@code freeze2} or {@code kill3}. */
record Deed(Kind kind, int broker) {
    enum Kind {
        FREEZE,
        KILL
    }

    /** Several, separated by commas. */
    static List<Deed> parse(String text) {
        return Arrays.stream(text.split(",")).map(Deed::of).toList();
    }

    private static Deed of(String text) {
        int digit = text.length() - 1;
        return new Deed(
                Kind.valueOf(text.substring(0, digit).toUpperCase(Locale.ROOT)),
                Integer.parseInt(text.substring(digit)));
    }

    void begin(BrokerCluster cluster) {
        switch (kind) {
            case FREEZE -> cluster.freeze(broker);
            case KILL -> cluster.kill(broker);
        }
    }

    void end(BrokerCluster cluster) {
        switch (kind) {
            case FREEZE -> cluster.resume(broker);
            case KILL -> cluster.restart(broker);
        }
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + broker;
    }
}
