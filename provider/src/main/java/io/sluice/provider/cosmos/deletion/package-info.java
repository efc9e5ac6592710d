/**
 * Removing instances from several partitions, all or none. One document decides the deletion; every member is locked
 * for it, far into the future; a process that finds such a lock reads the document and helps. Start with
 * {@link io.sluice.provider.cosmos.deletion.Deletions}.
 */
@NullMarked
package io.sluice.provider.cosmos.deletion;

import org.jspecify.annotations.NullMarked;
