package io.sluice.examples.runtime;

/**
 * Deterministic code that drives activities, timers, external events and sub-orchestrations through its context.
 *
 * <p>It is run from its beginning at every turn, so it must ask for the same steps in the same order each time: no
 * clock, no randomness, no I/O of its own. A turn that has to wait leaves the code by a private {@link Error}, which
 * the code must not catch; {@code finally} blocks run then too, so they must not ask for steps.
 */
@FunctionalInterface
public interface Orchestration {
    /**
     * Runs to the end, or to the first step whose result is not there yet.
     *
     * @return the orchestration's output
     * @throws OrchestrationFailedException to end the orchestration as failed
     */
    String run(OrchestrationContext context, String input);
}
