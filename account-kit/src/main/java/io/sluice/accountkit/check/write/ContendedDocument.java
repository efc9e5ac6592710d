package io.sluice.accountkit.check.write;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Answer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What writers are told who meet at one document. */
public final class ContendedDocument implements Assumption {
    private static final String KEY = "contended-document";
    private static final String ID = "counter";
    private static final String FIELD = "count";
    private static final int WRITERS = 16;
    private static final int WRITES = 25;
    private static final int DONE = 200;
    /** Refused, and certainly not applied. */
    private static final Set<Integer> REFUSED = Set.of(412, 429, 449);

    @Override
    public String name() {
        return "concurrent writes of one document (449, retry with)";
    }

    @Override
    public String expected() {
        return "each is answered 200, or refused with 449, 412 or 429; exactly those answered 200 were applied";
    }

    @Override
    public String source() {
        return "docs/reliability.md; \"HTTP status codes for Azure Cosmos DB\"";
    }

    @Override
    public Outcome run(Site site) throws InterruptedException {
        Documents documents = site.documents();
        documents.createAll(List.of(Documents.small(KEY, ID).put(FIELD, 0)));
        Map<Integer, Long> answers = answers(documents);
        long applied = documents
                .query(KEY, "SELECT * FROM c WHERE c.id = '" + ID + "'")
                .rows()
                .get(0)
                .path(FIELD)
                .asLong();
        long done = answers.getOrDefault(DONE, 0L);
        boolean known = answers.keySet().stream().allMatch(code -> code == DONE || REFUSED.contains(code));
        return Outcome.of(
                known && applied == done,
                WRITERS * WRITES + " writes, answers by status " + answers + ", " + applied + " applied");
    }

    private static Map<Integer, Long> answers(Documents documents) throws InterruptedException {
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Callable<List<Answer>>> work = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                work.add(() -> increments(documents));
            }
            Map<Integer, Long> answers = new TreeMap<>();
            for (Future<List<Answer>> each : writers.invokeAll(work)) {
                each.get().forEach(answer -> answers.merge(answer.code(), 1L, Long::sum));
            }
            return answers;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a writer failed: " + e.getCause(), e);
        } finally {
            writers.shutdownNow();
        }
    }

    private static List<Answer> increments(Documents documents) {
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < WRITES; i++) {
            answers.add(documents.increment(KEY, ID, FIELD));
        }
        return answers;
    }
}
