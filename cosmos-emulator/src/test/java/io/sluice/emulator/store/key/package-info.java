@NullMarked
package io.sluice.emulator.store.key;

import org.jspecify.annotations.NullMarked;
