/**
 * Commands to orchestrations, and how they ended, for Java teams. Read {@link io.sluice.client.SluiceClient} first;
 * what orchestrations tell of themselves is in {@link io.sluice.client.lifecycle}.
 */
@NullMarked
package io.sluice.client;

import org.jspecify.annotations.NullMarked;
