/**
 * Settings of programs: each is described once, and from there parsed, checked, listed and documented. Read
 * {@link io.sluice.program.setting.Setting} first, then {@link io.sluice.program.setting.Settings}.
 */
@NullMarked
package io.sluice.program.setting;

import org.jspecify.annotations.NullMarked;
