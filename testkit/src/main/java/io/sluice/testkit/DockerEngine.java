package io.sluice.testkit;

import org.testcontainers.DockerClientFactory;

/** The Docker engine of this machine, where there is one. */
final class DockerEngine {

    private DockerEngine() {}

    static boolean isReachable() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    /**
     * @param what what was to run there, as the sentence needs it
     * @throws IllegalStateException when no engine answers, with what to do about it
     */
    static void require(String what) {
        if (!isReachable()) {
            throw new IllegalStateException(LocalBackend.VARIABLE + "=docker asks for " + what
                    + " in Docker, but no Docker engine is reachable: start one or point DOCKER_HOST at it, or unset "
                    + LocalBackend.VARIABLE + " to use the embedded one");
        }
    }
}
