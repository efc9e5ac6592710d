/** What an assumption is, and all of them. */
@NullMarked
package io.sluice.accountkit.check;

import org.jspecify.annotations.NullMarked;
