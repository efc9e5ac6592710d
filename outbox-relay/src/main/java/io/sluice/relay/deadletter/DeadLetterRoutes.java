package io.sluice.relay.deadletter;

import io.sluice.relay.http.Answer;
import io.sluice.relay.http.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Dead letters over HTTP. */
public final class DeadLetterRoutes {
    private static final int SHOWN = 100;
    private static final int MOST_SHOWN = 1_000;

    private final DeadLetterDesk desk;
    private final RetryRun retries;
    private final Runnable changed;

    /**
     * Shows and changes these.
     *
     * @param changed told when there is one less
     */
    public DeadLetterRoutes(DeadLetterDesk desk, RetryRun retries, Runnable changed) {
        this.desk = desk;
        this.retries = retries;
        this.changed = changed;
    }

    /** What can be asked for. */
    public List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/dead-letters", this::list),
                Endpoint.get("/dead-letters/{id}", this::show),
                Endpoint.post("/dead-letters/retry", this::retryAll),
                Endpoint.post("/dead-letters/{id}/retry", call -> ended(desk.retry(call.segment("id")))),
                Endpoint.post("/dead-letters/{id}/discard", call -> ended(desk.discard(call.segment("id")))));
    }

    private Answer list(Endpoint.Call call) {
        int limit = limit(call.query().get("limit"));
        var all = desk.list(call.query().get("source"));
        return Answer.json(
                200,
                Map.of(
                        "total",
                        all.size(),
                        "retrying",
                        retries.isBusy(),
                        "deadLetters",
                        all.stream().limit(limit).toList()));
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return SHOWN;
        }
        if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST_SHOWN) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST_SHOWN + ", was \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }

    private Answer show(Endpoint.Call call) {
        Optional<DeadLetterView> found = desk.find(call.segment("id"));
        return found.isPresent() ? Answer.json(200, found.get()) : none();
    }

    private Answer retryAll(Endpoint.Call call) {
        return retries.begin(call.query().get("source"))
                ? Answer.json(202, Map.of("retrying", true))
                : Answer.error(
                        409, "dead letters are being retried already: GET /dead-letters tells when that is over");
    }

    private Answer ended(DeadLetterDesk.Outcome outcome) {
        if (outcome == DeadLetterDesk.Outcome.GONE) {
            return none();
        }
        changed.run();
        return Answer.json(200, Map.of("done", true));
    }

    private static Answer none() {
        return Answer.error(404, "there is no dead letter with this id, or it was retried or discarded meanwhile");
    }
}
