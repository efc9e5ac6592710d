/**
 * Finding work without two dispatchers of a process finding the same: one reader per queue asks the store and hands out what it finds. Read
 * {@link io.sluice.provider.cosmos.candidate.CandidateFeed}.
 */
@NullMarked
package io.sluice.provider.cosmos.candidate;

import org.jspecify.annotations.NullMarked;
