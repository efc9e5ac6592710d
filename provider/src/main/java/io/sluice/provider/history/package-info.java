/**
 * The history of an execution: its events, their kinds, and their JSON form, which is the one of the Rust runtime byte
 * for byte. Read {@link io.sluice.provider.history.HistoryEvent} first.
 */
@NullMarked
package io.sluice.provider.history;

import org.jspecify.annotations.NullMarked;
