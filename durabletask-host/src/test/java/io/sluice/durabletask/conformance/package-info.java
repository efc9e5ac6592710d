/**
 * What the host promises over the wire, by scenarios of scripted workers and clients on the generated stubs, without an
 * SDK. Start with {@link io.sluice.durabletask.conformance.HostFixture} and
 * {@link io.sluice.durabletask.conformance.ScriptedWorker}.
 */
@NullMarked
package io.sluice.durabletask.conformance;

import org.jspecify.annotations.NullMarked;
