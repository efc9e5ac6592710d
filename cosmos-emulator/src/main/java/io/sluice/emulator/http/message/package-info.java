/**
 * Requests and responses as they travel, with their headers, paths and lists of documents. Read
 * {@link io.sluice.emulator.http.message.WireRequest} first.
 */
@NullMarked
package io.sluice.emulator.http.message;

import org.jspecify.annotations.NullMarked;
