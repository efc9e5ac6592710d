/**
 * What the relay counts and measures, as Micrometer meters. Read {@link io.sluice.relay.metrics.RelayMeters} first;
 * docs/metrics.md says what each means.
 */
@NullMarked
package io.sluice.relay.metrics;

import org.jspecify.annotations.NullMarked;
