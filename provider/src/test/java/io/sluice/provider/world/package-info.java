/**
 * Processes of every kind work on one store in virtual time. What happens next, what is lost on the way and who dies, a
 * seed decides, or a story in which one request meets one fault: start with {@link io.sluice.provider.world.World}.
 */
@NullMarked
package io.sluice.provider.world;

import org.jspecify.annotations.NullMarked;
