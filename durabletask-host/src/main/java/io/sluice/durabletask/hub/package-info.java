/** One task hub: a container with its dispatch and its clients' operations. */
@NullMarked
package io.sluice.durabletask.hub;

import org.jspecify.annotations.NullMarked;
