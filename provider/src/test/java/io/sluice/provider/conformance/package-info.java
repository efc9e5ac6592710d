/**
 * Writes {@code docs/conformance.md}, the page that says which test holds which statement of the contract and how it
 * went where. Read {@link io.sluice.provider.conformance.ConformancePage} first.
 */
@NullMarked
package io.sluice.provider.conformance;

import org.jspecify.annotations.NullMarked;
