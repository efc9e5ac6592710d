package io.sluice.connect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Where a connector stands.
 *
 * @param isRunning whether it and all of its tasks, of which there are some, run
 * @param hasFailed whether it or a task has
 * @param isHalted whether somebody has paused or stopped it
 * @param words its state and its tasks' states, with the first line of what ended them
 */
record ConnectorState(boolean isRunning, boolean hasFailed, boolean isHalted, String words) {
    private static final Set<String> HALTED = Set.of("PAUSED", "STOPPED");

    /** What the worker says under {@code /connectors/<name>/status}. */
    static ConnectorState of(JsonNode status) {
        List<String> states = new ArrayList<>();
        List<String> words = new ArrayList<>();
        JsonNode connector = status.path("connector");
        states.add(state(connector));
        words.add(words(connector));
        status.path("tasks").forEach(task -> {
            states.add(state(task));
            words.add("task " + task.path("id").asText() + " " + words(task));
        });
        boolean isRunning = !status.path("tasks").isEmpty() && states.stream().allMatch("RUNNING"::equals);
        return new ConnectorState(
                isRunning, states.contains("FAILED"), HALTED.contains(state(connector)), String.join(", ", words));
    }

    /** Not reported. */
    static ConnectorState unknown(String why) {
        return new ConnectorState(false, false, false, why);
    }

    /** The same with further words. */
    ConnectorState with(String more) {
        return new ConnectorState(isRunning, hasFailed, isHalted, words + more);
    }

    private static String state(JsonNode part) {
        return part.path("state").asText();
    }

    private static String words(JsonNode part) {
        String trace = part.path("trace").asText();
        return state(part)
                + (trace.isEmpty() ? "" : " (" + trace.lines().findFirst().orElse("") + ")");
    }
}
