/**
 * Filters of the programs' own logging configuration, {@code io/sluice/program/logback.xml}: applications that embed
 * relay or host have theirs.
 */
@NullMarked
package io.sluice.program.log;

import org.jspecify.annotations.NullMarked;
