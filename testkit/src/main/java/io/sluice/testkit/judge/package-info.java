/**
 * Judges whether histories were published exactly once: every event, in order, unchanged. Read {@link
 * io.sluice.testkit.judge.HistoryJudge} first.
 */
@NullMarked
package io.sluice.testkit.judge;

import org.jspecify.annotations.NullMarked;
