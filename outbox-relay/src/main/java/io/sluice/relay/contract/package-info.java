/**
 * The contract of every topic of the relay: contents, storage and guarantees. Topics are created, checked and
 * documented from it.
 */
@NullMarked
package io.sluice.relay.contract;

import org.jspecify.annotations.NullMarked;
