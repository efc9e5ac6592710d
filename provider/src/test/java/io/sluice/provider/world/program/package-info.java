/** What orchestrations do, turn by turn: start with {@link io.sluice.provider.world.program.Program}. */
@NullMarked
package io.sluice.provider.world.program;

import org.jspecify.annotations.NullMarked;
