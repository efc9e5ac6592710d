/** The host as a program: {@code serve}, {@code check}, {@code provision}, {@code settings}. */
@NullMarked
package io.sluice.durabletask.cli;

import org.jspecify.annotations.NullMarked;
