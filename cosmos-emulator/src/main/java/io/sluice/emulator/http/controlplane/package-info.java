/**
 * Handlers for everything above items: the account, databases, containers, throughput offers, and the emulator's own
 * controls and explorer page. Read {@link io.sluice.emulator.http.controlplane.ContainerHandlers} first.
 */
@NullMarked
package io.sluice.emulator.http.controlplane;

import org.jspecify.annotations.NullMarked;
