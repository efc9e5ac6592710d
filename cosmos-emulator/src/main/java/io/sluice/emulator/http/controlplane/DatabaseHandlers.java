package io.sluice.emulator.http.controlplane;

import io.sluice.emulator.http.message.ResourceList;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Database;
import io.sluice.emulator.throughput.RequestUnits;

/** Databases. */
public final class DatabaseHandlers {
    private final Account account;

    public DatabaseHandlers(Account account) {
        this.account = account;
    }

    /** Creates a database. */
    public WireResponse create(WireRequest request) {
        var offer = OfferHandlers.requestedOffer(request);
        var database = account.createDatabase(request.object(), offer);
        return WireResponse.resource(201, database.describe());
    }

    /** Reads a database. */
    public WireResponse read(WireRequest request) {
        return WireResponse.resource(
                200, account.database(request.path().database()).describe());
    }

    /** Lists all databases, or queries them. */
    public WireResponse list(WireRequest request) {
        var all = account.databases().stream().map(Database::describe).toList();
        return ResourceList.respond("Databases", "", all, request);
    }

    /** Deletes a database with everything in it. */
    public WireResponse delete(WireRequest request) {
        account.deleteDatabase(account.database(request.path().database()), request.precondition());
        return WireResponse.empty(204).charge(RequestUnits.METADATA);
    }
}
