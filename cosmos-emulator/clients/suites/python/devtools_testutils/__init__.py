"""What the Python SDK's tests take of its authors' tools, which no registry has: there are no recordings, and no credential but the account's key."""
