package io.sluice.provider.world.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Each lock that is taken counts as one attempt, which may be taken back with the lock and by nobody else. */
public final class Attempts {
    private final Contents contents;
    private final Consumer<String> violation;
    private final Set<String> givenBack = new HashSet<>();

    public Attempts(Contents contents, Consumer<String> violation) {
        this.contents = contents;
        this.violation = violation;
    }

    void check(Change change) {
        var before = change.before();
        var after = change.after();
        if (before == null || after == null) {
            return;
        }
        var token = change.tokenAfter();
        boolean isTaken = token != null && !token.equals(change.tokenBefore());
        boolean isGivenBack = token == null && change.tokenBefore() != null;
        if (isGivenBack) {
            givenBack.add(change.id());
        }
        int counted = attempts(after) - attempts(before);
        if (isTaken ? counted != 1 : counted != 0 && !(isGivenBack && counted == -1)) {
            violation.accept("attempts at " + change.id() + " of " + change.instance() + " changed by " + counted + ": "
                    + after);
        }
    }

    /** Who took this lock was told how many attempts there were. */
    public void told(String token, int attempt) {
        bearing(token).mapToInt(Attempts::attempts).max().ifPresent(counted -> {
            if (counted != attempt) {
                violation.accept("told of attempt " + attempt + ", of which there were " + counted);
            }
        });
    }

    /** Whether anything under this lock was given back before. */
    public boolean wasGivenBack(String token) {
        return bearing(token)
                .anyMatch(each -> givenBack.contains(each.path("id").asText()));
    }

    private Stream<JsonNode> bearing(String token) {
        return Stream.concat(contents.all("orch_queue"), contents.all("worker_queue"))
                .filter(each -> token.equals(each.path("lockToken").asText()));
    }

    private static int attempts(JsonNode document) {
        return document.path("attemptCount").asInt();
    }
}
