/** What waits in a task hub, and what no worker takes: {@link io.sluice.durabletask.waiting.WaitingMonitor}. */
@NullMarked
package io.sluice.durabletask.waiting;

import org.jspecify.annotations.NullMarked;
