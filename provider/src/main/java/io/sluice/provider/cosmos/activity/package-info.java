/**
 * Activities: fetched under a lock of their own, completed together with the message to their instance. Start
 * with {@link io.sluice.provider.cosmos.activity.Activities}.
 */
@NullMarked
package io.sluice.provider.cosmos.activity;

import org.jspecify.annotations.NullMarked;
