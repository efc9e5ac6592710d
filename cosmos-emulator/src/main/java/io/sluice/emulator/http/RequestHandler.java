package io.sluice.emulator.http;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;

/** Serves one kind of request. Thread-safe; may block. */
interface RequestHandler {
    /**
     * Does what a request asks.
     *
     * @throws StatusException when the service would refuse it
     */
    WireResponse handle(WireRequest request);
}
