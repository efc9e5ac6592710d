package io.sluice.emulator.http;

import io.sluice.emulator.RequestKind;

/**
 * The handler of a request.
 *
 * @param kind of the request, for the log
 * @param handler that serves it
 * @param signed whether the request must be signed with the account's key
 */
record Route(RequestKind kind, RequestHandler handler, boolean signed) {
    /** A route that needs a signature, as all routes of the service do. */
    Route(RequestKind kind, RequestHandler handler) {
        this(kind, handler, true);
    }
}
