/**
 * The documents of the container, field for field as every writer of the store knows them, and the rules for their ids.
 * Start with {@link io.sluice.provider.document.DocumentIds}.
 */
@NullMarked
package io.sluice.provider.document;

import org.jspecify.annotations.NullMarked;
