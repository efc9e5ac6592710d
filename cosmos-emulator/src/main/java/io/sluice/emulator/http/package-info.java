/**
 * The wire: a server that takes the SDK's requests apart, checks their signatures, routes them and writes the answers.
 * Read {@link io.sluice.emulator.http.EmulatorServer} first.
 */
@NullMarked
package io.sluice.emulator.http;

import org.jspecify.annotations.NullMarked;
