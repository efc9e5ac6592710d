/**
 * A relay's parts, put together: connections, the pipelines of intents, commands, histories and streams, and what
 * watches over them. Read {@link io.sluice.relay.runtime.RelayRuntime} first.
 */
@NullMarked
package io.sluice.relay.runtime;

import org.jspecify.annotations.NullMarked;
