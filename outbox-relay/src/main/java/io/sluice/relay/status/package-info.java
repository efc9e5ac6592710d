/** What a relay has done and how it stands. Read {@link io.sluice.relay.status.RelayStatus} first. */
@NullMarked
package io.sluice.relay.status;

import org.jspecify.annotations.NullMarked;
