/**
 * Drives a {@link io.sluice.provider.cosmos.work.WorkIndex} by a lock, clocks, the threads of the dispatchers, searches
 * of the store and a feed of announcements. Start with {@link io.sluice.provider.cosmos.work.desk.WorkDesk}.
 */
@NullMarked
package io.sluice.provider.cosmos.work.desk;

import org.jspecify.annotations.NullMarked;
