package io.sluice.provider.world.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Once faults have stopped, nothing that can be taken waits long. What finds everything in the end, whoever forgot it,
 * comes every five minutes: what waits for that was forgotten.
 */
public final class Waits {
    private static final long LONGEST_MILLIS = Duration.ofMinutes(4).toMillis();
    /** Of a session whose owner died everybody else waits until its claim lapses, and once more if it was renewed. */
    private static final long LONGEST_OF_SESSION_MILLIS = Duration.ofMinutes(8).toMillis();

    private final Contents contents;
    private final InstantSource time;
    private final Consumer<String> violation;
    private final Map<String, Long> since = new HashMap<>();

    public Waits(Contents contents, InstantSource time, Consumer<String> violation) {
        this.contents = contents;
        this.time = time;
        this.violation = violation;
    }

    /** To be called again and again while nothing goes wrong. */
    public void check() {
        Set<String> waiting = new HashSet<>();
        Stream.concat(
                        contents.all("orch_queue").filter(this::isInstanceFree),
                        contents.all("worker_queue").filter(this::isFree))
                .filter(each -> each.path("visibleAt").asLong() <= time.millis())
                .forEach(each -> {
                    var id = each.path("instanceId").asText() + " " + each.path("id");
                    waiting.add(id);
                    check(each, since.computeIfAbsent(id, unused -> time.millis()));
                });
        since.keySet().retainAll(waiting);
    }

    private void check(JsonNode document, long since) {
        long longest = document.path("sessionId").isTextual() ? LONGEST_OF_SESSION_MILLIS : LONGEST_MILLIS;
        if (time.millis() - since > longest) {
            violation.accept("nobody takes, for " + (time.millis() - since) + " ms, " + document);
        }
    }

    private boolean isFree(JsonNode document) {
        return document.path("lockedUntil").asLong() <= time.millis();
    }

    /** A message to those who are gone, or who never were, lies there for ever; a start does not. */
    private boolean isInstanceFree(JsonNode message) {
        var head = contents.head(message.path("instanceId").asText());
        return head == null ? message.path("workItem").asText().contains("\"StartOrchestration\"") : isFree(head);
    }
}
