/**
 * Announces work to the runtimes, so that they need not query the whole container for it. Read
 * {@link io.sluice.relay.dispatch.WorkAnnouncer} first, and {@code docs/protocols/dispatch.md}.
 */
@NullMarked
package io.sluice.relay.dispatch;

import org.jspecify.annotations.NullMarked;
