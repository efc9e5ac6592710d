package io.sluice.emulator.http;

import io.sluice.emulator.RequestKind;

/**
 * Where a request goes.
 *
 * @param kind how the log calls it
 * @param handler that serves it
 * @param signed whether the request must be signed with the account's key
 */
record Route(RequestKind kind, RequestHandler handler, boolean signed) {
    /** A route of the service itself. */
    Route(RequestKind kind, RequestHandler handler) {
        this(kind, handler, true);
    }
}
