/**
 * The HTTP server: it reads a request, checks its signature, finds its route, injects faults and writes the response.
 * Read {@link io.sluice.emulator.http.RequestPipeline} first: a request passes it from end to end.
 */
@NullMarked
package io.sluice.emulator.http;

import org.jspecify.annotations.NullMarked;
