/**
 * The documents of the container, field for field as every writer of the store knows them, and the rules for their ids.
 * Start with {@link io.sluice.provider.cosmos.document.DocumentIds}.
 */
@NullMarked
package io.sluice.provider.cosmos.document;

import org.jspecify.annotations.NullMarked;
