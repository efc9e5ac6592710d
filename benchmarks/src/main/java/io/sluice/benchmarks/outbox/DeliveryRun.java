package io.sluice.benchmarks.outbox;

import io.sluice.benchmarks.harness.Pause;
import io.sluice.benchmarks.relay.RelayTestbed;
import io.sluice.benchmarks.store.RequestCost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Intents on a stage, in different numbers. Used by one thread. */
final class DeliveryRun implements AutoCloseable {
    private static final int ACKS_AT_ONCE = 32;
    /**
     * No multiple of it is one of the rests between two looks, so that intents from idle come at different moments
     * between these.
     */
    private static final Duration MORE_EACH_TIME = Duration.ofMillis(370);

    private final DeliveryPath way;
    private final DeliverySetup stage;
    private final FetchedTurns turns;
    private final ExecutorService acks = Executors.newFixedThreadPool(ACKS_AT_ONCE);
    private boolean isIdle;
    private int idled;

    /**
     * Prepares it.
     *
     * @param intents how many will be committed in all
     */
    DeliveryRun(DeliveryPath way, int intents) {
        this.way = way;
        stage = DeliverySetup.of(way);
        try {
            turns = new FetchedTurns(stage.container(), way == DeliveryPath.OWN_TRY, intents);
        } catch (RuntimeException e) {
            stage.close();
            throw e;
        }
    }

    /** What nothing costs: all requests of a while in which nothing is written. */
    RequestCost idle(Duration window) {
        Pause.of(isIdle ? Duration.ZERO : way.untilIdle());
        isIdle = true;
        stage.emulated().forget();
        Pause.of(window);
        return stage.emulated().cost();
    }

    /** One intent after a while of nothing. */
    Deliveries fromIdle() {
        Pause.of(way.untilIdle().plus(MORE_EACH_TIME.multipliedBy(idled++)));
        return atRate(1, 1);
    }

    /** Intents at a steady rate, each of a source of its own and to a target of its own. */
    Deliveries atRate(int perSecond, int count) {
        isIdle = false;
        stage.emulated().forget();
        List<CompletableFuture<Void>> committed = new ArrayList<>();
        long startNanos = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long dueNanos = startNanos + Duration.ofSeconds(1).toNanos() * i / perSecond;
            Pause.of(Duration.ofNanos(dueNanos - System.nanoTime()));
            committed.add(CompletableFuture.runAsync(turns::ack, acks));
        }
        committed.forEach(CompletableFuture::join);
        RelayTestbed.await(() -> deliveries().settled() == count);
        return deliveries();
    }

    private Deliveries deliveries() {
        return Deliveries.of(stage.emulated().asked(), stage.emulated().physicalPartitions());
    }

    @Override
    public void close() {
        acks.shutdownNow();
        turns.close();
        stage.close();
    }
}
