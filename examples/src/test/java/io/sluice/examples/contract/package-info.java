/**
 * The end-to-end scenarios of the provider contract, played by {@link io.sluice.examples.runtime.OrchestrationRuntime}
 * over any store. {@link io.sluice.examples.contract.EndToEndScenarios} is what they share.
 */
@NullMarked
package io.sluice.examples.contract;

import org.jspecify.annotations.NullMarked;
