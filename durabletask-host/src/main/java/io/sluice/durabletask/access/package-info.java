/** Who may call what: tokens, their rights, and the task hubs that they open. */
@NullMarked
package io.sluice.durabletask.access;

import org.jspecify.annotations.NullMarked;
