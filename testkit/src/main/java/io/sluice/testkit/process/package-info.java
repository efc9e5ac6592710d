/** Programs as processes of their own: Java ones, which a test starts, watches, freezes and kills, and a browser. */
@NullMarked
package io.sluice.testkit.process;

import org.jspecify.annotations.NullMarked;
