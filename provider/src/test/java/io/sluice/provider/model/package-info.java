/** The contract as a plain program in memory. */
@NullMarked
package io.sluice.provider.model;

import org.jspecify.annotations.NullMarked;
