package io.sluice.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StartRetryTest {
    private final RuntimeException storeAway = ProviderException.retryable("openStore", "can't reach it", null);
    private final RuntimeException noKafka = new PrerequisiteException("can't reach Kafka", new TimeoutException());
    private final RuntimeException wrongKey = ProviderException.permanent("openStore", "does not accept the key");

    private final List<String> told = new ArrayList<>();
    private final StopRequest stop = new StopRequest();
    private int tries;

    private StartRetry patient(Duration patience) {
        return new StartRetry(patience, stop, told::add);
    }

    private String failing(int times, RuntimeException failure) {
        if (++tries <= times) {
            throw failure;
        }
        return "runs";
    }

    @Test
    void what_was_away_is_tried_again_until_it_is_there() {
        assertThat(patient(Duration.ofMinutes(2)).run(() -> failing(2, storeAway)))
                .isEqualTo("runs");

        assertThat(tries).isEqualTo(3);
        assertThat(told).as("why, while it waits").containsExactly("can't reach it", "can't reach it");
    }

    @Test
    void what_no_time_mends_ends_the_start_at_once() {
        assertThatThrownBy(() -> patient(Duration.ofMinutes(2)).run(() -> failing(9, wrongKey)))
                .isSameAs(wrongKey);

        assertThat(tries).isEqualTo(1);
    }

    @Test
    void patience_has_an_end() {
        assertThatThrownBy(() -> patient(Duration.ofSeconds(3)).run(() -> failing(99, noKafka)))
                .isSameAs(noKafka);

        assertThat(tries).as("more than once, and not for ever").isBetween(2, 9);
    }

    @Test
    void without_patience_it_is_tried_once() {
        assertThatThrownBy(() -> patient(Duration.ZERO).run(() -> failing(9, noKafka)))
                .isSameAs(noKafka);

        assertThat(tries).isEqualTo(1);
        assertThat(told).isEmpty();
    }

    @Test
    void a_stop_ends_the_waiting() {
        stop.request();

        assertThatThrownBy(() -> patient(Duration.ofMinutes(2)).run(() -> failing(9, noKafka)))
                .isSameAs(noKafka);

        assertThat(tries).isEqualTo(1);
    }

    @Test
    void of_several_faults_each_must_pass_by_itself() {
        var both = new PrerequisiteException("both", noKafka);
        both.addSuppressed(storeAway);
        assertThat(StartRetry.passes(both)).isTrue();

        both.addSuppressed(wrongKey);
        assertThat(StartRetry.passes(both)).isFalse();
    }

    @Test
    void credentials_settings_and_interruptions_do_not_pass() {
        assertThat(StartRetry.passes(new PrerequisiteException("Kafka", new SaslAuthenticationException("no"))))
                .isFalse();
        assertThat(StartRetry.passes(new PrerequisiteException("topic x is missing; run provision", null)))
                .isFalse();
        assertThat(StartRetry.passes(
                        ProviderException.retryable("openStore", "interrupted", new InterruptedException())))
                .isFalse();
    }
}
