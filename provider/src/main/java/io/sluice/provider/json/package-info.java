/**
 * The JSON of events and work items, which are annotated records: strict reading with faults that name the place,
 * writing byte for byte as the Rust runtime does. Not for use from outside the provider. Read
 * {@link io.sluice.provider.json.RecordFields} first.
 */
@NullMarked
package io.sluice.provider.json;

import org.jspecify.annotations.NullMarked;
