/**
 * The programs of {@code docs/quick-start.md}: a runtime of one class on the provider, and the small tools that a
 * machine without Kafka lacks. Read {@link io.sluice.examples.quickstart.Greeter} first.
 */
@NullMarked
package io.sluice.examples.quickstart;

import org.jspecify.annotations.NullMarked;
