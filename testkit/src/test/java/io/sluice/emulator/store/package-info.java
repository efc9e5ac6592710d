@NullMarked
package io.sluice.emulator.store;

import org.jspecify.annotations.NullMarked;
