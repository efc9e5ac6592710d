package io.sluice.examples.orders;

/**
 * A line of the order book that was not taken, with its place and what to do about it.
 *
 * @param lineNumber from 1, the header being line 1
 * @param column the column's name, or {@code -} when the whole line can't be read
 */
public record RejectedLine(String source, long lineNumber, String column, String problem, String remedy) {
    @Override
    public String toString() {
        String place = source + " line " + lineNumber + ("-".equals(column) ? "" : ", column " + column);
        return place + ": " + problem + "; " + remedy;
    }
}
