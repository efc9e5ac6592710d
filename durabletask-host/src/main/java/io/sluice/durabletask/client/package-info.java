/** What clients ask of a task hub: starts, states, waits, events, queries, purges. */
@NullMarked
package io.sluice.durabletask.client;

import org.jspecify.annotations.NullMarked;
