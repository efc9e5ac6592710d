package io.sluice.examples.runtime;

import java.time.Duration;

/** What orchestration code may ask for. Each call schedules a durable step once, however often the code is replayed. */
public interface OrchestrationContext {
    /** The instance this code runs for. */
    String instance();

    /** Runs an activity on some worker. */
    Step activity(String name, String input);

    /** Waits; the wait outlives the process. Its result is empty text. */
    Step timer(Duration delay);

    /**
     * The next external event of this name that no earlier call took, whether it came already or is still to come. Its
     * result is the data.
     */
    Step externalEvent(String name);

    /**
     * Runs another orchestration as the instance {@code <this instance>::sub::<event id>}. Its result is that one's
     * output.
     */
    Step subOrchestration(String name, String input);
}
