/**
 * What every topic of the relay holds and promises, said once: topics are made, checked and documented from here.
 */
@NullMarked
package io.sluice.relay.contract;

import org.jspecify.annotations.NullMarked;
