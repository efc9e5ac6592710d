@NullMarked
package io.sluice.emulator;

import org.jspecify.annotations.NullMarked;
