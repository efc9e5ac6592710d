package io.sluice.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.BridgeInternal;
import com.azure.cosmos.CosmosException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailureReasonTest {
    private static CosmosException answer(int status, int subStatus) {
        CosmosException answer = BridgeInternal.createCosmosException(status, "why");
        BridgeInternal.setSubStatusCode(answer, subStatus);
        return answer;
    }

    @Test
    void an_answer_of_the_store_is_told_with_its_status() {
        assertThat(FailureReason.of(new IllegalStateException(answer(429, 3200))))
                .startsWith("Cosmos answered 429/3200: ");
        assertThat(FailureReason.of(answer(408, 0))).startsWith("Cosmos answered 408/0: ");
    }

    @Test
    void a_status_that_the_client_library_made_up_is_no_answer() {
        assertThat(FailureReason.of(new IllegalStateException(answer(408, 10_002))))
                .startsWith("Cosmos did not answer (408/10002): ");
        assertThat(FailureReason.of(answer(410, 20_001))).startsWith("Cosmos did not answer (410/20001): ");
    }
}
