package io.sluice.emulator.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.query.QuerySyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A patch: operations on one document, and perhaps a condition.
 *
 * @param operations in their order
 * @param condition the predicate that the document must match, null for none
 */
public record PatchRequest(
        List<PatchOperation> operations, @Nullable CosmosQuery condition) {
    private static final int MAX_OPERATIONS = 10;

    /** Copies the operations. */
    public PatchRequest {
        operations = List.copyOf(operations);
    }

    /**
     * Reads {@code {"operations": […], "condition": "from c where …"}}, or the operations alone, as the JavaScript SDK
     * sends them.
     *
     * @throws StatusException 400 when the body is no patch, or has no operations or more than 10
     */
    public static PatchRequest parse(JsonNode body) {
        var given = body.isArray() ? body : body.path("operations");
        if (!(given instanceof ArrayNode array) || array.isEmpty()) {
            throw StatusException.badRequest("A patch must have operations.");
        }
        if (array.size() > MAX_OPERATIONS) {
            throw StatusException.badRequest("A patch may have " + MAX_OPERATIONS + " operations, was " + array.size());
        }
        var operations = new ArrayList<PatchOperation>(array.size());
        array.forEach(json -> operations.add(PatchOperation.parse(json)));
        var condition = body.path("condition").asText("");
        return new PatchRequest(operations, condition.isEmpty() ? null : parseCondition(condition));
    }

    /**
     * Changes a document, and returns it.
     *
     * @throws StatusException 412 when the condition does not select it, 400 when it fails on it or an operation can't
     *     be done
     */
    public ObjectNode apply(ObjectNode document) {
        if (condition != null && !selects(condition, document)) {
            throw StatusException.preconditionFailed();
        }
        operations.forEach(operation -> operation.apply(document));
        return document;
    }

    private static boolean selects(CosmosQuery condition, ObjectNode document) {
        try {
            return condition.execute(List.of(document).iterator()).hasNext();
        } catch (QuerySyntaxException e) {
            throw invalid(e);
        }
    }

    private static CosmosQuery parseCondition(String condition) {
        try {
            return CosmosQuery.parse("SELECT * " + condition, Map.of());
        } catch (QuerySyntaxException e) {
            throw invalid(e);
        }
    }

    private static StatusException invalid(QuerySyntaxException e) {
        return StatusException.badRequest("The patch's condition is invalid: " + e.getMessage());
    }
}
