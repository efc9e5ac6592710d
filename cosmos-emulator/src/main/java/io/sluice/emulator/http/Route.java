package io.sluice.emulator.http;

import io.sluice.emulator.RequestKind;

/**
 * Where a request goes.
 *
 * @param kind how the log calls it
 * @param handler that serves it
 */
record Route(RequestKind kind, Handler handler) {}
