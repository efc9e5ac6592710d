/**
 * Finding work so that no two dispatchers of a process get the same: one feed per queue queries the store and hands
 * each candidate to one dispatcher. Start with {@link io.sluice.provider.cosmos.candidate.CandidateFeed}.
 */
@NullMarked
package io.sluice.provider.cosmos.candidate;

import org.jspecify.annotations.NullMarked;
