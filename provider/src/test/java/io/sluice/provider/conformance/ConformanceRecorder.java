package io.sluice.provider.conformance;

import io.sluice.provider.contract.ProviderContract;
import io.sluice.provider.contract.inputs.GivenInputs;
import io.sluice.provider.cosmos.CosmosContractStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps the results and inputs of a run of the contract and writes the page, when
 * {@code -Dsluice.conformance.record=true} asks for it. JUnit loads it.
 */
public final class ConformanceRecorder implements TestExecutionListener {
    private static final TestTag ANNOUNCED = TestTag.create(CosmosContractStores.ANNOUNCED_TAG);

    private final Map<Backend, Map<String, Outcome>> outcomes = new ConcurrentHashMap<>();

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        String inputs = entry.getKeyValuePairs().get(GivenInputs.ENTRY);
        if (inputs != null) {
            record(test, new Outcome("passed", GivenInputs.parse(inputs)));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        record(test, "skipped");
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        record(
                test,
                switch (result.getStatus()) {
                    case SUCCESSFUL -> "passed";
                    case FAILED -> "failed";
                    case ABORTED -> "skipped";
                });
    }

    private void record(TestIdentifier test, String result) {
        record(test, new Outcome(result, new GivenInputs()));
    }

    private void record(TestIdentifier test, Outcome outcome) {
        scenario(test)
                .ifPresent(name -> Backend.of(System.getenv(), test.getTags().contains(ANNOUNCED))
                        .ifPresent(backend -> outcomes.computeIfAbsent(backend, some -> new ConcurrentHashMap<>())
                                .merge(name, outcome, Outcome::and)));
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (!Boolean.getBoolean("sluice.conformance.record")) {
            return;
        }
        try {
            for (var entry : outcomes.entrySet()) {
                ConformancePage.record(entry.getKey(), entry.getValue());
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
