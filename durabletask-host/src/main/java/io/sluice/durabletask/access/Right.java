package io.sluice.durabletask.access;

/** What a token allows. */
public enum Right {
    /** To start, query, signal and purge instances. */
    CLIENT,
    /** To get work and answer it. */
    WORKER,
    /** To create and delete task hubs. */
    ADMIN
}
