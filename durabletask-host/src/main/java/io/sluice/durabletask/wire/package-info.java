/**
 * The protocol of the SDKs: what {@code task_hub_sidecar.proto} generates, and what its types lack in Java. Start with
 * {@link io.sluice.durabletask.wire.Wire}.
 */
@NullMarked
package io.sluice.durabletask.wire;

import org.jspecify.annotations.NullMarked;
