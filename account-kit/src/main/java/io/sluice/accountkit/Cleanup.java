package io.sluice.accountkit;

import com.azure.cosmos.CosmosException;
import io.sluice.accountkit.site.NoAnswerException;
import io.sluice.accountkit.site.RefusedException;
import io.sluice.accountkit.site.Site;
import java.io.PrintWriter;

/** Removes what a run has created: at its end, and when a signal ends the process before. */
final class Cleanup implements AutoCloseable {
    private final Site site;
    private final PrintWriter err;
    private boolean done;
    private final Thread hook = new Thread(this::ended, "sluice-account-kit-cleanup");

    /** From now on. */
    Cleanup(Site site, PrintWriter err) {
        this.site = site;
        this.err = err;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void ended() {
        say("Ended: removing what was created.");
        tryToRemove();
    }

    /** Removes it; whether nothing is left. Says what to do where something is. */
    boolean remove() {
        boolean removed = tryToRemove();
        close();
        return removed;
    }

    private synchronized boolean tryToRemove() {
        if (done) {
            return true;
        }
        try {
            site.close();
            done = true;
            say(site.isOwn() ? "The database " + site.name() + " is removed." : "The database is left.");
            return true;
        } catch (RefusedException | NoAnswerException | CosmosException e) {
            say("The database " + site.name() + " is still there (" + e.getMessage() + ") and goes on costing: remove"
                    + " it, such as by az cosmosdb sql database delete -g <group> -a <account> -n " + site.name());
            return false;
        }
    }

    private void say(String line) {
        err.println(line);
        err.flush();
    }

    /** Leaves the process to end by itself. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The signal has come: the hook is at work.
        }
    }
}
