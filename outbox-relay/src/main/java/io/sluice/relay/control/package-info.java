/**
 * What controls the pipelines of a replica: an operator pauses and resumes them, heartbeats show that they are alive,
 * and a budget limits their memory. Read {@link io.sluice.relay.control.PipelineControl} first.
 */
@NullMarked
package io.sluice.relay.control;

import org.jspecify.annotations.NullMarked;
