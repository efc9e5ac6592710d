/**
 * What the relay publishes about orchestrations besides their history: lifecycle events, the latest status of each
 * instance, statistics, and stuck instances. Each record is the value of one topic;
 * {@link io.sluice.client.lifecycle.LifecycleJson} reads and writes them.
 */
@NullMarked
package io.sluice.client.lifecycle;

import org.jspecify.annotations.NullMarked;
