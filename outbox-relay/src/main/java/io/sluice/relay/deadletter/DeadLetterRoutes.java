package io.sluice.relay.deadletter;

import io.sluice.program.http.Answer;
import io.sluice.program.http.Endpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Dead letters over HTTP. */
public final class DeadLetterRoutes {

    private final DeadLetterAdmin admin;
    private final RetryJob retries;
    private final DeadLetterCount count;

    /**
     * Lists, retries and discards dead letters.
     *
     * @param count counts again after a change
     */
    public DeadLetterRoutes(DeadLetterAdmin admin, RetryJob retries, DeadLetterCount count) {
        this.admin = admin;
        this.retries = retries;
        this.count = count;
    }

    /** The endpoints. */
    public List<Endpoint> endpoints() {
        return List.of(
                Endpoint.read("/dead-letters", Set.of("limit", "source"), this::list),
                Endpoint.read("/dead-letters/{id}", Set.of(), this::show),
                Endpoint.post("/dead-letters/retry", Set.of("source"), this::retryAll),
                Endpoint.post("/dead-letters/{id}/retry", call -> ended(admin.retry(call.segment("id")))),
                Endpoint.post("/dead-letters/{id}/discard", call -> ended(admin.discard(call.segment("id")))));
    }

    private Answer list(Endpoint.Call call) {
        int limit = call.limit();
        var source = call.query().get("source");
        var shown = admin.list(source, limit);
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("total", shown.size() < limit ? Long.valueOf(shown.size()) : total(source, shown.size()));
        body.put("retrying", retries.isBusy());
        body.put("lastRetry", ended(retries.latest()));
        body.put("deadLetters", shown);
        return Answer.json(200, body);
    }

    /** The total number if not all are shown; null if unknown. */
    private @Nullable Long total(@Nullable String source, int shown) {
        if (source != null) {
            return admin.count(source);
        }
        double counted = count.latest();
        return Double.isNaN(counted) ? null : (Long) Math.max(shown, Math.round(counted));
    }

    private static @Nullable Map<String, @Nullable Object> ended(RetryJob.@Nullable Ended run) {
        if (run == null) {
            return null;
        }
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("endedAt", run.at().toString());
        body.put("source", run.source());
        for (var fate : RetryResult.Fate.values()) {
            body.put(fate.label(), run.retried().count(fate));
        }
        body.put("complete", run.retried().complete());
        body.put("lastError", run.retried().lastError());
        return body;
    }

    private Answer show(Endpoint.Call call) {
        Optional<DeadLetterView> found = admin.find(call.segment("id"));
        return found.isPresent() ? Answer.json(200, found.get()) : none();
    }

    private Answer retryAll(Endpoint.Call call) {
        return retries.begin(call.query().get("source"))
                ? Answer.json(202, Map.of("retrying", true))
                : Answer.error(
                        409,
                        "dead letters are being retried already: GET /dead-letters shows the result when that has ended");
    }

    private Answer ended(DeadLetterAdmin.Outcome outcome) {
        if (outcome == DeadLetterAdmin.Outcome.GONE) {
            return none();
        }
        count.wakeUp();
        return Answer.json(200, Map.of("done", true));
    }

    private static Answer none() {
        return Answer.error(404, "there is no dead letter with this id, or it was retried or discarded meanwhile");
    }
}
