package io.sluice.emulator;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets tests wait a minute for a condition, because none is about speed and machines may be busy, and look for it at
 * once and often. JUnit loads it.
 */
public final class PatientAwaits implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
        Awaitility.doNotCatchUncaughtExceptionsByDefault(); // they may be another class's
    }
}
