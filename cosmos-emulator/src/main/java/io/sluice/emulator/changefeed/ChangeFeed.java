package io.sluice.emulator.changefeed;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.PartitionView;
import io.sluice.emulator.store.item.FeedEntry;
import io.sluice.emulator.store.item.LoggedChange;
import io.sluice.emulator.store.item.StoredItem;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.function.Predicate;

/**
 * Reads the change feed of one physical partition, in the order of writing: the latest version of every item, or all
 * versions and deletions. A page always has whole transactions, so it may be larger than asked for.
 *
 * <p>For a part of the partition all of it is read and filtered, as on the service
 * (Azure/azure-cosmos-dotnet-v3#3017). A page ends when so much was read for it, whatever was found: it may have no
 * items though some follow (linkedin/ambry#1461).
 */
public final class ChangeFeed {
    private static final long MAX_PAGE_BYTES = 4L * 1024 * 1024;
    /**
     * What is read for a page, at most: an assumption. The cheapest of the reads that were reported, whose filter let
     * little through, cost 10,000 request units, and a page costs 1 per KB here.
     */
    private static final long MAX_READ_BYTES = 10_000L * 1024;

    private ChangeFeed() {}

    /**
     * The first page for a reader that begins at a point in time: it has no items, and continues at the first item that
     * was written since.
     */
    public static FeedPage<StoredItem> beginning(PartitionView view, FeedStart start) {
        long before = 0;
        for (var changes = view.changesAfter(0); changes.hasNext(); ) {
            var change = changes.next();
            if (change.timestampSeconds() >= start.sinceSeconds()) {
                break;
            }
            before = change.lsn();
        }
        return FeedPage.emptyAt(before);
    }

    /**
     * The next page of latest versions. Its continuation advances past writes that the reader did not ask for.
     *
     * @param wanted which items the reader asked for: a sub-range, or one partition key
     * @param maxItems after which the page ends, at the next transaction
     */
    public static FeedPage<StoredItem> latest(
            PartitionView view, FeedStart start, Predicate<StoredItem> wanted, int maxItems) {
        return start.afterLsn() == FeedStart.NOW
                ? FeedPage.emptyAt(view.lsn())
                : read(view.changesAfter(start.afterLsn()), view.lsn(), start, wanted, maxItems);
    }

    /**
     * The next page of all versions and deletions.
     *
     * @throws StatusException 400 when some of the changes to read are no longer kept
     */
    public static FeedPage<LoggedChange> all(
            PartitionView view, FeedStart start, Predicate<StoredItem> wanted, int maxItems) {
        if (start.afterLsn() == FeedStart.NOW) {
            return FeedPage.emptyAt(view.lsn());
        }
        if (start.afterLsn() > 0 && start.afterLsn() < view.expiredVersionsLsn()) {
            throw StatusException.badRequest("The change feed continuation " + start.afterLsn()
                    + " is older than the retention of versions and deletes, which are gone up to "
                    + view.expiredVersionsLsn() + ".");
        }
        return read(view.versionsAfter(start.afterLsn()), view.lsn(), start, wanted, maxItems);
    }

    private static <T extends FeedEntry> FeedPage<T> read(
            Iterator<T> changes, long lastLsn, FeedStart start, Predicate<StoredItem> wanted, int maxItems) {
        var page = new ArrayList<T>();
        long bytes = 0;
        long passed = 0;
        long passedBytes = 0;
        long readLsn = start.afterLsn();
        while (changes.hasNext()) {
            var change = changes.next();
            boolean full = page.size() >= maxItems || bytes >= MAX_PAGE_BYTES || bytes + passedBytes >= MAX_READ_BYTES;
            if (full && change.lsn() != readLsn) {
                return new FeedPage<>(page, readLsn, passed, passedBytes, false);
            }
            readLsn = change.lsn();
            if (change.timestampSeconds() >= start.sinceSeconds() && wanted.test(change.item())) {
                page.add(change);
                bytes += change.item().sizeBytes();
            } else {
                passed++;
                passedBytes += change.item().sizeBytes();
            }
        }
        return new FeedPage<>(page, Math.max(lastLsn, start.afterLsn()), passed, passedBytes, true);
    }
}
