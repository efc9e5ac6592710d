package io.sluice.provider.request;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Isolated("other tests' lines of the same logger would be counted")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServiceClockTest {
    private static final long START = Instant.parse("2026-03-01T12:00:00.250Z").toEpochMilli();

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ServiceClock.class);

    /** True time since the start; the service's clock shows it as it is. */
    private long passedMillis;
    /** What this machine's clock is ahead by. */
    private long aheadMillis;

    @BeforeEach
    void listen() {
        logged.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
        logger.setLevel(null);
    }

    @Test
    void a_machine_that_is_right_keeps_its_own_time() {
        ServiceClock clock = clock();

        answers(clock, 20, 137);

        assertThat(clock.offset()).isZero();
        assertThat(clock.millis()).isEqualTo(serviceMillis());
    }

    @ParameterizedTest
    @ValueSource(longs = {-30_000, -1_400, 1_400, 30_000})
    void a_machine_that_is_off_is_corrected_to_within_the_interval(long ahead) {
        aheadMillis = ahead;
        ServiceClock clock = clock();

        answers(clock, 1, 0);
        answers(clock, 1, 1_000);
        assertThat(clock.millis() - serviceMillis()).isBetween(-1_100L, 1_100L);

        // Answers at many places within a second leave little room.
        answers(clock, 40, 137);
        assertThat(clock.millis() - serviceMillis()).isBetween(-250L, 250L);
        assertThat(clock.offset().toMillis()).isBetween(-ahead - 250, -ahead + 250);
        assertThat(clock.uncertainty()).isLessThan(Duration.ofMillis(350));
    }

    @ParameterizedTest
    @ValueSource(longs = {-600_000, -6_000, 6_000, 600_000})
    void a_first_date_far_from_the_machines_clock_counts_once_another_confirms_it(long ahead) {
        aheadMillis = ahead;
        ServiceClock clock = clock();

        answers(clock, 5, 190);
        assertThat(clock.offset()).as("not yet").isZero();
        assertThat(clock.isInDoubt()).isTrue();

        answers(clock, 1, 300);
        assertThat(clock.isInDoubt()).isFalse();
        assertThat(clock.millis() - serviceMillis()).isBetween(-1_100L, 1_100L);
    }

    @ParameterizedTest
    @ValueSource(longs = {-600_000, 600_000})
    void a_first_date_that_is_wrong_moves_nothing(long wrong) {
        ServiceClock clock = clock();
        serviceIsWrongBy(wrong, () -> answers(clock, 3, 100));
        assertThat(clock.offset()).isZero();

        answers(clock, 1, 2_000);

        assertThat(clock.isInDoubt()).isFalse();
        assertThat(clock.millis()).isEqualTo(serviceMillis());
    }

    @Test
    void of_a_first_date_that_is_wrong_and_a_machine_that_is_off_neither_counts() {
        aheadMillis = 30_000;
        ServiceClock clock = clock();
        serviceIsWrongBy(600_000, () -> answers(clock, 1, 0));

        answers(clock, 1, 1_000);
        assertThat(clock.isInDoubt()).as("it contradicts both").isTrue();
        answers(clock, 1, 1_000);

        assertThat(clock.isInDoubt()).isFalse();
        assertThat(clock.millis() - serviceMillis()).isBetween(-1_100L, 1_100L);
    }

    private void serviceIsWrongBy(long millis, Runnable what) {
        wrongMillis = millis;
        what.run();
        wrongMillis = 0;
    }

    /** What the dates are ahead of the service's time by. */
    private long wrongMillis;

    @Test
    void a_step_of_the_machines_clock_moves_nothing() {
        ServiceClock clock = clock();
        answers(clock, 10, 137);

        aheadMillis = 3_600_000;

        assertThat(clock.millis()).isEqualTo(serviceMillis());
        assertThat(clock.offset()).isEqualTo(Duration.ofHours(-1));
    }

    @Test
    void after_a_sleep_two_answers_that_agree_set_it_right() {
        ServiceClock clock = clock();
        answers(clock, 10, 137);

        // The monotonic clock stood still while the machine slept.
        sleptMillis = 7_200_000;

        answers(clock, 2, 1_000);
        assertThat(clock.millis() - serviceMillis()).isBetween(-1_100L, 1_100L);
    }

    @Test
    void an_answer_whose_date_is_wrong_moves_nothing_even_twice() {
        ServiceClock clock = clock();
        answers(clock, 10, 137);

        for (long wrong : new long[] {600_000, -600_000}) {
            for (int i = 0; i < 2; i++) {
                sleptMillis = wrong;
                answers(clock, 3, 100);
                sleptMillis = 0;
                assertThat(clock.millis() - serviceMillis()).isBetween(-300L, 300L);
                answers(clock, 1, 2_000);
            }
        }

        assertThat(clock.millis() - serviceMillis()).isBetween(-300L, 300L);
    }

    private long sleptMillis;

    @Test
    void a_slow_answer_proves_less_and_breaks_nothing() {
        aheadMillis = 30_000;
        ServiceClock clock = clock();
        answers(clock, 20, 137);
        Duration before = clock.uncertainty();

        long sent = nanos();
        String date = date();
        passedMillis += 20_000;
        clock.observe(date, sent, nanos());

        assertThat(clock.millis() - serviceMillis()).isBetween(-300L, 300L);
        assertThat(clock.uncertainty()).isLessThan(before.plusMillis(20));
    }

    @Test
    void it_warns_once_when_the_clock_goes_wrong_and_says_when_it_is_right_again() {
        ServiceClock clock = clock();
        answers(clock, 5, 137);
        assertThat(logged.list).isEmpty();

        aheadMillis = 5_000;
        answers(clock, 5, 137);
        aheadMillis = 0;
        answers(clock, 5, 137);

        assertThat(logged.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.INFO);
        assertThat(logged.list.get(0).getFormattedMessage()).contains("ahead of");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "2026-03-01T12:00:00Z"})
    void a_date_that_is_none_is_passed_over(String date) {
        ServiceClock clock = clock();

        clock.observe(date, nanos(), nanos());

        assertThat(clock.offset()).isZero();
        assertThat(clock.isStale()).isTrue();
    }

    @Test
    void it_grows_stale_without_answers() {
        ServiceClock clock = clock();
        assertThat(clock.isStale()).isTrue();
        answers(clock, 1, 0);
        assertThat(clock.isStale()).isFalse();

        passedMillis += Duration.ofMinutes(6).toMillis();

        assertThat(clock.isStale()).isTrue();
    }

    private ServiceClock clock() {
        return new ServiceClock(
                () -> Instant.ofEpochMilli(START + passedMillis + sleptMillis + aheadMillis), this::nanos);
    }

    private void answers(ServiceClock clock, int count, long apartMillis) {
        for (int i = 0; i < count; i++) {
            passedMillis += apartMillis;
            long sent = nanos();
            passedMillis += 3;
            String date = date();
            passedMillis += 3;
            clock.observe(date, sent, nanos());
        }
    }

    private long nanos() {
        return (77_000 + passedMillis) * 1_000_000;
    }

    private long serviceMillis() {
        return START + passedMillis + sleptMillis;
    }

    private String date() {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.ofEpochMilli(serviceMillis() + wrongMillis).atOffset(ZoneOffset.UTC));
    }
}
