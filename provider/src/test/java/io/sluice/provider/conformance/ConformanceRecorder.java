package io.sluice.provider.conformance;

import io.sluice.provider.contract.ProviderContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps the results of a run of the contract and writes the page, when {@code -Dsluice.conformance.record=true} asks
 * for it. JUnit loads it.
 */
public final class ConformanceRecorder implements TestExecutionListener {
    private final Map<String, String> results = new ConcurrentHashMap<>();

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        scenario(test).ifPresent(name -> results.put(name, "skipped"));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        scenario(test)
                .ifPresent(name -> results.put(
                        name,
                        switch (result.getStatus()) {
                            case SUCCESSFUL -> "passed";
                            case FAILED -> "failed";
                            case ABORTED -> "skipped";
                        }));
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (!Boolean.getBoolean("sluice.conformance.record")) {
            return;
        }
        try {
            if (!results.isEmpty()) {
                ConformancePage.record(Backend.of(System.getenv()), results);
            }
            ConformancePage.write();
        } catch (IOException e) {
            throw new UncheckedIOException("docs/conformance.md can't be written", e);
        }
    }

    private static Optional<String> scenario(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .filter(source -> ProviderContract.class.isAssignableFrom(source.getJavaClass()))
                .map(MethodSource::getMethodName);
    }
}
