/**
 * What is known of each physical partition of the store, so that one that is sick holds up itself only: where an
 * instance lies, whether the partition answers, and its share of threads and memory.
 */
@NullMarked
package io.sluice.relay.partition;

import org.jspecify.annotations.NullMarked;
