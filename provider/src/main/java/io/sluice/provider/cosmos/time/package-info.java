/** The time that locks, visibility and deadlines go by: the service's, as far as its answers tell. */
@NullMarked
package io.sluice.provider.cosmos.time;

import org.jspecify.annotations.NullMarked;
