/** The shipped configurations, as files and in a real Connect worker. Tests only. */
@NullMarked
package io.sluice.connect;

import org.jspecify.annotations.NullMarked;
