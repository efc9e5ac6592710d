package io.sluice.examples.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What orchestration code may ask for. Each call schedules a durable step once, however often the code is replayed. */
public interface OrchestrationContext {
    /** The instance this code runs for. */
    String instance();

    /** The execution this code runs for, from 1. */
    long execution();

    /** Runs an activity on some worker. */
    default Step activity(String name, String input) {
        return activity(name, input, null, null);
    }

    /** Runs an activity on the worker that owns the session. */
    default Step activityInSession(String session, String name, String input) {
        return activity(name, input, session, null);
    }

    /** Runs an activity in a session, on a worker that serves the tag. */
    Step activity(String name, String input, @Nullable String session, @Nullable String tag);

    /** Waits; the wait outlives the process. Its result is empty text. */
    Step timer(Duration delay);

    /**
     * The next external event of this name that no earlier call took, whether it came already or is still to come. Its
     * result is the data.
     */
    Step externalEvent(String name);

    /** The next message of this queue, also one that an earlier execution left. Its result is the data. */
    Step message(String queue);

    /**
     * Runs the latest version of another orchestration as the instance {@code <this instance>::sub::<event id>}. Its
     * result is the output of the child.
     */
    default Step subOrchestration(String name, String input) {
        return subOrchestration(name, null, input);
    }

    /** Runs a version of another orchestration; null lets the runtime choose. */
    Step subOrchestration(String name, @Nullable String version, String input);

    /** Runs another orchestration under an instance id of its own. */
    Step subOrchestrationAs(String instance, String name, String input);

    /** Starts an orchestration without waiting for it. */
    void startDetached(String instance, String name, String input);

    /** Sets a key of this instance. */
    void setValue(String key, String value);

    /** The value of a key as this code left it. */
    Optional<String> getValue(String key);

    /** Sets the custom status; null clears it. */
    void setCustomStatus(@Nullable String status);

    /** Waits for the first of these steps and cancels the others. */
    Winner race(Step... steps);

    /** Waits for all of these steps; the results are in their order. */
    default List<String> awaitAll(List<Step> steps) {
        return steps.stream().map(Step::await).toList();
    }

    /** What to throw to end this execution and begin the next; null keeps the version. */
    ContinueAsNewError continueAsNew(String input, @Nullable String version);

    /** Which step of a race was first, and its result. */
    record Winner(int index, String result) {}
}
