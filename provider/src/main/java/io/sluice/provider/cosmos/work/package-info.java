/**
 * Which work a dispatcher gets next: the words of it. One index a queue and process decides, see
 * {@code io.sluice.provider.cosmos.work.index.WorkIndex}.
 */
@NullMarked
package io.sluice.provider.cosmos.work;

import org.jspecify.annotations.NullMarked;
