package io.sluice.provider.cosmos.admin;

import io.sluice.provider.ProviderException;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.Deadline;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What failed in one bulk operation, and was skipped. Not thread-safe. */
final class FailuresInBulk {
    private static final Logger LOG = LoggerFactory.getLogger(FailuresInBulk.class);

    /**
     * How long to try.
     *
     * @param first an instance after one that succeeded, or the first of all
     * @param after an instance after one that failed
     * @param inARow instances together while all of them fail
     */
    record Patience(Duration first, Duration after, Duration inARow) {}

    private final String operation;
    private final Patience patience;
    private @Nullable ProviderException first;
    private int count;
    private @Nullable Deadline giveUp;

    FailuresInBulk(String operation, Patience patience) {
        this.operation = operation;
        this.patience = patience;
    }

    /**
     * Does the work for one instance.
     *
     * @param nothing the answer when it fails
     * @param done what was done before, for the message
     * @throws ProviderException when nothing but failures came for long, or the thread was interrupted
     */
    <T> T run(String instance, Function<Call, T> work, T nothing, T done) {
        Call call = Call.onInstance(operation, instance, giveUp == null ? patience.first() : patience.after());
        try {
            T answer = work.apply(call);
            giveUp = null;
            return answer;
        } catch (ProviderException e) {
            note(call, e, done);
            return nothing;
        }
    }

    private void note(Call call, ProviderException failure, Object done) {
        if (!failure.retryable()) {
            // It fails in every run: an exception now would hide what was done each time.
            LOG.atError()
                    .addKeyValue("operation", operation)
                    .addKeyValue("subject", call.subject())
                    .setCause(failure)
                    .log("an instance failed in a bulk operation and is skipped");
            return;
        }
        if (first == null) {
            first = failure;
        }
        count++;
        if (Thread.currentThread().isInterrupted()) {
            throw told("it was interrupted", done);
        }
        if (giveUp == null) {
            giveUp = Deadline.in(patience.inARow());
        } else if (giveUp.isOver()) {
            throw told("it stopped there, since nothing had succeeded for " + patience.inARow(), done);
        }
        LOG.atWarn()
                .addKeyValue("operation", operation)
                .addKeyValue("subject", call.subject())
                .setCause(failure)
                .log("an instance failed in a bulk operation, which goes on and tells at its end");
    }

    /**
     * Tells of what may succeed in another run.
     *
     * @throws ProviderException retryable when anything failed
     */
    void throwIfAny(Object done) {
        if (first != null) {
            throw told("it went on to the others", done);
        }
    }

    private ProviderException told(String how, Object done) {
        return ProviderException.retryable(
                operation,
                operation + " failed for " + count + " of the instances, and " + how + "; done: " + done
                        + "; the first failure: " + (first == null ? "" : first.getMessage()),
                first);
    }
}
