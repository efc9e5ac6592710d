/** What the dispatchers of this process want of a subscription. */
@NullMarked
package io.sluice.provider.kafka.demand;

import org.jspecify.annotations.NullMarked;
