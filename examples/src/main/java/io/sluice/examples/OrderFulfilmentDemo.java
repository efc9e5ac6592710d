package io.sluice.examples;

import io.sluice.examples.orders.OrderBook;
import io.sluice.examples.orders.OrderBookException;
import io.sluice.examples.servers.ExampleException;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders from a CSV file go through the whole pipeline, a runtime and a relay are killed on the way, and a plain Kafka
 * consumer checks at the end that nothing was lost, doubled or swapped. Runtimes hear from Kafka where work is; a
 * second, short run has them query the store instead, and the last table compares both.
 *
 * <p>Needs nothing but a JDK: without {@code COSMOS_ENDPOINT}, {@code COSMOS_KEY} and {@code KAFKA_BOOTSTRAP_SERVERS}
 * it brings its own. The exit code is 0 when the ledger is exact and every order ended as the order book foresees, 1
 * when the ledger or the dead letters are wrong, 2 when something could not be started or reached or ended on the way,
 * 3 when orders are stuck at the time limit, 4 when only outcomes are wrong.
 */
public final class OrderFulfilmentDemo {
    /** Beyond the time limit of the run itself: starting, reading the ledger, stopping. */
    private static final Duration GRACE = Duration.ofSeconds(90);

    private static final Logger LOG = LoggerFactory.getLogger(OrderFulfilmentDemo.class);

    private OrderFulfilmentDemo() {}

    /** Runs the demo and ends the process with its exit code. */
    public static void main(String[] arguments) {
        ExitCode code = run(System.getenv(), new DemoReport(System.out));
        if (code != ExitCode.EXACT) {
            System.out.println("Exit code " + code.code() + " (" + code + ")");
        }
        System.exit(code.code());
    }

    static ExitCode run(Map<String, String> environment, DemoReport report) {
        try {
            DemoConfig config = DemoConfig.from(environment);
            OrderBook book = config.orders() == null ? OrderBook.shipped() : OrderBook.read(config.orders());
            report.orderBook(book);
            if (book.orders().isEmpty()) {
                throw new ExampleException("the order book has no readable order; put one on its second line");
            }
            ScheduledExecutorService watchdog = watchdog(config);
            try {
                return run(config, environment, book, report);
            } finally {
                watchdog.shutdownNow();
            }
        } catch (IllegalArgumentException | OrderBookException | ProviderException | ExampleException e) {
            report.brokenOff(String.valueOf(e.getMessage()));
            return ExitCode.BROKEN_OFF;
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("the demo met what it does not expect");
            report.brokenOff(e + "; the log has the details");
            return ExitCode.BROKEN_OFF;
        }
    }

    private static ExitCode run(DemoConfig config, Map<String, String> environment, OrderBook book, DemoReport report) {
        String runName = "sluice-demo-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
        ExitCode code;
        DemoRun run;
        try (Pipeline pipeline = Pipeline.open(config, environment, runName, true)) {
            report.started(pipeline);
            run = new DemoRun(pipeline, book.orders(), config, report);
            code = run.run();
        }
        Duration elapsed = run.elapsed();
        if (code == ExitCode.EXACT && run.storeUse().isPresent()) {
            report.storeUse(
                    run.storeUse().get(), PolledRun.measure(config, environment, runName + "-polled", book.orders()));
        }
        report.verdict(elapsed, code);
        return code;
    }

    /** Ends the process, and by its hooks all children, when even stopping hangs. */
    private static ScheduledExecutorService watchdog(DemoConfig config) {
        ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "sluice-demo-watchdog");
            thread.setDaemon(true);
            return thread;
        });
        Duration limit = config.timeLimit().plus(GRACE);
        var unused = watchdog.schedule(
                () -> {
                    System.out.println("The demo hangs; ended after " + limit.toSeconds() + " s. Threads at work:");
                    Thread.getAllStackTraces().forEach((thread, stack) -> {
                        if (thread.getName().equals("main") && stack.length > 0) {
                            System.out.println("  " + thread.getName() + " at " + stack[0]);
                        }
                    });
                    System.exit(ExitCode.STUCK.code());
                },
                limit.toMillis(),
                TimeUnit.MILLISECONDS);
        return watchdog;
    }
}
