/**
 * What is stored of an instance: its partition, messages, histories and key values, and what this process remembers.
 */
@NullMarked
package io.sluice.provider.cosmos.turn.read;

import org.jspecify.annotations.NullMarked;
