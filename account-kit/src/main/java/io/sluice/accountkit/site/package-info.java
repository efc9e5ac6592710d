/** The database that the assumptions are tried in, and bounded requests to it. */
@NullMarked
package io.sluice.accountkit.site;

import org.jspecify.annotations.NullMarked;
