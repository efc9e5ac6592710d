/** Of physical partitions that split and merge. */
@NullMarked
package io.sluice.accountkit.check.split;

import org.jspecify.annotations.NullMarked;
