package io.sluice.durabletask.history;

import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;

/**
 * Bytes that texts take in the store. An event or a message is JSON, held as text by a document that is JSON, too: a
 * quote in a payload takes four bytes there. A message to another instance is such a document, held as text by the
 * document that waits in the sender's partition: a quote takes eight.
 *
 * <p>What a document holds besides the text is not counted: ids, times and a trace, less than 30 KB.
 */
public final class StoredSize {
    private static final int WITHIN_DOCUMENT = 2;
    private static final int WITHIN_DOCUMENT_WITHIN_DOCUMENT = 4;
    private static final int CONTROL_CHARACTER = 6;
    private static final String SHORT_ESCAPES = "\"\\\b\f\n\r\t";

    private StoredSize() {}

    /** Of an event in a history. */
    public static long ofEvent(HistoryEvent event) {
        return ofJson(HistoryJson.encode(event), WITHIN_DOCUMENT);
    }

    /** Of a message or an activity in a queue; as an event in a history, a message takes up to 1 KB more. */
    public static long ofMessage(WorkItem message) {
        return ofJson(WorkItemJson.encode(message), WITHIN_DOCUMENT);
    }

    /** Of a message on its way to another instance. */
    public static long ofSentMessage(WorkItem message) {
        return ofJson(WorkItemJson.encode(message), WITHIN_DOCUMENT_WITHIN_DOCUMENT);
    }

    /** Of a text in a field of a document, such as an output. */
    public static long ofField(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (SHORT_ESCAPES.indexOf(c) >= 0) {
                bytes += 2;
            } else {
                bytes += c < ' ' ? CONTROL_CHARACTER : utf8Bytes(c);
            }
        }
        return bytes;
    }

    /** JSON holds no control characters: what is escaped once more is quotes and backslashes. */
    private static long ofJson(String json, int bytesPerEscaped) {
        long bytes = 0;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            bytes += c == '"' || c == '\\' ? bytesPerEscaped : utf8Bytes(c);
        }
        return bytes;
    }

    /** Half of a surrogate pair counts for half of its four bytes. */
    private static int utf8Bytes(char c) {
        if (c < 0x80) {
            return 1;
        }
        return c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
}
