package io.sluice.provider.contract.replay;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatchers and workers over one provider, running from the moment it is made. Closing lets the work in hand end. */
public final class ReplayRuntime implements AutoCloseable {
    /** Turns are worked out in no time; this is for a busy machine. */
    static final Duration TURN_LOCK = Duration.ofSeconds(15);

    static final Duration POLL = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(ReplayRuntime.class);
    private static final int ACK_RETRIES = 5;
    private static final Duration AFTER_FAILURE = Duration.ofMillis(50);
    private static final long DRAIN_SECONDS = 20;

    private final Provider provider;
    private final Code code;
    private final RuntimeOptions options;
    private final InstantSource clock = InstantSource.system();
    private final ExecutorService threads;
    private final ScheduledExecutorService renewals = Executors.newScheduledThreadPool(1);
    private final AtomicInteger infrastructureFailures = new AtomicInteger();
    private final ScheduledFuture<?> sessionRenewal;
    private volatile boolean stopped;

    /** Starts. The provider stays the caller's to close. */
    public ReplayRuntime(Provider provider, Code code, RuntimeOptions options) {
        this.provider = provider;
        this.code = code;
        this.options = options;
        this.threads = Executors.newFixedThreadPool(Math.max(1, options.dispatchers() + options.workers()));
        for (int i = 0; i < options.dispatchers(); i++) {
            threads.execute(() -> loop(this::turn));
        }
        SessionSlots slots = new SessionSlots(options.maxSessions());
        List<String> owners = new ArrayList<>();
        for (int i = 0; i < options.workers(); i++) {
            String owner = options.node() == null ? UUID.randomUUID().toString() : options.node();
            owners.add(owner);
            Worker worker = new Worker(provider, code, options, owner, slots, renewals);
            threads.execute(() -> loop(worker::step));
        }
        long period = options.sessionLock().toMillis() / 2;
        sessionRenewal = renewals.scheduleWithFixedDelay(
                () -> provider.renewSessionLock(owners, options.sessionLock(), options.sessionIdle()),
                period,
                period,
                TimeUnit.MILLISECONDS);
    }

    /** Runs a runtime while {@code work} lasts. */
    public static <T> T during(Provider provider, Code code, RuntimeOptions options, Supplier<T> work) {
        ReplayRuntime runtime = new ReplayRuntime(provider, code, options);
        try {
            return work.get();
        } finally {
            runtime.close();
        }
    }

    /** Errors of the store that a dispatcher or worker met. */
    public int infrastructureFailures() {
        return infrastructureFailures.get();
    }

    private void loop(Runnable step) {
        while (!stopped) {
            try {
                step.run();
            } catch (ProviderException e) {
                infrastructureFailures.incrementAndGet();
                LOG.atWarn().setCause(e).log("step failed, will go on");
            } catch (RuntimeException e) {
                LOG.atError().setCause(e).log("step failed unexpectedly, will go on");
            }
        }
    }

    private void turn() {
        provider.fetchOrchestrationItem(TURN_LOCK, POLL, null).ifPresent(this::work);
    }

    private void work(LockedTurn locked) {
        Turn turn = new Turn(code, options, locked, clock);
        Turn.Decision decision = turn.decide();
        TurnAck ack = decision.ack();
        if (ack == null) {
            provider.abandonOrchestrationItem(locked.lockToken(), decision.pause(), decision.ignoreAttempt());
            return;
        }
        try {
            ackWithRetries(ack);
        } catch (ProviderException e) {
            infrastructureFailures.incrementAndGet();
            LOG.atWarn()
                    .addKeyValue("instance", locked.item().instance())
                    .setCause(e)
                    .log("turn not acknowledged");
            if (!e.retryable()) {
                provider.ackOrchestrationItem(turn.failing(String.valueOf(e.getMessage())));
            } else {
                provider.abandonOrchestrationItem(locked.lockToken(), AFTER_FAILURE, false);
            }
        }
    }

    private void ackWithRetries(TurnAck ack) {
        for (int attempt = 0; ; attempt++) {
            try {
                provider.ackOrchestrationItem(ack);
                return;
            } catch (ProviderException e) {
                if (!e.retryable() || attempt == ACK_RETRIES) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdown();
        sessionRenewal.cancel(false);
        renewals.shutdownNow();
        try {
            if (!threads.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
