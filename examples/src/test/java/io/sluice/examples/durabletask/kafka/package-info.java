/**
 * Hosts beside a relay: what is published of their orchestrations, commands to them, and work that is announced. Read
 * {@code RelayedHub} first.
 */
@NullMarked
package io.sluice.examples.durabletask.kafka;

import org.jspecify.annotations.NullMarked;
