package io.sluice.provider.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.cosmos.models.SqlParameter;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SqlQueryTest {
    private static final SqlQuery OPEN =
            SqlQuery.of("SELECT * FROM c WHERE c.n < @most").with("@most", 3);

    @Test
    void one_of_some_values_is_a_parameter_each_beside_those_there_were() {
        SqlQuery narrowed = OPEN.andOneOf("c.ownerId", List.of("a'b", "b"));

        assertThat(narrowed).hasToString("SELECT * FROM c WHERE c.n < @most AND c.ownerId IN (@oneOf0, @oneOf1)");
        assertThat(narrowed.spec().getParameters())
                .extracting(SqlParameter::getName)
                .containsExactly("@most", "@oneOf0", "@oneOf1");
        assertThat(narrowed.spec().getParameters().get(1).getValue(String.class))
                .isEqualTo("a'b");
        assertThat(OPEN.spec().getParameters()).hasSize(1);
    }

    @Test
    void only_what_the_partitions_answer_as_it_is_can_be_gone_on_with() {
        assertThat(OPEN.isResumable()).isTrue();
        assertThat(SqlQuery.of("SELECT c.stop, c.counter FROM c WHERE c.topic = 1")
                        .isResumable())
                .isTrue();
        assertThat(List.of(
                        "SELECT TOP 1 c.id FROM c",
                        "SELECT c.id FROM c ORDER BY c.n",
                        "SELECT DISTINCT VALUE c.n FROM c",
                        "SELECT c.type, COUNT(1) AS total FROM c GROUP BY c.type",
                        "SELECT VALUE MAX(c.n) FROM c"))
                .allSatisfy(text -> assertThat(SqlQuery.of(text).isResumable()).isFalse());
    }

    @Test
    void one_of_no_values_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPEN.andOneOf("c.ownerId", List.of()))
                .withMessageContaining("c.ownerId");
    }
}
