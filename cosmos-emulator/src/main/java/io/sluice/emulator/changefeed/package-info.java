/** The change feed in both modes. Read {@link io.sluice.emulator.changefeed.ChangeFeed} first. */
@NullMarked
package io.sluice.emulator.changefeed;

import org.jspecify.annotations.NullMarked;
