/** Of single documents and batches. */
@NullMarked
package io.sluice.accountkit.check.write;

import org.jspecify.annotations.NullMarked;
