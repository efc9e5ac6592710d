@NullMarked
package io.sluice.emulator.query;

import org.jspecify.annotations.NullMarked;
