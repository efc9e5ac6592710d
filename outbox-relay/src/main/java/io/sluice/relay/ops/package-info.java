/**
 * What every part of the relay needs to run: loops that stop, access to Kafka, its topics, and the state an operator
 * sees. Read {@link io.sluice.relay.ops.Loop} first.
 */
@NullMarked
package io.sluice.relay.ops;

import org.jspecify.annotations.NullMarked;
