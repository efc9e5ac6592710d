/** What the programs of this project share. */
@NullMarked
package io.sluice.program;

import org.jspecify.annotations.NullMarked;
