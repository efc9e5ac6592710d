@NullMarked
package io.sluice.emulator.http;

import org.jspecify.annotations.NullMarked;
