/**
 * The tables of what the service documents, and who holds the emulator to them. Read
 * {@link io.sluice.emulator.conformance.QueryTable} first.
 */
@NullMarked
package io.sluice.emulator.conformance;

import org.jspecify.annotations.NullMarked;
