package io.sluice.provider.cosmos.staged;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.request.BatchWrite;
import java.util.ArrayList;
import java.util.List;

/**
 * Batch operations as a staged part carries them. Only those that need no version: the commit document's is the one
 * that guards a part.
 */
final class Operations {
    private static final String CREATE = "create";
    private static final String UPSERT = "upsert";
    private static final String DELETE = "delete";

    private Operations() {}

    static ArrayNode write(List<BatchWrite> writes) {
        ArrayNode operations = JsonNodeFactory.instance.arrayNode(writes.size());
        for (BatchWrite write : writes) {
            ObjectNode operation = operations.addObject();
            if (write instanceof BatchWrite.Create create) {
                operation.set(CREATE, create.document());
            } else if (write instanceof BatchWrite.Upsert upsert) {
                operation.set(UPSERT, upsert.document());
            } else if (write instanceof BatchWrite.Delete delete && delete.ifMatch() == null) {
                operation.put(DELETE, delete.id());
            } else {
                throw new IllegalArgumentException("a part can't carry " + write);
            }
        }
        return operations;
    }

    static List<BatchWrite> read(ArrayNode operations) {
        List<BatchWrite> writes = new ArrayList<>(operations.size());
        for (JsonNode operation : operations) {
            if (operation.get(CREATE) instanceof ObjectNode document) {
                writes.add(new BatchWrite.Create(document));
            } else if (operation.get(UPSERT) instanceof ObjectNode document) {
                writes.add(new BatchWrite.Upsert(document));
            } else if (operation.path(DELETE).isTextual()) {
                writes.add(new BatchWrite.Delete(operation.path(DELETE).textValue(), null));
            } else {
                throw new MalformedDocumentException("a staged part holds an unknown operation: "
                        + String.join(", ", (Iterable<String>) operation::fieldNames));
            }
        }
        return writes;
    }
}
