package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Consumer;

/** What can happen to a lease document in a container that others can write. */
enum Corruption {
    TIMESTAMP_THAT_IS_NO_TIME(lease -> lease.put("timestamp", "yesterday")),
    TIMESTAMP_THAT_IS_A_NUMBER(lease -> lease.put("timestamp", 5)),
    NO_TOKEN(lease -> lease.remove("LeaseToken")),
    TOKEN_THAT_IS_NO_TEXT(lease -> lease.putObject("LeaseToken")),
    TOKEN_OF_ANOTHER(lease -> lease.put("LeaseToken", "00-01")),
    NO_RANGE(lease -> lease.remove("feedRange")),
    RANGE_THAT_IS_TEXT(lease -> lease.put("feedRange", "all")),
    EMPTY_RANGE(lease -> lease.putObject("feedRange")),
    INVERTED_RANGE(lease ->
            lease.putObject("feedRange").putObject("Range").put("min", "FF").put("max", "")),
    OWNER_THAT_IS_NO_TEXT(lease -> lease.put("Owner", 7)),
    CONTINUATION_THAT_IS_NONE(lease -> lease.put("ContinuationToken", "no token")),
    CONTINUATION_THAT_IS_NO_TEXT(lease -> lease.putObject("ContinuationToken")),
    CONTINUATION_OF_ANOTHER_KIND(lease -> lease.put(
            "ContinuationToken", Base64.getEncoder().encodeToString("{\"V\":1}".getBytes(StandardCharsets.UTF_8)))),
    UNKNOWN_VERSION(lease -> lease.put("version", 9));

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final Consumer<ObjectNode> change;

    Corruption(Consumer<ObjectNode> change) {
        this.change = change;
    }

    /** The same document after it. */
    ObjectNode of(ObjectNode lease) {
        var changed = lease.deepCopy();
        change.accept(changed);
        return changed;
    }
}
