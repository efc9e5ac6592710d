/**
 * Activities: what a worker answers becomes what a provider commits. Start with
 * {@link io.sluice.durabletask.activity.ActivityCompletion}.
 */
@NullMarked
package io.sluice.durabletask.activity;

import org.jspecify.annotations.NullMarked;
