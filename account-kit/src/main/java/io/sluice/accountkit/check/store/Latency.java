package io.sluice.accountkit.check.store;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ObjIntConsumer;

/**
 * How long a request takes from here, one after the other.
 *
 * @param what the request is
 * @param request sends the n-th, which begins with 0
 */
public record Latency(String what, ObjIntConsumer<Documents> request) implements Assumption {
    private static final String KEY = "latency";
    private static final int WARM_UP = 20;
    private static final int REQUESTS = 100;
    private static final double MOST_MILLIS = 1_000;
    private static final double NANOS = 1e6;
    private static final int OPERATIONS = 4;

    /** Of point reads. */
    public static Latency ofRead() {
        return new Latency("a point read", (documents, i) -> {
            if (i == 0) {
                documents.create(Documents.small(KEY, "read"));
            }
            documents.read(KEY, "read");
        });
    }

    /** Of transactional batches that write as much as a turn does. */
    public static Latency ofBatch() {
        return new Latency("a batch of " + OPERATIONS + " operations", (documents, i) -> {
            CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey(KEY));
            for (int operation = 0; operation < OPERATIONS; operation++) {
                batch.upsertItemOperation(Documents.small(KEY, "batch-" + operation));
            }
            documents.batch(batch);
        });
    }

    /** Of queries of a partition. */
    public static Latency ofQuery() {
        return new Latency(
                "a query of a partition",
                (documents, i) -> documents.query(KEY, "SELECT c.id FROM c WHERE c.type = 'nothing'"));
    }

    @Override
    public String name() {
        return "latency of " + what;
    }

    @Override
    public String expected() {
        return "99 of 100 within a second, a fifth of the limit of a write; p50 and p99 are for the record";
    }

    @Override
    public String source() {
        return "docs/limits.md, one write request";
    }

    @Override
    public Outcome run(Site site) {
        Documents documents = site.documents();
        double[] millis = new double[REQUESTS];
        for (int i = 0; i < WARM_UP + REQUESTS; i++) {
            long begin = System.nanoTime();
            request.accept(documents, i);
            if (i >= WARM_UP) {
                millis[i - WARM_UP] = (System.nanoTime() - begin) / NANOS;
            }
        }
        Arrays.sort(millis);
        double p99 = millis[REQUESTS * 99 / 100 - 1];
        return Outcome.of(
                p99 < MOST_MILLIS,
                String.format(
                        Locale.ROOT,
                        "p50 %.1f ms, p99 %.1f ms, greatest %.1f ms of %d",
                        millis[REQUESTS / 2],
                        p99,
                        millis[REQUESTS - 1],
                        REQUESTS));
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(5);
    }
}
