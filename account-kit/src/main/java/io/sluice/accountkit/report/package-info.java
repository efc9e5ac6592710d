/** What was found, and how it is told: as text, Markdown and JSON. */
@NullMarked
package io.sluice.accountkit.report;

import org.jspecify.annotations.NullMarked;
