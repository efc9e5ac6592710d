/**
 * The port for operators: routes, the token for calls that change something, and answers as JSON. Read
 * {@link io.sluice.relay.http.OpsServer} first.
 */
@NullMarked
package io.sluice.relay.http;

import org.jspecify.annotations.NullMarked;
