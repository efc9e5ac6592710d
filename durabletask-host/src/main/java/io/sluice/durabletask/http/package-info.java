/** The port for operators: health, metrics, status. */
@NullMarked
package io.sluice.durabletask.http;

import org.jspecify.annotations.NullMarked;
