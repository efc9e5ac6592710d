package io.sluice.provider.contract;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which numbered statements of the contract a test, or every test of a class, holds. {@code docs/conformance.md}
 * lists them by it.
 *
 * <pre>{@code
 * @Covers({"wire 20", "spec/003 race 2"})
 * @Test
 * void a_turn_of_many_operations_never_tears() { … }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Covers {
    /**
     * Source and number: {@code wire 20} for deviation 20, {@code spec/003 race 2}, {@code spec/003 failure 5},
     * {@code e2e sample_hello_world_fs}.
     */
    String[] value();
}
