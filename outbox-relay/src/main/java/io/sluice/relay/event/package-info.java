/** Events as the history topic has them: their identity and their form. */
@NullMarked
package io.sluice.relay.event;

import org.jspecify.annotations.NullMarked;
