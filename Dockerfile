# The images of this project: docker build --target relay|durabletask-host|emulator|connect . (BuildKit). One build stage serves all.
ARG MAVEN_IMAGE=maven:3.9.11-eclipse-temurin-17
ARG JRE_IMAGE=eclipse-temurin:17.0.17_10-jre-noble
ARG KAFKA_IMAGE=apache/kafka:4.4.0

FROM ${MAVEN_IMAGE} AS build
# Of the sources; shown by --version and the meter sluice_build_info.
ARG REVISION=
WORKDIR /src
COPY . .
# The profile identity puts azure-identity beside relay and host, for COSMOS_AUTH=aad.
RUN --mount=type=cache,target=/root/.m2,sharing=locked \
    mvn -B -ntp -q package -Dmaven.test.skip=true -Dspotless.check.skip=true -Dbuild.revision=${REVISION} -Pidentity \
        -pl outbox-relay,durabletask-host,cosmos-emulator -am

# The Azure Cosmos connector and what it needs, from Maven Central; with the version none it is left out, for one that is mounted. Which releases lose records after a
# split: connect-config/README.md.
FROM ${MAVEN_IMAGE} AS connector
ARG COSMOS_CONNECTOR_VERSION=2.7.0
WORKDIR /src
COPY connect-config/connector-pom.xml pom.xml
RUN --mount=type=cache,target=/root/.m2,sharing=locked \
    mkdir /plugins \
 && if [ "${COSMOS_CONNECTOR_VERSION}" != none ]; then \
        mvn -B -ntp -q dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=/plugins \
            -Dcosmos-connector.version=${COSMOS_CONNECTOR_VERSION}; \
    fi

FROM ${JRE_IMAGE} AS runtime
# Folders first: a new volume takes their owner. /sluice/local holds what one machine makes for itself, /sluice/state what streams know, /sluice/data the emulator's.
RUN groupadd --gid 10001 sluice \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin sluice \
 && install -d -o 10001 -g 10001 /sluice/local /sluice/state /sluice/data
ENV JAVA_TOOL_OPTIONS="-XX:MaxRAMPercentage=70 -XX:+ExitOnOutOfMemoryError"
WORKDIR /sluice
USER 10001:10001

# Health is asked by a shell: a JVM each time would take as much as the programs do.
FROM runtime AS relay
ARG VERSION=0.1.0-SNAPSHOT
LABEL org.opencontainers.image.title="Sluice outbox relay" \
      org.opencontainers.image.description="Carries intents and histories out of Azure Cosmos DB, and commands from Kafka into it" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /src/outbox-relay/target/lib /opt/sluice/lib
COPY --from=build /src/outbox-relay/target/sluice-outbox-relay-*.jar /opt/sluice/relay.jar
# On loopback, so that nothing is open before a token is given (SLUICE_OPS_HOST, SLUICE_OPS_TOKEN).
ENV SLUICE_OPS_PORT=8080 \
    SLUICE_STREAMS_STATE=/sluice/state
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=4 \
    CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${SLUICE_OPS_PORT} && printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["java", "-jar", "/opt/sluice/relay.jar"]
CMD ["run"]

FROM runtime AS durabletask-host
ARG VERSION=0.1.0-SNAPSHOT
LABEL org.opencontainers.image.title="Sluice DurableTask host" \
      org.opencontainers.image.description="Hosts orchestrations of DurableTask SDKs in containers of Azure Cosmos DB" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /src/durabletask-host/target/lib /opt/sluice/lib
COPY --from=build /src/durabletask-host/target/sluice-durabletask-host-*.jar /opt/sluice/durabletask-host.jar
# On loopback, so that nothing is open before a certificate is given or plaintext allowed (SLUICE_HOST_ADDRESS, SLUICE_HOST_TLS_CERTIFICATE, SLUICE_HOST_ALLOW_PLAINTEXT).
ENV SLUICE_HOST_PORT=4001
EXPOSE 4001
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=4 \
    CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${SLUICE_HOST_OPS_PORT:-8082} && printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["java", "-jar", "/opt/sluice/durabletask-host.jar"]
CMD ["serve"]

FROM runtime AS emulator
ARG VERSION=0.1.0-SNAPSHOT
LABEL org.opencontainers.image.title="Sluice Cosmos emulator" \
      org.opencontainers.image.description="An Azure Cosmos DB for NoSQL at the wire level, for tests and trials" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /src/cosmos-emulator/target/sluice-cosmos-emulator-*-standalone.jar /opt/sluice/emulator.jar
EXPOSE 8081
HEALTHCHECK --interval=10s --timeout=10s --start-period=20s --retries=4 \
    CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8081"]
ENTRYPOINT ["java", "-jar", "/opt/sluice/emulator.jar"]
CMD ["--listen", "0.0.0.0", "--port", "8081", "--data-dir", "/sluice/data"]

FROM ${KAFKA_IMAGE} AS connect
ARG VERSION=0.1.0-SNAPSHOT
LABEL org.opencontainers.image.title="Kafka Connect with the Azure Cosmos connector" \
      org.opencontainers.image.description="Kafka Connect worker, the Azure Cosmos connector V2, and Sluice's configurations for it" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=connector /plugins /opt/connect/plugins/azure-cosmos
COPY connect-config/worker/connect-distributed.properties /opt/connect/connect-distributed.properties
COPY connect-config/source /opt/connect/config/source
COPY connect-config/sink /opt/connect/config/sink
COPY connect-config/service-principal /opt/connect/config/service-principal
# The scripts write their logs here; the rest of the file system may be read-only.
ENV LOG_DIR=/tmp/logs
USER 1000:1000
EXPOSE 8083
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=8 \
    CMD ["busybox", "wget", "-q", "-O", "/dev/null", "http://localhost:8083/connectors"]
ENTRYPOINT ["/opt/kafka/bin/connect-distributed.sh"]
CMD ["/opt/connect/connect-distributed.properties"]
