/**
 * What lies in the queues: work items, their JSON form, which is the one of the Rust runtime byte for byte, and the
 * dispatch slot of an instance. Read {@link io.sluice.provider.work.WorkItem} first.
 */
@NullMarked
package io.sluice.provider.work;

import org.jspecify.annotations.NullMarked;
