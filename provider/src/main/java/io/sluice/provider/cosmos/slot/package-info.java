/**
 * Which of the 256 dispatch slots a process looks at first when it looks for work, so that processes of one store do
 * not race for the same instances. A preference and nothing more: the locks exclude. Read
 * {@link io.sluice.provider.cosmos.slot.SlotSharing}.
 */
@NullMarked
package io.sluice.provider.cosmos.slot;

import org.jspecify.annotations.NullMarked;
