package io.sluice.provider.cosmos;

import com.azure.core.credential.TokenCredential;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.implementation.ImplementationBridgeHelpers.CosmosClientBuilderHelper;
import java.util.Objects;

/** By what right a store is opened. Never shows a secret. */
public sealed interface Credential {
    /** The account's key: may do everything, creation included. */
    static Credential ofKey(String key) {
        return new Key(key);
    }

    /** An identity, for example of azure-identity. Its data-plane role can't create databases and containers. */
    static Credential of(TokenCredential identity) {
        return new Token(identity);
    }

    /** An account key. */
    record Key(String key) implements Credential {
        @Override
        public String toString() {
            return "key (hidden)";
        }
    }

    /** Tokens of an identity. */
    record Token(TokenCredential identity) implements Credential {
        public Token {
            Objects.requireNonNull(identity, "identity");
        }

        @Override
        public String toString() {
            return "identity " + identity.getClass().getSimpleName();
        }
    }

    /** A client builder of the caller's, with endpoint, credential and whatever the network needs. */
    record Prepared(CosmosClientBuilder builder) implements Credential {
        public Prepared {
            Objects.requireNonNull(builder, "builder");
        }

        /** What the builder was given; empty when nothing was. */
        String endpoint() {
            String endpoint =
                    CosmosClientBuilderHelper.getCosmosClientBuilderAccessor().getEndpoint(builder);
            return endpoint == null ? "" : endpoint;
        }

        @Override
        public String toString() {
            return "caller's client builder";
        }
    }
}
