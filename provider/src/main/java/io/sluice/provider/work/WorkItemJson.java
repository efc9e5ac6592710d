package io.sluice.provider.work;

import io.sluice.provider.history.DecodingException;
import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonValue;
import io.sluice.provider.json.VariantTable;

/**
 * Work items as JSON: an object whose one key names the variant. The text is the one the Rust runtime writes, byte for
 * byte. Thread-safe.
 */
public final class WorkItemJson {
    static final VariantTable<WorkItem> ITEMS = new VariantTable<>(WorkItem.class);

    private WorkItemJson() {}

    /**
     * The text of a work item.
     *
     * @throws IllegalArgumentException when a string holds half a surrogate pair
     */
    public static String encode(WorkItem item) {
        return ITEMS.text(item);
    }

    /**
     * The work item that a text holds. Unknown fields are kept as {@link WorkItem#extras()}; fields may come in any
     * order.
     *
     * @throws DecodingException when it is not a work item that this version knows
     */
    public static WorkItem decode(String json) {
        try {
            return ITEMS.read(JsonValue.parse(json, "work item"));
        } catch (JsonFault fault) {
            throw new DecodingException(fault);
        }
    }
}
