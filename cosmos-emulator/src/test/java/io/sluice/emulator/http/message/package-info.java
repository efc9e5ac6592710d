@NullMarked
package io.sluice.emulator.http.message;

import org.jspecify.annotations.NullMarked;
