package io.sluice.provider.cosmos;

/** Deletes a tree: a process of its own for a test that kills it. */
final class DeletingProgram {
    private DeletingProgram() {}

    /** Takes the endpoint, key, database and container of the store, and the tree's root. */
    public static void main(String[] args) {
        CosmosStoreConfig config = new CosmosStoreConfig(args[0], args[1], args[2], args[3]);
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            provider.asManagementCapability().orElseThrow().deleteInstance(args[4], true);
        }
    }
}
