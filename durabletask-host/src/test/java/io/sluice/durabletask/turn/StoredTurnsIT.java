package io.sluice.durabletask.turn;

import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.CustomStatus;
import io.sluice.testkit.CosmosAccount;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a store shows of an instance after its turns. */
class StoredTurnsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private StoredTurns turns;

    @BeforeEach
    void open() {
        turns = new StoredTurns(account);
    }

    @AfterEach
    void close() {
        turns.close();
    }

    @Test
    void a_child_that_is_started_again_does_not_show_the_custom_status_of_its_predecessor() {
        turns.send(Scenario.startOfChild("first"));
        turns.turn(withStatus(answer(failed(0, "Boom", "once")), "half"));
        assertThat(customStatus("child")).isEqualTo(new CustomStatus("half", 1));

        turns.send(Scenario.startOfChild("second"));
        turns.turn(answer());

        assertThat(customStatus("child")).isEqualTo(new CustomStatus(null, 2));
    }

    private CustomStatus customStatus(String instance) {
        return Objects.requireNonNull(turns.instance(instance).texts()).customStatus();
    }
}
