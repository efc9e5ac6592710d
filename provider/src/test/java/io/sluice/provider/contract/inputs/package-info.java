/**
 * What scenarios of the contract give to their providers: times, filters and limits. Read
 * {@link io.sluice.provider.contract.inputs.NotedCalls} first.
 */
@NullMarked
package io.sluice.provider.contract.inputs;

import org.jspecify.annotations.NullMarked;
