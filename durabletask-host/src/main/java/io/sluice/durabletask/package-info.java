/**
 * Hosts orchestrations of SDKs that speak the DurableTask protocol. Start with
 * {@link io.sluice.durabletask.DurableTaskHost}.
 */
@NullMarked
package io.sluice.durabletask;

import org.jspecify.annotations.NullMarked;
