/**
 * What the relay tells of orchestrations besides their raw history: business facts, last states, statistics and the ones that
 * are stuck. Each record is the value of one topic; {@link io.sluice.client.lifecycle.LifecycleJson} reads and writes them.
 */
@NullMarked
package io.sluice.client.lifecycle;

import org.jspecify.annotations.NullMarked;
