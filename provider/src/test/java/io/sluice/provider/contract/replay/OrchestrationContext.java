package io.sluice.provider.contract.replay;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What orchestration code may ask for. Each call schedules a durable step once, however often the code is replayed. */
public interface OrchestrationContext {
    /** The instance the code runs for. */
    String instance();

    /** The execution the code runs for. */
    long execution();

    /** Runs an activity on some worker. */
    default Step activity(String name, String input) {
        return activity(name, input, null, null);
    }

    /** Runs an activity in a session, on a worker that serves the tag. */
    Step activity(String name, String input, @Nullable String session, @Nullable String tag);

    /** Runs an activity in a session. */
    default Step inSession(String session, String name, String input) {
        return activity(name, input, session, null);
    }

    /** Waits. */
    Step timer(Duration delay);

    /** The next external event of this name. */
    Step event(String name);

    /** The next message of this queue, also one that an earlier execution left. */
    Step message(String queue);

    /** Runs a child, its id made of this instance's; null version lets the runtime choose. */
    Step child(String name, @Nullable String version, String input);

    /** Runs a child under an id of its own. */
    Step childAs(String instance, String name, String input);

    /** Starts an orchestration that nobody waits for. */
    void detached(String instance, String name, String input);

    /** Sets a key. */
    void set(String key, String value);

    /** A key as this code left it. */
    Optional<String> get(String key);

    /** Sets the custom status. */
    void status(@Nullable String status);

    /** Waits for the first of these and calls the others off. */
    Won race(Step... steps);

    /** Waits for all of these, in order. */
    List<String> all(List<Step> steps);

    /** Ends this execution and begins the next; null keeps the version. */
    Interruption continueAsNew(String input, @Nullable String version);

    /** A step that may have a result. */
    interface Step {
        /**
         * The result.
         *
         * @throws Interruption when there is none yet
         * @throws StepFailedException when the step failed
         */
        String await();
    }

    /** Which step of a race was first, and its result. */
    record Won(int index, String result) {}
}
