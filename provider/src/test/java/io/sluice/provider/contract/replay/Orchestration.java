package io.sluice.provider.contract.replay;

/** Deterministic code. It must not catch {@link Interruption}. */
@FunctionalInterface
public interface Orchestration {
    /** Runs to the end, or to the first step without a result. */
    String run(OrchestrationContext context, String input);
}
