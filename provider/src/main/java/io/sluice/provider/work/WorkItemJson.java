package io.sluice.provider.work;

import io.sluice.provider.history.DecodingException;
import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonOutput;
import io.sluice.provider.json.JsonValue;
import java.util.Map;

/**
 * Work items as JSON: an object whose one key names the variant. The text is the one the Rust runtime writes, byte for byte. Thread-safe.
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
        return JsonOutput.text(text ->
                text.object(out -> out.object(item.variant(), body -> WorkItemTable.write(body, item))));
    }

    /**
     * The work item that a text holds. Unknown fields are kept as {@link WorkItem#extras()}; fields may come in any order.
     *
     * @throws DecodingException when it is not a work item that this version knows
     */
    public static WorkItem decode(String json) {
        try {
            return read(JsonValue.parse(json, WHAT));
        } catch (JsonFault fault) {
            throw new DecodingException(fault);
        }
    }

    private static WorkItem read(JsonValue value) {
        Map.Entry<String, JsonValue> variant = value.asVariant();
        WorkItem item = WorkItemTable.read(variant.getKey(), variant.getValue());
        if (item == null) {
            throw value.fault("expected a known variant, found " + JsonFault.printable(variant.getKey()));
        }
        return item;
    }
}
