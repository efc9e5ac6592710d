package io.sluice.testkit.fuzz;

import io.sluice.testkit.seed.Tier;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a reader on damaged texts. The reader must read each, or refuse it with an exception that its documentation
 * names. Any other exception, an exhausted stack or heap, and more than a second of processor time for a text are
 * faults; so is a value that is not read back as it was written.
 *
 * <pre>{@code
 * Fuzz.of("positions", examples)
 *         .refusedBy(PositionRefusedException.class)
 *         .rewritten(text -> new String(Position.decode(text.getBytes(UTF_8)).encode(), UTF_8));
 * }</pre>
 *
 * <p>The texts are made from the examples by {@code -Dfuzz.seed} (1, so that a build finds what it found before),
 * {@code -Dfuzz.runs} of them per reader (its own default; a fifth of it in the first tier). A fault names the seed and
 * the number of the run; the same seed finds it again.
 *
 * <p>Immutable; a run belongs to the thread that calls.
 */
public final class Fuzz {
    private static final Logger LOG = LoggerFactory.getLogger(Fuzz.class);
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final int RUNS_ASKED = Integer.getInteger("fuzz.runs", 0);
    /** Processor time, which does not depend on other work of the machine. */
    private static final long LONGEST_NANOS = 1_000_000_000;

    private static final int USUAL_RUNS = RUNS_ASKED > 0 ? RUNS_ASKED : inThisTier(2_000);
    private static final int SHOWN = 3_000;

    private final String what;
    private final List<String> examples;
    private final Function<SplittableRandom, String> draw;
    private final List<Class<? extends Throwable>> refusals;
    private final int runs;

    /** Reads a text, or throws. */
    public interface Reader {
        void read(String text) throws Exception;
    }

    /** Reads a text and writes what it read, or throws. */
    public interface Rewriter {
        String rewrite(String text) throws Exception;
    }

    /**
     * The result of a run.
     *
     * @param read texts that were read
     * @param refused texts that were refused as documented
     */
    public record Counts(int read, int refused) {}

    private Fuzz(
            String what,
            List<String> examples,
            Function<SplittableRandom, String> draw,
            List<Class<? extends Throwable>> refusals,
            int runs) {
        this.what = what;
        this.examples = examples;
        this.draw = draw;
        this.refusals = refusals;
        this.runs = runs;
    }

    /**
     * For one reader.
     *
     * @param what it reads, for messages
     * @param examples that it can read; at least one
     */
    public static Fuzz of(String what, Collection<String> examples) {
        if (examples.isEmpty()) {
            throw new IllegalArgumentException("examples must be at least one, of " + what);
        }
        var all = List.copyOf(examples);
        return new Fuzz(
                what,
                all,
                random -> {
                    var example = all.get(random.nextInt(all.size()));
                    return new Mutator(random, all).mutate(example);
                },
                List.of(),
                USUAL_RUNS);
    }

    /**
     * For one reader of texts that are made from nothing, such as by a grammar.
     *
     * @param what it reads, for messages
     * @param draw makes a text, the same of the same random numbers
     */
    public static Fuzz drawn(String what, Function<SplittableRandom, String> draw) {
        return new Fuzz(what, List.of(), draw, List.of(), USUAL_RUNS);
    }

    /** Adds an exception by which the reader may refuse a text. */
    public Fuzz refusedBy(Class<? extends Throwable> documented) {
        var all = Stream.concat(refusals.stream(), Stream.<Class<? extends Throwable>>of(documented))
                .toList();
        return new Fuzz(what, examples, draw, all, runs);
    }

    /** How many texts in a thorough run, unless {@code -Dfuzz.runs} says otherwise. */
    public Fuzz runs(int unlessAsked) {
        return runs(unlessAsked, 1);
    }

    /**
     * The same for a reader that takes long, such as one behind a socket.
     *
     * @param oneIn of the runs that {@code -Dfuzz.runs} asks for, one in so many
     */
    public Fuzz runs(int unlessAsked, int oneIn) {
        int count = RUNS_ASKED > 0 ? Math.max(1, RUNS_ASKED / oneIn) : inThisTier(unlessAsked);
        return new Fuzz(what, examples, draw, refusals, count);
    }

    private static int inThisTier(int runs) {
        return Tier.times(Math.max(1, runs / 5), runs);
    }

    /**
     * Runs the reader on all texts.
     *
     * @throws AssertionError naming seed, run and text when the reader is at fault
     */
    public Counts read(Reader reader) {
        return run(reader);
    }

    /**
     * The same for a reader that can also write: the written text must be read, and be written again without a change.
     */
    public Counts rewritten(Rewriter rewriter) {
        return run(text -> {
            String once = rewriter.rewrite(text);
            String twice;
            try {
                twice = rewriter.rewrite(once);
            } catch (Exception e) {
                throw new AssertionError("it wrote what it can't read: " + shown(once), e);
            }
            if (!twice.equals(once)) {
                throw new AssertionError(
                        "it reads what it wrote as something else: " + shown(once) + " and then " + shown(twice));
            }
        });
    }

    private Counts run(Reader reader) {
        int read = 0;
        for (String example : examples) {
            if (!tryRead(reader, example, -1)) {
                throw new AssertionError(what + ": an example is refused: " + shown(example));
            }
        }
        for (int run = 0; run < runs; run++) {
            SplittableRandom random = new SplittableRandom(SEED * 0x9E3779B97F4A7C15L + run);
            if (tryRead(reader, draw.apply(random), run)) {
                read++;
            }
        }
        Counts counts = new Counts(read, runs - read);
        LOG.atInfo()
                .addKeyValue("seed", SEED)
                .addKeyValue("read", counts.read())
                .addKeyValue("refused", counts.refused())
                .log("fuzzed: " + what);
        return counts;
    }

    /** Reads a text; returns false when it was refused as documented. */
    private boolean tryRead(Reader reader, String text, int run) {
        var threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        boolean read = false;
        try {
            reader.read(text);
            read = true;
        } catch (AssertionError e) {
            throw fault(e.getMessage() == null ? "failed" : e.getMessage(), text, run, e);
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            if (refusals.stream().noneMatch(refusal -> refusal.isInstance(e))) {
                throw fault("threw " + e.getClass().getName(), text, run, e);
            }
        }
        long took = threads.getCurrentThreadCpuTime() - begun;
        if (took > LONGEST_NANOS) {
            throw fault("took " + took / 1_000_000 + " ms of the processor", text, run, null);
        }
        return read;
    }

    private AssertionError fault(String problem, String text, int run, @Nullable Throwable cause) {
        return new AssertionError(
                what + " " + problem + "; -Dfuzz.seed=" + SEED + ", run " + run + ", text " + shown(text), cause);
    }

    /** Escaped, so that it can be pasted into a test. */
    private static String shown(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.chars().limit(SHOWN).forEach(c -> {
            if (c == '"' || c == '\\') {
                shown.append('\\').append((char) c);
            } else if (c < ' ' || c > '~') {
                shown.append("\\u%04x".formatted(c));
            } else {
                shown.append((char) c);
            }
        });
        return shown.append('"')
                .append(text.length() > SHOWN ? "… of " + text.length() : "")
                .toString();
    }
}
