package io.sluice.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The names that an extension gives to tests: one for each test, and one for the set-up of a class. All have the same
 * length, so that none is a prefix of another. Thread-safe.
 */
final class TestNames {
    private static final int RANDOM_CHARACTERS = 12;

    private final Deque<Scope> scopes = new ArrayDeque<>();

    /**
     * @throws ExtensionConfigurationException for classes that run at the same time and share the extension's field, as
     *     those do that inherit it
     */
    synchronized void enterClass(ExtensionContext testClass) {
        Scope enclosing = scopes.peek();
        if (enclosing != null && !testClass.getUniqueId().startsWith(enclosing.id)) {
            throw new ExtensionConfigurationException(
                    "classes that inherit a static account or cluster share it and can't run concurrently; annotate them"
                            + " with @ResourceLock of one name: " + testClass.getDisplayName());
        }
        enter(testClass);
    }

    /**
     * @throws ExtensionConfigurationException for tests of one class that run at the same time: they would share names
     */
    void enterTest(ExtensionContext test) {
        if (test.getExecutionMode() == ExecutionMode.CONCURRENT) {
            throw new ExtensionConfigurationException(
                    "tests of one class share its account or cluster and can't run concurrently; annotate the class with"
                            + " @Execution(ExecutionMode.SAME_THREAD): " + test.getDisplayName());
        }
        enter(test);
    }

    private synchronized void enter(ExtensionContext context) {
        scopes.push(new Scope(context.getUniqueId()));
    }

    /** The name of the running test, or of its class outside of any test. */
    synchronized String current() {
        Scope scope = scopes.peek();
        if (scope == null) {
            throw new IllegalStateException("names exist only while a test class runs: ask in a test or in @BeforeAll");
        }
        scope.handedOut = true;
        return scope.name;
    }

    /**
     * Ends the scope of a class or test. Returns its name if it was used: then there may be something to drop.
     */
    synchronized Optional<String> leave(ExtensionContext context) {
        Scope innermost = scopes.peek();
        if (innermost == null || !innermost.id.equals(context.getUniqueId())) {
            return Optional.empty(); // JUnit also ends tests whose set-up failed
        }
        scopes.pop();
        return innermost.handedOut ? Optional.of(innermost.name) : Optional.empty();
    }

    private static final class Scope {
        private final String id;
        private final String name =
                "test-" + UUID.randomUUID().toString().replace("-", "").substring(0, RANDOM_CHARACTERS);
        private boolean handedOut;

        private Scope(String id) {
            this.id = id;
        }
    }
}
