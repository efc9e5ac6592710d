/**
 * DurableTask's events as events and messages of a provider, and back (format 1). Start with
 * {@link io.sluice.durabletask.history.TurnEvents}, then {@link io.sluice.durabletask.history.EventEncoder}.
 */
@NullMarked
package io.sluice.durabletask.history;

import org.jspecify.annotations.NullMarked;
