/**
 * What the examples run on: a database and topics of their own, on an account and a Kafka that the environment names or
 * on embedded ones, and relays as processes. Read {@link io.sluice.examples.servers.Servers} first.
 */
@NullMarked
package io.sluice.examples.servers;

import org.jspecify.annotations.NullMarked;
