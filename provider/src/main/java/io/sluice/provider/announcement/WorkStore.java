package io.sluice.provider.announcement;

/**
 * The container that work is in. Pulses name it, so that a process notices that what it hears is announced of another
 * one.
 *
 * @param account host name of the account's endpoint; for people, since an account has several
 * @param database its id
 * @param container its id
 * @param rid the container's resource id: a container that is deleted and created again gets another one
 */
public record WorkStore(String account, String database, String container, String rid) {
    public WorkStore {
        Limits.text("account", account, Limits.MOST_NAME);
        Limits.text("database", database, Limits.MOST_NAME);
        Limits.text("container", container, Limits.MOST_NAME);
        Limits.text("rid", rid, Limits.MOST_NAME);
    }

    /** Whether it is the same container, by whichever endpoint of its account. */
    public boolean isSame(WorkStore other) {
        return database.equals(other.database) && container.equals(other.container) && rid.equals(other.rid);
    }

    /** A text that the same containers have, and no others. */
    public String key() {
        return database.length() + ":" + database + container.length() + ":" + container + rid;
    }

    /** On one line, whatever the names hold. */
    @Override
    public String toString() {
        String text = "container '" + container + "' (" + rid + ") in database '" + database + "' at " + account;
        return text.codePoints()
                .map(character -> Character.isISOControl(character) ? '?' : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
