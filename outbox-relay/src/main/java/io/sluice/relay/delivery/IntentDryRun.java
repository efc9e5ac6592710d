package io.sluice.relay.delivery;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.feed.BoundedAnswer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reports what delivery would do with each intent of the store at this moment. Reads all intents by one query over all
 * partitions, and writes nothing.
 */
public final class IntentDryRun {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String INTENTS =
            "SELECT * FROM c WHERE c.type = 'outbox_intent' AND c.status IN ('pending', 'queued', 'failed')";

    private final CosmosAsyncContainer container;
    private final DeliveryPolicy policy;
    private final InstantSource clock;

    /** What delivery would do with an intent. */
    public enum Fate {
        /** It is delivered. */
        DUE("due"),
        /** An earlier intent of its pair waits. */
        BEHIND("behind another"),
        /** It is not due yet, or its writer delivers it first. */
        WAITING("waiting"),
        /** The store refused it, and the next attempt is not due yet. */
        PARKED("parked"),
        /** It is claimed first, so that Rust writers leave it alone. */
        CLAIMED("to be claimed"),
        /** It is given up and becomes a dead letter. */
        GIVEN_UP("to be given up"),
        /** It is a dead letter already. */
        FAILED("failed");

        private final String words;

        Fate(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /**
     * Intents of one source to one target.
     *
     * @param fates number of intents by fate; fates that don't occur are left out
     */
    public record Pair(String source, String target, Map<Fate, Long> fates) {
        public Pair {
            fates = Map.copyOf(fates);
        }
    }

    /**
     * All intents of the store.
     *
     * @param pairs by source and target
     * @param malformed documents that can't be parsed
     */
    public record Report(List<Pair> pairs, long malformed) {
        public Report {
            pairs = List.copyOf(pairs);
        }
    }

    /**
     * Reads nothing yet.
     *
     * @param maxAge older ones are given up
     * @param mixedFleet whether Rust runtimes use the store too
     */
    public IntentDryRun(CosmosAsyncContainer container, Duration maxAge, boolean mixedFleet, InstantSource clock) {
        this.container = container;
        // The number of refusals decides only after the next attempt.
        this.policy = new DeliveryPolicy(Integer.MAX_VALUE, maxAge, mixedFleet);
        this.clock = clock;
    }

    private record Key(String source, String target) {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::source).thenComparing(Key::target);
    }

    /** An intent without its payload. */
    private record Kept(long createdAtMillis, int position, String key, Fate alone) {
        private static final Comparator<Kept> ORDER = Comparator.comparingLong(Kept::createdAtMillis)
                .thenComparingInt(Kept::position)
                .thenComparing(Kept::key);

        private boolean stopsItsPair() {
            return alone == Fate.WAITING || alone == Fate.PARKED || alone == Fate.CLAIMED;
        }
    }

    /**
     * Reads all intents.
     *
     * @throws RuntimeException when the store can't be read
     */
    public Report now() {
        long now = clock.millis();
        var byPair = new TreeMap<Key, List<Kept>>(Key.ORDER);
        var malformed = new AtomicLong();
        var read = container
                .queryItems(INTENTS, new CosmosQueryRequestOptions(), JsonNode.class)
                .byPage()
                .doOnNext(page -> malformed.addAndGet(page.getResults().size() - keep(page.getResults(), now, byPair)))
                .then();
        BoundedAnswer.of(read, TIMEOUT, "for its intents");
        var pairs = new ArrayList<Pair>();
        byPair.forEach((key, kept) -> pairs.add(new Pair(key.source(), key.target(), fates(kept))));
        return new Report(pairs, malformed.get());
    }

    private int keep(List<JsonNode> rows, long now, Map<Key, List<Kept>> byPair) {
        var intents = Intent.fromJson(rows);
        for (var intent : intents) {
            byPair.computeIfAbsent(new Key(intent.sourceInstance(), intent.targetInstance()), pair -> new ArrayList<>())
                    .add(new Kept(intent.createdAtMillis(), intent.position(), intent.key(), alone(intent, now)));
        }
        return intents.size();
    }

    private Fate alone(Intent intent, long now) {
        if (intent.isFailed()) {
            return Fate.FAILED;
        }
        var decision = policy.decide(intent, now);
        if (decision instanceof DeliveryPolicy.Decision.Wait) {
            return intent.nextAttemptAtMillis() > now ? Fate.PARKED : Fate.WAITING;
        }
        if (decision instanceof DeliveryPolicy.Decision.Claim) {
            return Fate.CLAIMED;
        }
        return decision instanceof DeliveryPolicy.Decision.GiveUp ? Fate.GIVEN_UP : Fate.DUE;
    }

    private static Map<Fate, Long> fates(List<Kept> pair) {
        var fates = new EnumMap<Fate, Long>(Fate.class);
        boolean stopped = false;
        for (var intent : pair.stream().sorted(Kept.ORDER).toList()) {
            boolean behind = stopped && intent.alone() != Fate.FAILED && intent.alone() != Fate.CLAIMED;
            fates.merge(behind ? Fate.BEHIND : intent.alone(), 1L, Long::sum);
            stopped |= intent.stopsItsPair();
        }
        return fates;
    }
}
