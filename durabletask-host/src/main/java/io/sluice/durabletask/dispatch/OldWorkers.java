package io.sluice.durabletask.dispatch;

import io.grpc.StatusRuntimeException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers of workers whose SDK knows no completion tokens. Such a worker takes an error for the end of its stream,
 * leaves that without a word, and opens another five seconds later; so it is told of none. What was not committed is
 * dispatched again.
 */
final class OldWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(OldWorkers.class);

    private OldWorkers() {}

    /**
     * Commits an answer of any worker; of one that sends no token it logs why not.
     *
     * @param sent the token that came with the answer; empty for none
     * @param meant the token of what a worker must mean that sends none; empty when it has nothing of the kind by this
     *     connection, or may mean another
     */
    static void complete(String sent, Supplier<Optional<String>> meant, String instance, Consumer<String> commit) {
        if (!sent.isEmpty()) {
            commit.accept(sent);
            return;
        }
        Optional<String> token = meant.get();
        if (token.isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("instance", instance)
                    .log("an answer without a completion token is dropped: no work was sent by its connection that"
                            + " alone it can be for");
            return;
        }
        logging(instance, () -> commit.accept(token.get()));
    }

    /** Commits an answer, and logs why not. */
    static void logging(String instance, Runnable commit) {
        try {
            commit.run();
        } catch (StatusRuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("instance", instance)
                    .addKeyValue("reason", e.getStatus())
                    .log("the answer of a worker without completion tokens was not committed");
        }
    }
}
