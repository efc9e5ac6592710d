/**
 * Gives work to the dispatchers of a process: an index of it with a lock, clocks and threads, a feed and searches.
 */
@NullMarked
package io.sluice.provider.cosmos.work.desk;

import org.jspecify.annotations.NullMarked;
