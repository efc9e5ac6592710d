/**
 * What the program's log leaves out. Only for the program's own logging configuration: applications that embed the
 * relay have theirs.
 */
@NullMarked
package io.sluice.relay.log;

import org.jspecify.annotations.NullMarked;
