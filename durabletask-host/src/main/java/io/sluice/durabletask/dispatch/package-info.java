/**
 * The way of work from a provider to workers and back: dispatchers fetch what connected workers take, boards know what
 * each worker holds, locks are kept as long as it has it, and completions are committed once.
 */
@NullMarked
package io.sluice.durabletask.dispatch;

import org.jspecify.annotations.NullMarked;
