package io.sluice.durabletask.worker;

/** What workers are given. */
public enum WorkKind {
    /** A turn of an orchestration. */
    TURN,
    ACTIVITY
}
