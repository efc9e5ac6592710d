/**
 * The soak: half an hour of everything at a steady rate while processes are killed, others watched for what grows, then
 * an audit of all that was published. Read {@link io.sluice.relay.soak.SoakRun} first.
 */
@NullMarked
package io.sluice.relay.soak;

import org.jspecify.annotations.NullMarked;
