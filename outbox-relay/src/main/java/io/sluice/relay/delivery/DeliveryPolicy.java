package io.sluice.relay.delivery;

import io.sluice.provider.cosmos.document.IntentStatus;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import java.time.Duration;

/**
 * When an intent is sent, waited with, claimed and given up for good. Pure.
 *
 * @param maxAttempts tries that the store refused; an outage is none
 * @param maxAge since the intent was created
 * @param mixedFleet whether writers of other kinds deliver what is {@code pending}, without a receipt
 */
record DeliveryPolicy(int maxAttempts, Duration maxAge, boolean mixedFleet) {
    /** How long an intent is left alone that others may have been about to deliver when it was claimed. */
    private static final Duration CLAIMED_FOR = Duration.ofSeconds(5);

    /** What writes an intent tries it first itself, right after its turn. */
    private static final Duration WRITER_FIRST = Duration.ofSeconds(1);

    /** Reconcilers of other kinds take what is two seconds old; one that was claimed before is nobody's but its writer's. */
    private static final Duration BEFORE_RECONCILERS = Duration.ofMillis(1_500);

    /** By this age its writer has ended its own try. */
    private static final Duration WRITER_ENDS = Duration.ofSeconds(3);

    /** Older than receipts live: whether it was ever delivered can't be told any more. */
    private static final Duration RECEIPTS_LIVE = Duration.ofDays(7);

    /** Where there is no mixed fleet, intents of other writers are left to these for a while. */
    private static final Duration OTHER_WRITERS_FIRST = Duration.ofSeconds(10);

    /** What is to be done with the first of a pair. */
    sealed interface Decision {
        record Send() implements Decision {}

        record Wait(long untilMillis) implements Decision {}

        /** Others could deliver it without looking at a receipt: they are kept from it first. */
        record Claim() implements Decision {}

        /**
         * Give it up for good.
         *
         * @param unknown whether it can't be told any more that it was not delivered
         */
        record GiveUp(String reason, boolean unknown) implements Decision {}
    }

    Decision decide(Intent intent, long nowMillis) {
        long due = dueMillis(intent);
        if (due > nowMillis) {
            return new Decision.Wait(due);
        }
        if (isToBeClaimed(intent)) {
            return new Decision.Claim();
        }
        var age = Duration.ofMillis(nowMillis - intent.createdAtMillis());
        if (age.compareTo(RECEIPTS_LIVE) > 0) {
            return givenUp(intent, "older than receipts are kept, " + age, true);
        }
        if (intent.isExpired(nowMillis)) {
            return givenUp(intent, FailedIntents.EXPIRED, false);
        }
        return age.compareTo(maxAge) > 0 ? givenUp(intent, tooOld(intent, age), false) : new Decision.Send();
    }

    /** Whether a writer of another kind may deliver this intent, and it is claimed as soon as it is due. */
    boolean isToBeClaimed(Intent intent) {
        return !intent.ownForm() && isOthers(intent);
    }

    /** Until when one that is claimed now is left alone. */
    long claimedUntil(Intent intent, long nowMillis) {
        long ageMillis = nowMillis - intent.createdAtMillis();
        return !intent.ownForm() && ageMillis < BEFORE_RECONCILERS.toMillis()
                ? intent.createdAtMillis() + WRITER_ENDS.toMillis()
                : nowMillis + CLAIMED_FOR.toMillis();
    }

    /** What becomes of one that is not to be tried again. */
    Decision givenUp(Intent intent, String reason, boolean unknown) {
        return isOthers(intent) ? new Decision.Claim() : new Decision.GiveUp(reason, unknown);
    }

    private boolean isOthers(Intent intent) {
        return mixedFleet && isPending(intent);
    }

    private static boolean isPending(Intent intent) {
        return intent.status() == IntentStatus.PENDING;
    }

    private String tooOld(Intent intent, Duration age) {
        String last = intent.lastError();
        return "not delivered within " + maxAge + ", but " + age + " old" + (last == null ? "" : ", at last: " + last);
    }

    private long dueMillis(Intent intent) {
        long due = intent.dueAtMillis();
        if (!intent.ownForm() && isPending(intent)) {
            Duration left = mixedFleet ? WRITER_FIRST : OTHER_WRITERS_FIRST;
            due = Math.max(due, intent.createdAtMillis() + left.toMillis());
        }
        // Whatever is written there, nothing waits longer than it may get old.
        return Math.min(due, intent.createdAtMillis() + maxAge.toMillis() + 1);
    }
}
