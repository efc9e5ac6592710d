package io.sluice.program.setting;

import org.jspecify.annotations.Nullable;

/**
 * Settings that are not listed one by one, as their names begin alike: those of another program, such as Kafka's
 * clients.
 */
public interface SettingFamily {
    /** What the keys begin with, such as {@code sluice.kafka.}. */
    String prefix();

    /** Whether it has this name, the key without the prefix. */
    boolean has(String name);

    /** Whether every name that begins so has to be one of its own; otherwise others are somebody else's. */
    boolean isClosed();

    /** What is wrong with a value, without the value, which may be secret; null when it is taken. */
    @Nullable
    String fault(String name, String text);
}
