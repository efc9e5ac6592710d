@NullMarked
package io.sluice.emulator.http.dataplane;

import org.jspecify.annotations.NullMarked;
