package io.sluice.provider.cosmos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.Fields;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.QueryPage;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the instances that have undelivered intents, one key range after the other, each in an order of its own, so
 * that several processes at once are at different ones. Where a visit finds another process at work, the list is old,
 * and is read again; where it was just read, there is little left that nobody is at, and the round ends.
 *
 * <p>It skips what can't be reached: an instance whose visit fails, a range after some failures in a row, and the rest
 * of the store after some such ranges in a row. In the next round, the instances that failed come last in their range,
 * those first that were not tried for longest, and the ranges that were not reached come first. Used by one thread.
 */
final class UndeliveredSources {
    static final int FAILURES_IN_A_ROW = 3;

    private static final Logger LOG = LoggerFactory.getLogger(UndeliveredSources.class);
    private static final String OPERATION = "reconcileIntents";
    /** Instance ids alone. Sources of one page are shared among processes, so it should be long. */
    private static final int AT_A_TIME = 1_000;

    private static final String SOURCES = "SELECT c.instanceId FROM c WHERE c.type = 'outbox_intent'"
            + " AND c.status IN ('pending', 'queued') AND c.createdAt < @before";

    private final ContainerRequests requests;
    private final Duration patience;
    private final Random order;
    private final Set<String> failedSources = new LinkedHashSet<>();
    private final Set<String> failedRanges = new HashSet<>();
    private int nextRange;

    /**
     * Makes no request.
     *
     * @param patience for how long one query of a range is tried
     * @param order of the visits, another one in each process
     */
    UndeliveredSources(ContainerRequests requests, Duration patience, Random order) {
        this.requests = requests;
        this.patience = patience;
        this.order = order;
        this.nextRange = order.nextInt(1_000_000);
    }

    /**
     * One round.
     *
     * @param beforeMillis younger intents are left alone
     * @param goesOn false ends it early
     * @param visit answers whether no other process was at work there; may fail with a {@link ProviderException}
     * @throws ProviderException when it is not known which ranges there are
     */
    void forEach(long beforeMillis, BooleanSupplier goesOn, Predicate<String> visit) {
        List<String> ranges = requests.ranges(call());
        Round round = new Round(SqlQuery.of(SOURCES).with("@before", beforeMillis), goesOn, visit);
        int reached = 0;
        int failures = 0;
        for (int i = 0;
                i < ranges.size() && failures < FAILURES_IN_A_ROW && !round.isOthers && goesOn.getAsBoolean();
                i++) {
            boolean isReached = round.tryRange(ranges.get(Math.floorMod(nextRange++, ranges.size())));
            reached += isReached ? 1 : 0;
            failures = isReached ? 0 : failures + 1;
        }
        if (reached == ranges.size() && !round.isOthers && goesOn.getAsBoolean()) {
            failedSources.retainAll(round.seen);
            failedRanges.retainAll(ranges);
        }
    }

    private Call call() {
        return Call.scan(OPERATION, patience);
    }

    private enum Visit {
        DONE,
        /** Another process was at work there. */
        OTHERS,
        /** So many have failed in a row that it is not about single instances. */
        FAILED
    }

    /** How the visits of what a page lists ended. */
    private enum Page {
        DONE,
        /** Other processes delivered a part of it meanwhile. */
        CHANGED,
        /** Of what was just read, the first that was tried was another process's: so is likely most of it. */
        OTHERS,
        FAILED
    }

    private final class Round {
        private final SqlQuery query;
        private final BooleanSupplier goesOn;
        private final Predicate<String> visit;
        private final Set<String> seen = new HashSet<>();
        private int failures;
        private boolean isOthers;

        Round(SqlQuery query, BooleanSupplier goesOn, Predicate<String> visit) {
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
                boolean isMore;
                do {
                    QueryPage page = requests.pageOfRange(call(), range, query, AT_A_TIME, from);
                    Page end = tryFresh(page.rows(), later);
                    if (end == Page.FAILED) {
                        return false;
                    }
                    isOthers = end == Page.OTHERS;
                    from = end == Page.CHANGED ? from : page.next();
                    isMore = end == Page.CHANGED || from != null;
                } while (isMore && !isOthers && goesOn.getAsBoolean());
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
            return isOthers || tryLater(later);
        }

        /** Those that failed before are put off. */
        private Page tryFresh(List<ObjectNode> rows, Set<String> later) {
            List<String> fresh = new ArrayList<>(rows.stream()
                    .map(row -> row.path(Fields.INSTANCE_ID).asText())
                    .distinct()
                    .filter(source -> !seen.contains(source))
                    .toList());
            Collections.shuffle(fresh, order);
            boolean isFirst = true;
            for (String source : fresh) {
                seen.add(source);
                if (failedSources.contains(source)) {
                    later.add(source);
                    continue;
                }
                switch (tryVisit(source)) {
                    case FAILED -> {
                        return Page.FAILED;
                    }
                    case OTHERS -> {
                        return isFirst ? Page.OTHERS : Page.CHANGED;
                    }
                    default -> isFirst = false;
                }
            }
            return Page.DONE;
        }

        private boolean tryLater(Set<String> later) {
            for (String source : List.copyOf(failedSources)) {
                if (later.contains(source) && tryVisit(source) == Visit.FAILED) {
                    return false;
                }
            }
            return true;
        }

        private Visit tryVisit(String source) {
            if (!goesOn.getAsBoolean()) {
                return Visit.DONE;
            }
            Visit end = Visit.DONE;
            try {
                end = visit.test(source) ? Visit.DONE : Visit.OTHERS;
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
            return failures < FAILURES_IN_A_ROW ? end : Visit.FAILED;
        }
    }
}
