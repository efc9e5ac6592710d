package io.sluice.examples.runtime;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works turns: fetch, decide, ack. Errors are met as section 1.1 of the provider contract says. */
final class TurnDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(TurnDispatcher.class);
    private static final int ACK_RETRIES = 5;
    private static final long FIRST_ACK_PAUSE_MILLIS = 10;
    private static final Duration AFTER_FAILURE = Duration.ofMillis(50);

    private final Provider provider;
    private final TurnRunner runner;
    private final RuntimeConfig config;
    private final LockRenewer locks;
    private final RuntimeCounters counters;

    TurnDispatcher(
            Provider provider, TurnRunner runner, RuntimeConfig config, LockRenewer locks, RuntimeCounters counters) {
        this.provider = provider;
        this.runner = runner;
        this.config = config;
        this.locks = locks;
        this.counters = counters;
    }

    /** Works one turn, if there is one within the poll timeout. */
    void step() {
        Optional<LockedTurn> fetched = provider.fetchOrchestrationItem(
                config.timing().turnLock(), config.timing().pollTimeout(), null);
        fetched.ifPresent(turn -> {
            counters.turnsFetched.increment();
            String token = turn.lockToken();
            Future<?> renewal = locks.renew(
                    config.timing().turnRenewalPeriod(),
                    () -> provider.renewOrchestrationItemLock(
                            token, config.timing().turnLock()),
                    () -> LOG.atWarn()
                            .addKeyValue("instance", turn.item().instance())
                            .log("turn lock lost"));
            try {
                work(turn);
            } finally {
                renewal.cancel(false);
            }
        });
    }

    private void work(LockedTurn turn) {
        TurnDecision decision = runner.decide(turn);
        if (decision instanceof TurnDecision.Commit commit) {
            commit(turn, commit.ack());
        } else if (decision instanceof TurnDecision.Abandon abandon) {
            LOG.atWarn()
                    .addKeyValue("instance", turn.item().instance())
                    .addKeyValue("why", abandon.why())
                    .log("turn given back");
            provider.abandonOrchestrationItem(turn.lockToken(), abandon.delay(), abandon.ignoreAttempt());
        }
    }

    private void commit(LockedTurn turn, TurnAck ack) {
        try {
            ackWithRetries(ack);
            counters.turnsAcked.increment();
        } catch (ProviderException e) {
            LOG.atError()
                    .addKeyValue("instance", turn.item().instance())
                    .addKeyValue("retryable", e.retryable())
                    .setCause(e)
                    .log("turn not acknowledged");
            counters.storeFailures.increment();
            failOrAbandon(turn, e);
        }
    }

    private void ackWithRetries(TurnAck ack) {
        for (int attempt = 0; ; attempt++) {
            try {
                provider.ackOrchestrationItem(ack);
                return;
            } catch (ProviderException e) {
                if (!e.retryable() || attempt == ACK_RETRIES || !pause(FIRST_ACK_PAUSE_MILLIS << attempt)) {
                    throw e;
                }
            }
        }
    }

    /**
     * A permanent refusal fails the instance under the same token, if the store still takes it. A fault that outlasted
     * the retries says nothing about the turn, so the messages go back and are counted; a turn that never gets through
     * ends as poison.
     */
    private void failOrAbandon(LockedTurn turn, ProviderException refusal) {
        try {
            if (!refusal.retryable()) {
                provider.ackOrchestrationItem(runner.fail(turn, Failures.unacknowledged(refusal)));
                return;
            }
        } catch (ProviderException e) {
            LOG.atInfo()
                    .addKeyValue("instance", turn.item().instance())
                    .setCause(e)
                    .log("the failure was refused too");
        }
        provider.abandonOrchestrationItem(turn.lockToken(), AFTER_FAILURE, false);
    }

    private static boolean pause(long millis) {
        try {
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
