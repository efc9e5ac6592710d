/** The time that locks, visibility and deadlines go by: the service's, estimated from its answers. */
@NullMarked
package io.sluice.provider.cosmos.time;

import org.jspecify.annotations.NullMarked;
