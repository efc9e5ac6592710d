/** Of queries. */
@NullMarked
package io.sluice.accountkit.check.query;

import org.jspecify.annotations.NullMarked;
