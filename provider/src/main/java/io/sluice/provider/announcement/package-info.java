/**
 * Announcements: hints that say in which partition work is, so that a runtime need not query the whole container. Start
 * with {@link io.sluice.provider.announcement.WorkFeed}.
 */
@NullMarked
package io.sluice.provider.announcement;

import org.jspecify.annotations.NullMarked;
