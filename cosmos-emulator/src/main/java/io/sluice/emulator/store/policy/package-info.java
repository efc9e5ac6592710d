/** What a container's properties say of indexes, unique keys and all else that has a default. */
@NullMarked
package io.sluice.emulator.store.policy;

import org.jspecify.annotations.NullMarked;
