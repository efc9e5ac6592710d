/**
 * The pages of the documentation as a reader goes through them: {@link io.sluice.examples.pages.PagesIT} runs their
 * commands, and compares what is printed.
 */
@NullMarked
package io.sluice.examples.pages;

import org.jspecify.annotations.NullMarked;
