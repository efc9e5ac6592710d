@NullMarked
package io.sluice.emulator.document.hybridrow;

import org.jspecify.annotations.NullMarked;
