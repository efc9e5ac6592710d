/** What a provider answers about a record. */
@NullMarked
package io.sluice.provider.kafka.answer;

import org.jspecify.annotations.NullMarked;
