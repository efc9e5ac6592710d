/** Java programs as processes of their own, which a test starts, watches, freezes and kills. */
@NullMarked
package io.sluice.testkit.process;

import org.jspecify.annotations.NullMarked;
