/** How the queues are searched for work: rows of all partitions oldest first, in which slots, and how often. */
@NullMarked
package io.sluice.provider.cosmos.search;

import org.jspecify.annotations.NullMarked;
