/**
 * Turns that take more than one transactional batch: their parts are put in place unseen, one batch commits, and
 * anybody applies the rest. The rules are the rules of the protocol model of staged turns.
 */
@NullMarked
package io.sluice.provider.cosmos.staged;

import org.jspecify.annotations.NullMarked;
