package io.sluice.provider.cosmos;

import com.azure.core.credential.TokenCredential;

/** Finds azure-identity, which is the user's to bring: only who opens stores by an identity needs it. */
final class IdentityLibrary {
    private static final String DEFAULT_BUILDER = "com.azure.identity.DefaultAzureCredentialBuilder";

    private IdentityLibrary() {}

    /**
     * The identity this process's environment offers: managed identity, environment variables, developer's login.
     *
     * @throws IllegalArgumentException when the library is missing
     */
    static TokenCredential defaultCredential() {
        return defaultCredential(DEFAULT_BUILDER);
    }

    static TokenCredential defaultCredential(String builderName) {
        try {
            Object builder = Class.forName(builderName).getConstructor().newInstance();
            return (TokenCredential) builder.getClass().getMethod("build").invoke(builder);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "COSMOS_AUTH is aad, which needs com.azure:azure-identity on the class path; add it, or give the"
                            + " config a Credential of your own",
                    e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("azure-identity gives no default credential: " + e, e);
        }
    }
}
