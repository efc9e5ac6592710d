/** Threads of a feed, and how they are ended. */
@NullMarked
package io.sluice.provider.kafka.thread;

import org.jspecify.annotations.NullMarked;
