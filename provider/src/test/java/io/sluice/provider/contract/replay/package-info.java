/**
 * A small runtime that replays orchestrations over any provider, for the scenarios that need one. Code asks an
 * {@link io.sluice.provider.contract.replay.OrchestrationContext} for steps; every turn runs it from its beginning over
 * the history, up to the first step that has no result yet. Read {@link io.sluice.provider.contract.replay.Turn} first.
 */
@NullMarked
package io.sluice.provider.contract.replay;

import org.jspecify.annotations.NullMarked;
