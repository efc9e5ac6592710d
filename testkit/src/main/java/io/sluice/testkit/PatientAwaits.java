package io.sluice.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Awaitility's defaults for tests of which several classes run at once on a busy machine: a condition is waited for a
 * minute, as none is about speed, looked at without delay and then every 50 ms, and no exception of another test's
 * thread ends the wait.
 *
 * <p>A module takes them by a file
 * {@code src/test/resources/META-INF/services/org.junit.platform.launcher.LauncherSessionListener} with this class's
 * name. Needs Awaitility, which the testkit does not bring.
 */
public final class PatientAwaits implements LauncherSessionListener {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(TIMEOUT);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(POLL_INTERVAL);
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }
}
