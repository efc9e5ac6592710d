/**
 * What the relay costs and how fast it is, over the emulator and an embedded broker: latency, events per second, idle
 * requests, takeover.
 */
@NullMarked
package io.sluice.benchmarks.relay;

import org.jspecify.annotations.NullMarked;
