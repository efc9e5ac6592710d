/**
 * The port for operators: routes, the token for calls that change something, and answers as JSON. Read
 * {@link io.sluice.program.http.OpsServer} first.
 */
@NullMarked
package io.sluice.program.http;

import org.jspecify.annotations.NullMarked;
