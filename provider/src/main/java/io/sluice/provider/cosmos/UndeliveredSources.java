package io.sluice.provider.cosmos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.Fields;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.QueryPage;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the instances that have undelivered intents, one key range after the other, and skips what can't be
 * reached: an instance whose visit fails, a range after some failures in a row, and the rest of the store after some
 * such ranges in a row. In the next round, the instances that failed come last in their range, those first that were
 * not tried for longest, and the ranges that were not reached come first. Used by one thread.
 */
final class UndeliveredSources {
    static final int FAILURES_IN_A_ROW = 3;

    private static final Logger LOG = LoggerFactory.getLogger(UndeliveredSources.class);
    private static final String OPERATION = "reconcileIntents";
    private static final int AT_A_TIME = 200;
    private static final String SOURCES = "SELECT c.instanceId FROM c WHERE c.type = 'outbox_intent'"
            + " AND c.status IN ('pending', 'queued') AND c.createdAt < @before";

    private final ContainerRequests requests;
    private final Duration patience;
    private final Set<String> failedSources = new LinkedHashSet<>();
    private final Set<String> failedRanges = new HashSet<>();
    private int nextRange;

    /** @param patience for how long one query of a range is tried */
    UndeliveredSources(ContainerRequests requests, Duration patience) {
        this.requests = requests;
        this.patience = patience;
    }

    /**
     * One round.
     *
     * @param beforeMillis younger intents are left alone
     * @param goesOn false ends it early
     * @param visit may fail with a {@link ProviderException}
     * @throws ProviderException when it is not known which ranges there are
     */
    void forEach(long beforeMillis, BooleanSupplier goesOn, Consumer<String> visit) {
        List<String> ranges = requests.ranges(call());
        Round round = new Round(SqlQuery.of(SOURCES).with("@before", beforeMillis), goesOn, visit);
        int reached = 0;
        int failures = 0;
        for (int i = 0; i < ranges.size() && failures < FAILURES_IN_A_ROW && goesOn.getAsBoolean(); i++) {
            boolean isReached = round.tryRange(ranges.get(Math.floorMod(nextRange++, ranges.size())));
            reached += isReached ? 1 : 0;
            failures = isReached ? 0 : failures + 1;
        }
        if (reached == ranges.size() && goesOn.getAsBoolean()) {
            failedSources.retainAll(round.seen);
            failedRanges.retainAll(ranges);
        }
    }

    private Call call() {
        return Call.onContainer(OPERATION, patience);
    }

    private final class Round {
        private final SqlQuery query;
        private final BooleanSupplier goesOn;
        private final Consumer<String> visit;
        private final Set<String> seen = new HashSet<>();
        private int failures;

        Round(SqlQuery query, BooleanSupplier goesOn, Consumer<String> visit) {
            this.query = query;
            this.goesOn = goesOn;
            this.visit = visit;
        }

        /** Returns false when it was skipped, or a part of it. */
        boolean tryRange(String range) {
            failures = 0;
            Set<String> later = new HashSet<>();
            try {
                @Nullable String from = null;
                do {
                    QueryPage page = requests.pageOfRange(call(), range, query, AT_A_TIME, from);
                    from = page.next();
                    if (!tryFresh(page.rows(), later)) {
                        return false;
                    }
                } while (from != null && goesOn.getAsBoolean());
            } catch (ProviderException e) {
                if (failedRanges.add(range)) {
                    LOG.atWarn()
                            .addKeyValue("range", range)
                            .setCause(e)
                            .log("undelivered intents of a part of the store can't be found now; the other parts go on,"
                                    + " and it is tried again in every round");
                }
                return false;
            }
            if (failedRanges.remove(range)) {
                LOG.atInfo()
                        .addKeyValue("range", range)
                        .log("undelivered intents of a part of the store can be found again");
            }
            return tryLater(later);
        }

        /** Those that failed before are put off. */
        private boolean tryFresh(List<ObjectNode> rows, Set<String> later) {
            for (ObjectNode row : rows) {
                String source = row.path(Fields.INSTANCE_ID).asText();
                if (seen.add(source)) {
                    if (failedSources.contains(source)) {
                        later.add(source);
                    } else if (!tryVisit(source)) {
                        return false;
                    }
                }
            }
            return true;
        }

        private boolean tryLater(Set<String> later) {
            for (String source : List.copyOf(failedSources)) {
                if (later.contains(source) && !tryVisit(source)) {
                    return false;
                }
            }
            return true;
        }

        /** Returns false after so many failures in a row that it is not about single instances. */
        private boolean tryVisit(String source) {
            if (!goesOn.getAsBoolean()) {
                return true;
            }
            try {
                visit.accept(source);
                failures = 0;
                if (failedSources.remove(source)) {
                    LOG.atInfo()
                            .addKeyValue("instance", source)
                            .log(
                                    "the undelivered intents of an instance, which could not be read or delivered, are delivered now");
                }
            } catch (ProviderException e) {
                failures += e.retryable() ? 1 : 0;
                if (!failedSources.remove(source)) {
                    LOG.atWarn()
                            .addKeyValue("instance", source)
                            .setCause(e)
                            .log(
                                    "the undelivered intents of an instance can't be read or delivered now; those of others"
                                            + " are, and it is tried again in every round");
                }
                failedSources.add(source); // at the end: the others are tried before it
            }
            return failures < FAILURES_IN_A_ROW;
        }
    }
}
