package io.sluice.accountkit.site;

import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchResponse;
import java.util.List;

/**
 * What the service answered to a batch.
 *
 * @param answer to all of it
 * @param codes of its operations; none where the batch was refused as a whole
 */
public record BatchAnswer(Answer answer, List<Integer> codes) {
    public BatchAnswer {
        codes = List.copyOf(codes);
    }

    static BatchAnswer of(CosmosBatchResponse response) {
        return new BatchAnswer(
                new Answer(
                        response.getStatusCode(),
                        response.getSubStatusCode(),
                        response.getRequestCharge(),
                        response.getResponseHeaders(),
                        null),
                response.getResults().stream()
                        .map(CosmosBatchOperationResult::getStatusCode)
                        .toList());
    }

    static BatchAnswer of(CosmosException refusal) {
        return new BatchAnswer(Answer.of(refusal), List.of());
    }
}
