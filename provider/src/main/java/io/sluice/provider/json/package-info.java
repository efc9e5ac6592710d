/**
 * How events and work items become JSON text and come back: strict reading with errors that name the place, writing byte for byte as the Rust
 * runtime does. Read {@link io.sluice.provider.json.JsonFields} first; users of the provider meet {@link io.sluice.provider.json.DecodingException}
 * and {@link io.sluice.provider.json.ExtraFields} only.
 */
@NullMarked
package io.sluice.provider.json;

import org.jspecify.annotations.NullMarked;
