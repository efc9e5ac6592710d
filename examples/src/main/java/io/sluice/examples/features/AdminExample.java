package io.sluice.examples.features;

import io.sluice.examples.servers.RunDatabase;
import io.sluice.provider.cosmos.CosmosProvider;
import java.io.PrintStream;
import java.util.Map;

/** Promise: an instance is deleted with all its children or not at all, and a running one only by force. */
public final class AdminExample {
    private AdminExample() {}

    public static void main(String[] arguments) throws Exception {
        Scene.play(AdminExample::run);
    }

    static void run(Map<String, String> environment, PrintStream out) {
        try (var database = RunDatabase.open(environment, Scene.runName("admin"), false);
                var provider = CosmosProvider.builder().store(database.store()).build();
                var runtime = Scene.runtime(provider)) {
            Scene.start(provider, "family-1", Scene.FAMILY, "Ada");
            Scene.start(provider, "waiting-1", Scene.WAITING, "go");
            Scene.awaitStatus(provider, "family-1", "Completed");
            Scene.awaitStatus(provider, "waiting-1", "Running");

            var admin = Scene.admin(provider);
            out.println("completed: " + admin.listInstancesByStatus("Completed"));
            out.println("running:   " + admin.listInstancesByStatus("Running"));
            out.println("result:    " + admin.getInstanceInfo("family-1").output());
            out.println("store:     " + admin.getSystemMetrics());

            out.println("a running instance stays: " + Scene.refusal(() -> admin.deleteInstance("waiting-1", false)));
            out.println("a child stays: "
                    + Scene.refusal(() -> admin.deleteInstance(child(admin.listChildren("family-1")), false)));
            out.println("the family goes as one: " + admin.deleteInstance("family-1", false));
            out.println("by force: " + admin.deleteInstance("waiting-1", true));
            out.println("left: " + admin.listInstances() + ", turns worked "
                    + runtime.counters().turnsAcked());
        }
    }

    private static String child(Iterable<String> children) {
        return children.iterator().next();
    }
}
