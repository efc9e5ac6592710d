package io.sluice.relay.delivery;

import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.loop.BackoffGrowth;
import io.sluice.relay.loop.RetryBackoff;
import java.time.Duration;
import java.util.Random;

/**
 * Decides what to do with the first intent of a pair: deliver it, wait, claim it, or give it up. Reads and
 * writes nothing.
 *
 * @param maxAttempts how often the store may refuse an intent; an outage does not count
 * @param maxAge since the intent was created
 * @param mixedFleet whether Rust writers deliver {@code pending} intents too, without a receipt
 */
record DeliveryPolicy(int maxAttempts, Duration maxAge, boolean mixedFleet) {
    /** How long a claimed intent is left alone, as another writer may have been about to deliver it. */
    private static final Duration CLAIMED_FOR = Duration.ofSeconds(5);

    /** The writer of an intent tries to deliver it first, right after its turn. */
    private static final Duration WRITER_FIRST = Duration.ofSeconds(1);

    /**
     * Reconcilers of other kinds take intents that are two seconds old; only its writer may still deliver one that was
     * claimed before that.
     */
    private static final Duration BEFORE_RECONCILERS = Duration.ofMillis(1_500);

    /** At this age of the intent its writer has ended its own try. */
    private static final Duration WRITER_ENDS = Duration.ofSeconds(3);

    /** Receipts are kept so long: for an older intent it can't be known whether it was delivered. */
    private static final Duration RECEIPTS_LIVE = Duration.ofDays(7);

    /** Without a mixed fleet, intents of other writers are left to these writers for so long. */
    private static final Duration OTHER_WRITERS_FIRST = Duration.ofSeconds(10);

    /** What to do with the first intent of a pair. */
    sealed interface Decision {
        record Send() implements Decision {}

        record Wait(long untilMillis) implements Decision {}

        /** Claim it first: other writers could deliver it without checking for a receipt. */
        record Claim() implements Decision {}

        /**
         * Give it up.
         *
         * @param unknown whether it can't be known if it was delivered
         */
        record GiveUp(String reason, boolean unknown) implements Decision {}
    }

    static DeliveryPolicy of(RelayConfig.Delivery config) {
        return new DeliveryPolicy(
                config.givingUp().maxAttempts(), config.givingUp().maxAge(), config.fleet() == Fleet.MIXED);
    }

    /** The waits that the configuration wants. */
    static RetryBackoff backoff(RelayConfig.Backoff config) {
        var growth = BackoffGrowth.valueOf(config.kind().name());
        return new RetryBackoff(growth, config.first(), config.longest(), config.jitter(), new Random());
    }

    Decision decide(Intent intent, long nowMillis) {
        long due = dueMillis(intent);
        if (due > nowMillis) {
            return new Decision.Wait(due);
        }
        if (needsClaim(intent)) {
            return new Decision.Claim();
        }
        var age = Duration.ofMillis(nowMillis - intent.createdAtMillis());
        if (age.compareTo(RECEIPTS_LIVE) > 0) {
            return giveUpOrClaim(intent, "older than receipts are kept, " + age, true);
        }
        if (intent.isExpired(nowMillis)) {
            return giveUpOrClaim(intent, FailedIntents.EXPIRED, false);
        }
        return age.compareTo(maxAge) > 0 ? giveUpOrClaim(intent, tooOld(intent, age), false) : new Decision.Send();
    }

    /** Whether a writer of another kind may deliver this intent, and it is claimed as soon as it is due. */
    boolean needsClaim(Intent intent) {
        return !intent.ownForm() && isOthers(intent);
    }

    /** Until when an intent that is claimed now is left alone. */
    long claimedUntil(Intent intent, long nowMillis) {
        long ageMillis = nowMillis - intent.createdAtMillis();
        return !intent.ownForm() && ageMillis < BEFORE_RECONCILERS.toMillis()
                ? intent.createdAtMillis() + WRITER_ENDS.toMillis()
                : nowMillis + CLAIMED_FOR.toMillis();
    }

    /** The decision on an intent that is not tried again. */
    Decision giveUpOrClaim(Intent intent, String reason, boolean unknown) {
        return isOthers(intent) ? new Decision.Claim() : new Decision.GiveUp(reason, unknown);
    }

    private boolean isOthers(Intent intent) {
        return mixedFleet && intent.isPending();
    }

    private String tooOld(Intent intent, Duration age) {
        String last = intent.lastError();
        return "not delivered within " + maxAge + ", but " + age + " old" + (last == null ? "" : ", at last: " + last);
    }

    private long dueMillis(Intent intent) {
        long due = intent.dueAtMillis();
        if (!intent.ownForm() && intent.isPending()) {
            Duration left = mixedFleet ? WRITER_FIRST : OTHER_WRITERS_FIRST;
            due = Math.max(due, intent.createdAtMillis() + left.toMillis());
        }
        // An intent never waits beyond its maximal age, whatever its document says.
        return Math.min(due, intent.createdAtMillis() + maxAge.toMillis() + 1);
    }
}
