/**
 * Removing instances that lie in several partitions, all or none. A document decides; every member is locked in its name, far into the future; whoever meets
 * such a lock asks the document and helps. Start with {@link io.sluice.provider.cosmos.deletion.Deletions}.
 */
@NullMarked
package io.sluice.provider.cosmos.deletion;

import org.jspecify.annotations.NullMarked;
