/**
 * What clients of DurableTask see of instances: kept along with the instance, and shown. Start with
 * {@link io.sluice.durabletask.state.InstanceState}.
 */
@NullMarked
package io.sluice.durabletask.state;

import org.jspecify.annotations.NullMarked;
