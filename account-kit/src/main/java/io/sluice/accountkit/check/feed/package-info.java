/** Of the change feed. */
@NullMarked
package io.sluice.accountkit.check.feed;

import org.jspecify.annotations.NullMarked;
