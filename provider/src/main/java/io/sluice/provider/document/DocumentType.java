package io.sluice.provider.document;

/** The {@code type} field, by which every query tells documents apart. */
public enum DocumentType {
    INSTANCE("instance"),
    HISTORY("history"),
    ORCHESTRATOR_QUEUE("orch_queue"),
    WORKER_QUEUE("worker_queue"),
    OUTBOX_INTENT("outbox_intent"),
    KEY_VALUE("kv"),
    KEY_VALUE_DELTA("kv_delta"),
    SESSION("session"),
    RECEIPT("receipt"),
    STAGED("staged"),
    LEASE("lease"),
    DELETION("deletion"),
    PURGE("purge"),
    STORE("store");

    private final String wireName;

    DocumentType(String wireName) {
        this.wireName = wireName;
    }

    /** The text in the document. */
    public String wireName() {
        return wireName;
    }
}
