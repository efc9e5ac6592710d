/** A host for DurableTask SDKs on one machine. */
@NullMarked
package io.sluice.examples.durabletask;

import org.jspecify.annotations.NullMarked;
