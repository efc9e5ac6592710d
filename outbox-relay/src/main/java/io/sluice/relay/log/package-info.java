/**
 * Logs and traces of the relay: the keys of log entries, and spans.
 */
@NullMarked
package io.sluice.relay.log;

import org.jspecify.annotations.NullMarked;
