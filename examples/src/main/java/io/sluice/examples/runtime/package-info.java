/**
 * A small orchestration runtime on top of the provider, as an application would embed one: orchestrations are plain
 * Java code that is run from the start at every turn and fed with the results in its history. It also plays the
 * end-to-end scenarios of the provider contract. Read {@link io.sluice.examples.runtime.TurnRunner} first, then
 * {@code Turn}, {@code MessageRecorder} and {@code Replay}.
 */
@NullMarked
package io.sluice.examples.runtime;

import org.jspecify.annotations.NullMarked;
