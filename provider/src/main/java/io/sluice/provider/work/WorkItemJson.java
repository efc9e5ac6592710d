package io.sluice.provider.work;

import io.sluice.provider.history.DecodingException;
import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonOutput;
import io.sluice.provider.json.JsonValue;

/**
 * Work items as JSON: an object whose one key names the variant. The text is the one the Rust runtime writes, byte for
 * byte. Thread-safe.
 */
public final class WorkItemJson {
    private static final String WHAT = "work item";

    private WorkItemJson() {}

    /**
     * The text of a work item.
     *
     * @throws IllegalArgumentException when a string holds half a surrogate pair
     */
    public static String encode(WorkItem item) {
        return JsonOutput.text(text -> text.object(out -> WorkItems.TABLE.writeTagged(out, item)));
    }

    /**
     * The work item that a text holds. Unknown fields are kept as {@link WorkItem#extras()}; fields may come in any
     * order.
     *
     * @throws DecodingException when it is not a work item that this version knows
     */
    public static WorkItem decode(String json) {
        try {
            return WorkItems.TABLE.readTagged(JsonValue.parse(json, WHAT));
        } catch (JsonFault fault) {
            throw new DecodingException(fault);
        }
    }
}
