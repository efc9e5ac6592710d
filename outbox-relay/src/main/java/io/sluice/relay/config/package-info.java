/**
 * The settings of a relay: what there is, and how it is read from the environment and from files. Read
 * {@link io.sluice.relay.config.RelayConfig} first.
 */
@NullMarked
package io.sluice.relay.config;

import org.jspecify.annotations.NullMarked;
