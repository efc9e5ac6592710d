package io.sluice.emulator.http;

import io.sluice.emulator.store.Refusal;

/** Serves one kind of request. Thread-safe; may block. */
interface Handler {
    /**
     * Does what a request asks.
     *
     * @throws Refusal when the service would refuse it
     */
    WireAnswer handle(WireRequest request);
}
