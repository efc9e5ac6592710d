/** The emulator as the official SDK sees it, over the socket. */
@NullMarked
package io.sluice.emulator;

import org.jspecify.annotations.NullMarked;
