/** Who held which lock when, as many clients saw it, and whether that can be. */
@NullMarked
package io.sluice.provider.locks;

import org.jspecify.annotations.NullMarked;
