/**
 * Handlers for items: single writes and reads, batches, queries and the change feed. Read
 * {@link io.sluice.emulator.http.dataplane.RequestTarget} first: every handler begins by finding the container,
 * partition key and physical partition that a request addresses.
 */
@NullMarked
package io.sluice.emulator.http.dataplane;

import org.jspecify.annotations.NullMarked;
