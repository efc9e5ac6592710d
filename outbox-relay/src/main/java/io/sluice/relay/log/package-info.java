/**
 * Logs and traces of the relay: the keys of log entries, the reason of a failure in one line, and spans. The filter of
 * repeated lines is for the program's own logging configuration only: applications that embed the relay have theirs.
 */
@NullMarked
package io.sluice.relay.log;

import org.jspecify.annotations.NullMarked;
