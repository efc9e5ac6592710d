/**
 * A worker whose orchestrations are functions of their events, for tests of hosts here and in other modules: it comes
 * with the test jar.
 */
@NullMarked
package io.sluice.durabletask.replay;

import org.jspecify.annotations.NullMarked;
