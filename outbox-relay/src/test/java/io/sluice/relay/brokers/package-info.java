/**
 * What the loss of one broker of three costs: events go on being written while a broker is frozen or dead, and each is
 * timed until consumers see it. {@link io.sluice.relay.brokers.BrokerLossRun} runs it for every broker.
 */
@NullMarked
package io.sluice.relay.brokers;

import org.jspecify.annotations.NullMarked;
