package io.sluice.relay.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TransactionSupportTest {
    @Test
    void brokers_that_know_no_such_feature_have_none_of_its_levels() {
        assertThat(TransactionSupport.versionFault(Map.of(), TransactionSupport.SAFE_VERSION, "kafka:9092"))
                .get()
                .asString()
                .contains("it is at none", "SLUICE_TRANSACTION_VERSION=0");
        assertThat(TransactionSupport.versionFault(Map.of(), 1, "kafka:9092"))
                .as("0 is below 1 as well")
                .isPresent();
    }
}
