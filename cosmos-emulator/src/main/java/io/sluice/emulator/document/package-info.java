/**
 * JSON documents as the service accepts them, and the exception with which it refuses a wrong one. Read
 * {@link io.sluice.emulator.document.Json} first.
 */
@NullMarked
package io.sluice.emulator.document;

import org.jspecify.annotations.NullMarked;
