package io.sluice.relay.rejected;

import io.sluice.program.FailureReason;
import io.sluice.program.http.Answer;
import io.sluice.program.http.Endpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.KafkaException;

/** Rejected commands over HTTP. */
public final class RejectedRoutes {
    private final RejectedCommandAdmin admin;
    private final Runnable resent;

    /**
     * Lists rejected commands and sends them again.
     *
     * @param resent runs after commands were sent again
     */
    public RejectedRoutes(RejectedCommandAdmin admin, Runnable resent) {
        this.admin = admin;
        this.resent = resent;
    }

    /** The endpoints. */
    public List<Endpoint> endpoints() {
        return List.of(
                Endpoint.read("/commands/rejected", Set.of("limit"), this::list),
                Endpoint.post("/commands/rejected/{id}/resend", this::resend),
                Endpoint.post("/commands/rejected/resend", Set.of("limit"), this::resendSome));
    }

    private Answer list(Endpoint.Call call) {
        int limit = call.limit();
        try {
            var seen = admin.list(limit);
            return Answer.json(200, Map.of("rejected", seen.commands(), "notRead", seen.notRead()));
        } catch (KafkaException e) {
            return unanswered(e);
        }
    }

    private Answer resend(Endpoint.Call call) throws InterruptedException {
        var id = RejectedId.parse(call.segment("id"));
        try {
            var result = admin.resend(List.of(id)).getOrDefault(id, ResendResult.of(RejectedCommandAdmin.Outcome.GONE));
            return switch (result.outcome()) {
                case SENT -> Answer.json(200, Map.of("done", true));
                case GONE -> Answer.error(404, result.words());
                case CUT, REFUSED, UNANSWERABLE, OVERTAKEN -> Answer.error(409, result.words());
            };
        } catch (KafkaException e) {
            return unanswered(e);
        } finally {
            resent.run();
        }
    }

    /** Sends the listed commands again. */
    private Answer resendSome(Endpoint.Call call) throws InterruptedException {
        int limit = call.limit();
        try {
            var results = admin.resend(admin.list(limit).commands().stream()
                    .map(command -> RejectedId.parse(command.id()))
                    .toList());
            Map<String, Object> body = new LinkedHashMap<>();
            for (var outcome : RejectedCommandAdmin.Outcome.values()) {
                body.put(
                        outcome.name().toLowerCase(Locale.ROOT),
                        results.values().stream()
                                .filter(result -> result.outcome() == outcome)
                                .count());
            }
            return Answer.json(200, body);
        } catch (KafkaException e) {
            return unanswered(e);
        } finally {
            resent.run();
        }
    }

    private static Answer unanswered(KafkaException failure) {
        return Answer.error(503, "Kafka does not answer as it should: " + FailureReason.ofLast(failure));
    }
}
