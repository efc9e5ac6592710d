package io.sluice.examples;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.examples.measure.RequestCosts;
import io.sluice.examples.servers.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * What runtimes and relays ask of the store for an order, and what they ask while there is no work.
 *
 * @param runtimes what runtimes ask, query plans included
 * @param relays what relays ask
 */
record StoreUse(Side runtimes, Side relays) {
    /** Idle runtimes are counted for this time, once they have been silent, or after at most {@link #SILENCE}. */
    private static final Duration IDLE = Duration.ofSeconds(12);

    private static final Duration SILENCE = Duration.ofSeconds(20);
    private static final Duration TICK = Duration.ofSeconds(2);

    /**
     * One side's requests.
     *
     * @param perOrder requests while orders were worked, by the number of orders
     * @param unitsPerOrder request units of these
     * @param idlePerMinute requests a minute while there was no work
     */
    record Side(double perOrder, double unitsPerOrder, double idlePerMinute) {}

    /** Measures a run whose orders have all ended; takes up to half a minute. */
    static StoreUse measure(CosmosEmulator emulator, int orders, Pipeline pipeline) {
        Instant ended = Instant.now();
        Instant limit = ended.plus(SILENCE);
        Instant checkedAt;
        do {
            pipeline.requireAlive();
            checkedAt = Instant.now();
            Pause.sleep(TICK);
        } while (runtimeRequests(emulator, checkedAt) > 0 && checkedAt.isBefore(limit));
        Instant idleSince = Instant.now();
        Pause.sleep(IDLE);
        pipeline.requireAlive();
        return new StoreUse(
                side(emulator, StoreUse::isOfRuntime, orders, ended, idleSince),
                side(emulator, request -> !isOfRuntime(request), orders, ended, idleSince));
    }

    private static long runtimeRequests(CosmosEmulator emulator, Instant since) {
        return emulator.requests()
                .matching(request -> isOfRuntime(request) && request.at().isAfter(since))
                .count();
    }

    private static Side side(
            CosmosEmulator emulator, Predicate<LoggedRequest> sender, int orders, Instant ended, Instant idleSince) {
        RequestCosts.Cost work = RequestCosts.sum(
                emulator.requests(),
                request -> sender.test(request) && request.at().isBefore(ended));
        RequestCosts.Cost idle = RequestCosts.sum(
                emulator.requests(),
                request -> sender.test(request) && request.at().isAfter(idleSince));
        return new Side(
                (double) work.requests() / orders,
                work.requestUnits() / orders,
                (double) idle.requests() * Duration.ofMinutes(1).toSeconds() / IDLE.toSeconds());
    }

    private static boolean isOfRuntime(LoggedRequest request) {
        return request.userAgent().endsWith(OrderRuntime.CLIENT);
    }
}
