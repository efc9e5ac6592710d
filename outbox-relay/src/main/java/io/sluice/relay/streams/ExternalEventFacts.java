package io.sluice.relay.streams;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.Text;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import org.jspecify.annotations.Nullable;

/**
 * Tells events that somebody raised from those by which a DurableTask host stores what the history has no kind for. The
 * host's have the extra field {@code dt}, and a name that begins with {@code dt:}. Pure.
 *
 * <table>
 * <caption>The host's names</caption>
 * <tr><th>name</th><th>fact</th></tr>
 * <tr><td>{@code dt:suspended}, {@code dt:resumed}</td><td>the same</td></tr>
 * <tr><td>{@code dt:raised:<name>}</td><td>an event that was raised under a name that looks like the host's</td></tr>
 * <tr><td>any other</td><td>none: they are between the host and its workers</td></tr>
 * </table>
 */
final class ExternalEventFacts {
    private static final String FIELD = "dt";
    private static final String OWN = "dt:";
    private static final String RAISED = "dt:raised:";

    private ExternalEventFacts() {}

    static @Nullable Fact of(EventKind.ExternalEvent event, ExtraFields extras) {
        String name = event.name();
        if (!name.startsWith(OWN) || !extras.jsonByName().containsKey(FIELD)) {
            return received(name);
        }
        return switch (name) {
            case "dt:suspended" -> new Fact.Suspended(Text.shortened(event.data()));
            case "dt:resumed" -> new Fact.Resumed(Text.shortened(event.data()));
            default -> name.startsWith(RAISED) ? received(name.substring(RAISED.length())) : null;
        };
    }

    private static Fact received(String name) {
        return new Fact.ExternalEventReceived(Text.shortened(name), false);
    }
}
