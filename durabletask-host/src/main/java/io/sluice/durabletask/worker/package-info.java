/** Connected workers: what each takes, how much more of it, and the stream that it gets it by. */
@NullMarked
package io.sluice.durabletask.worker;

import org.jspecify.annotations.NullMarked;
