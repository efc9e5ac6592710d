/**
 * Checks Kafka Connect configurations for the Azure Cosmos connector V2 before a worker ever sees them. Read {@link
 * io.sluice.connect.ConnectorCheck} first.
 */
@NullMarked
package io.sluice.connect;

import org.jspecify.annotations.NullMarked;
