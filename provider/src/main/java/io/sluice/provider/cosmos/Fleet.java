package io.sluice.provider.cosmos;

/** Who else works on the store. */
public enum Fleet {
    /** Only Sluice providers and relays. */
    SLUICE,
    /** Rust dispatchers too; intents are written so that their reconciler leaves them alone. */
    MIXED
}
