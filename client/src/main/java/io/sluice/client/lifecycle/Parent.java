package io.sluice.client.lifecycle;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who awaits the result of an instance.
 *
 * @param execution the parent's execution; null when an older runtime wrote the history
 * @param event the event of the parent's history that started the instance
 */
public record Parent(
        String instance, @Nullable Long execution, @Nullable Long event) {
    public Parent {
        Objects.requireNonNull(instance, "instance");
    }
}
