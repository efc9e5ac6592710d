/**
 * How far the relay is behind, whether it comes through, and what it published lately, kept in memory for those who look on. Read
 * {@link io.sluice.relay.watch.LagSurvey} first.
 */
@NullMarked
package io.sluice.relay.watch;

import org.jspecify.annotations.NullMarked;
