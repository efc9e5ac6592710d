/** Holds what operators deploy with to the programs as they are. Tests only. */
@NullMarked
package io.sluice.deploy;

import org.jspecify.annotations.NullMarked;
