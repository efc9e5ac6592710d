@NullMarked
package io.sluice.emulator.batch;

import org.jspecify.annotations.NullMarked;
