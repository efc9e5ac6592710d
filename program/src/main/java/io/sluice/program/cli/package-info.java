/** Command lines of programs: exit codes, faults as people read them, calls of a running process. */
@NullMarked
package io.sluice.program.cli;

import org.jspecify.annotations.NullMarked;
