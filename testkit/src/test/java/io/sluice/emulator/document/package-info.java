@NullMarked
package io.sluice.emulator.document;

import org.jspecify.annotations.NullMarked;
