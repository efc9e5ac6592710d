"""The emulator's features as the Python SDK sees them. Arguments: endpoint, key, certificate, the table of queries."""

import json
import ssl
import sys
import time
import traceback
import urllib.request
import warnings

from azure.core import MatchConditions
from azure.cosmos import CosmosClient, PartitionKey, ThroughputProperties
from azure.cosmos.exceptions import CosmosBatchOperationError, CosmosHttpResponseError

ENDPOINT, KEY, CERTIFICATE, TABLE = sys.argv[1:5]
DATABASE = "python"
FEATURES = []
COUNTS = {"passed": 0, "excepted": 0}

# The SDK does not verify certificates of this machine, and says so at every request.
warnings.simplefilter("ignore")

client = CosmosClient(ENDPOINT, KEY, connection_verify=CERTIFICATE, retry_throttle_total=-1)
database = client.create_database_if_not_exists(DATABASE)


def feature(check):
    FEATURES.append(check)
    return check


def refused(call, status):
    try:
        call()
    except CosmosHttpResponseError as error:
        assert error.status_code == status, error
        return error
    raise AssertionError("nothing was refused")


def control(container, name, body):
    request = urllib.request.Request(
        f"{ENDPOINT}_emulator/dbs/{DATABASE}/colls/{container.id}/{name}",
        data=json.dumps(body).encode(),
        headers={"x-emulator-control": "true"},
    )
    with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=CERTIFICATE)) as answer:
        return json.load(answer)


def make(name, **more):
    return database.create_container(id=name, partition_key=PartitionKey("/pk"), **more)


def filled(name, **more):
    container = make(name, **more)
    for n in range(60):
        container.create_item({"id": f"item-{n}", "pk": f"key-{n % 12}", "n": n, "kind": f"k{n % 3}"})
    return container


def everywhere(container, query, **more):
    return list(container.query_items(query, enable_cross_partition_query=True, **more))


@feature
def databases_and_containers():
    things = make("things")
    assert [one["id"] for one in database.list_containers()] == ["things"]
    database.replace_container(things, partition_key=PartitionKey("/pk"), default_ttl=100)
    assert things.read()["defaultTtl"] == 100
    refused(lambda: make("things"), 409)
    database.delete_container(things)
    refused(things.read, 404)


@feature
def items_create_read_replace_upsert_patch_delete():
    items = make("items")
    made = items.create_item({"id": "1", "pk": "a", "n": 1})
    assert items.read_item("1", "a")["n"] == 1
    match = {"etag": made["_etag"], "match_condition": MatchConditions.IfNotModified}
    items.replace_item("1", {**made, "n": 2}, **match)
    refused(lambda: items.replace_item("1", {**made, "n": 3}, **match), 412)
    items.upsert_item({"id": "1", "pk": "a", "n": 4})
    patched = items.patch_item("1", "a", [{"op": "incr", "path": "/n", "value": 6}])
    assert patched["n"] == 10
    items.delete_item("1", "a")
    refused(lambda: items.read_item("1", "a"), 404)


@feature
def items_are_addressed_by_what_was_read_of_them():
    items = make("addressed")
    made = items.create_item({"id": "1", "pk": "a", "n": 1})
    other = items.create_item({"id": made["_rid"], "pk": "a"})
    assert items.read_item(made, "a")["n"] == 1
    assert items.replace_item(made, {**made, "n": 2})["n"] == 2
    assert items.patch_item(made, "a", [{"op": "incr", "path": "/n", "value": 1}])["n"] == 3
    assert items.read_item(made["_rid"], "a")["_rid"] == other["_rid"]
    refused(lambda: items.read_item(made, "b"), 404)
    items.delete_item(made, "a")
    refused(lambda: items.read_item(made, "a"), 404)
    assert [one["id"] for one in items.read_all_items()] == [made["_rid"]]


@feature
def an_item_may_get_another_id_and_all_items_of_a_partition_key_may_go():
    items = make("renamed")
    made = items.create_item({"id": "1", "pk": "a"})
    renamed = items.replace_item("1", {"id": "2", "pk": "a"})
    assert renamed["_rid"] == made["_rid"]
    refused(lambda: items.read_item("1", "a"), 404)
    items.create_item({"id": "3", "pk": "b"})
    items.delete_all_items_by_partition_key("a")
    assert [one["id"] for one in items.read_all_items()] == ["3"]


@feature
def policies_are_completed():
    rooted = make("rooted", indexing_policy={"indexingMode": "consistent", "includedPaths": [{"path": "/"}]}).read()["indexingPolicy"]
    assert rooted["excludedPaths"] == [{"path": '/"_etag"/?'}] and rooted["automatic"]
    bare = make("bare", indexing_policy={"indexingMode": "consistent"}).read()["indexingPolicy"]
    assert [path["path"] for path in bare["includedPaths"]] == ["/*"]
    none = make("none", indexing_policy={"indexingMode": "none", "automatic": False}).read()["indexingPolicy"]
    assert none["includedPaths"] == [] and none["excludedPaths"] == []
    refused(lambda: make("x" * 256), 400)


@feature
def a_transactional_batch_is_all_or_nothing():
    batches = make("batches")
    batches.execute_item_batch([("create", ({"id": "1", "pk": "a"},)), ("upsert", ({"id": "2", "pk": "a"},))], "a")
    try:
        batches.execute_item_batch([("create", ({"id": "3", "pk": "a"},)), ("create", ({"id": "1", "pk": "a"},))], "a")
        raise AssertionError("nothing was refused")
    except CosmosBatchOperationError as error:
        assert [one["statusCode"] for one in error.operation_responses] == [424, 409]
    assert len(list(batches.read_all_items())) == 2


@feature
def queries_over_all_partitions():
    queried = filled("queried")
    assert everywhere(queried, "SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 3") == [58, 57, 56]
    assert everywhere(queried, "SELECT TOP 2 VALUE c.n FROM c ORDER BY c.n") == [0, 1]
    assert everywhere(queried, "SELECT VALUE COUNT(1) FROM c") == [60]
    assert everywhere(queried, "SELECT VALUE SUM(c.n) FROM c WHERE c.n < 4") == [6]
    assert sorted(everywhere(queried, "SELECT DISTINCT VALUE c.kind FROM c")) == ["k0", "k1", "k2"]
    parameters = [{"name": "@low", "value": 55}]
    assert len(everywhere(queried, "SELECT * FROM c WHERE c.n > @low", parameters=parameters)) == 4
    assert len(list(queried.query_items("SELECT * FROM c", partition_key="key-3"))) == 5


@feature
def pages_and_continuations():
    paged = filled("paged")
    seen, token = [], None
    while True:
        pages = paged.query_items("SELECT * FROM c", partition_key="key-1", max_item_count=2).by_page(token)
        seen += [one["id"] for one in next(pages)]
        token = pages.continuation_token
        if not token:
            break
    assert len(seen) == len(set(seen)) == 5


@feature
def order_by_without_the_index_it_needs_is_refused():
    policy = {
        "indexingMode": "consistent",
        "includedPaths": [{"path": "/*"}],
        "excludedPaths": [{"path": "/shut/?"}],
        "compositeIndexes": [[{"path": "/kind", "order": "ascending"}, {"path": "/n", "order": "descending"}]],
    }
    indexed = filled("indexed", indexing_policy=policy)

    def all_of(query):
        return list(indexed.query_items(query, partition_key="key-0"))

    assert len(all_of("SELECT * FROM c ORDER BY c.kind, c.n DESC")) == 5
    assert "composite index" in refused(lambda: all_of("SELECT * FROM c ORDER BY c.kind, c.n"), 400).message
    assert "excluded" in refused(lambda: all_of("SELECT * FROM c ORDER BY c.shut"), 400).message


@feature
def unique_keys():
    unique = make("unique", unique_key_policy={"uniqueKeys": [{"paths": ["/mail"]}]})
    unique.create_item({"id": "1", "pk": "a", "mail": "x"})
    refused(lambda: unique.create_item({"id": "2", "pk": "a", "mail": "x"}), 409)
    unique.create_item({"id": "2", "pk": "b", "mail": "x"})


@feature
def hierarchical_partition_keys():
    deep = database.create_container("deep", PartitionKey(["/tenant", "/user"], kind="MultiHash"))
    for n in range(20):
        deep.create_item({"id": f"{n}", "tenant": f"t{n % 2}", "user": f"u{n % 5}"})
    assert deep.read_item("3", ["t1", "u3"])["id"] == "3"
    assert len(list(deep.query_items("SELECT * FROM c", partition_key=["t1", "u3"]))) == 2
    assert len(list(deep.query_items("SELECT * FROM c", partition_key=["t1"]))) == 10


@feature
def change_feed_latest_versions_through_a_split():
    feed = filled("feed")
    changes = list(feed.query_items_change_feed(start_time="Beginning", max_item_count=7))
    continuation = feed.client_connection.last_response_headers["etag"]
    assert len({one["id"] for one in changes}) == len(changes) == 60
    control(feed, "split", {"range": "0"})
    control(feed, "split", {"range": "3"})
    for n in range(12):
        feed.create_item({"id": f"later-{n}", "pk": f"key-{n}"})
    later = [one["id"] for one in feed.query_items_change_feed(continuation=continuation)]
    assert sorted(later) == sorted(f"later-{n}" for n in range(12)), later


@feature
def change_feed_all_versions_and_deletes():
    versions = make("versions")
    list(versions.query_items_change_feed(mode="AllVersionsAndDeletes"))
    continuation = versions.client_connection.last_response_headers["etag"]
    versions.create_item({"id": "1", "pk": "a", "n": 1})
    versions.upsert_item({"id": "1", "pk": "a", "n": 2})
    versions.delete_item("1", "a")
    changes = list(versions.query_items_change_feed(mode="AllVersionsAndDeletes", continuation=continuation))
    assert [one["metadata"]["operationType"] for one in changes] == ["create", "replace", "delete"]
    assert changes[2]["metadata"]["id"] == "1"


@feature
def queries_go_on_through_splits_and_merges():
    split = filled("split")
    query = "SELECT VALUE c.n FROM c ORDER BY c.n"
    assert everywhere(split, query) == list(range(60))
    # A client that meets the split in a query repairs it by pushing the other ranges a second time (azure-cosmos 4.17.1,
    # _MultiExecutionContextAggregator), so its results are looked at as a set there.
    control(split, "split", {"range": "1"})
    assert sorted(set(everywhere(split, query, max_item_count=10))) == list(range(60))
    assert everywhere(split, query, max_item_count=10) == list(range(60))
    control(split, "merge", {"ranges": ["4", "5"]})
    assert sorted(set(everywhere(split, query, max_item_count=10))) == list(range(60))
    assert everywhere(split, query, max_item_count=10) == list(range(60))
    assert len(everywhere(split, "SELECT * FROM c", max_item_count=7)) == 60


@feature
def throughput_is_read_replaced_and_enforced():
    limited = make("limited", offer_throughput=400)
    assert limited.get_throughput().offer_throughput == 400

    def write():
        for n in range(400):
            limited.create_item({"id": f"{n}", "pk": "a"})

    assert int(refused(write, 429).headers["x-ms-retry-after-ms"]) > 0
    limited.replace_throughput(1000)
    assert limited.get_throughput().offer_throughput == 1000
    scaling = make("scaling", offer_throughput=ThroughputProperties(auto_scale_max_throughput=4000))
    assert scaling.get_throughput().auto_scale_max_throughput == 4000


@feature
def a_throttled_request_is_repeated_by_the_sdk():
    make("patient", offer_throughput=400)
    # The limit is one second of the partition's throughput; more can only be written by who waits.
    patient = CosmosClient(ENDPOINT, KEY, connection_verify=CERTIFICATE).get_database_client(DATABASE).get_container_client("patient")
    for n in range(40):
        patient.create_item({"id": f"{n}", "pk": "a", "text": "x" * 4096})
    assert len(list(patient.query_items("SELECT VALUE c.id FROM c", partition_key="a"))) == 40


@feature
def patch_six_operations_and_a_condition():
    patches = make("patches")
    patches.create_item({"id": "1", "pk": "a", "n": 1, "old": "x", "gone": True, "list": [1, 3]})
    operations = [
        {"op": "add", "path": "/list/1", "value": 2},
        {"op": "set", "path": "/made", "value": {}},
        {"op": "replace", "path": "/made", "value": "y"},
        {"op": "remove", "path": "/gone"},
        {"op": "incr", "path": "/n", "value": 4},
        {"op": "move", "from": "/old", "path": "/moved"},
    ]
    patched = patches.patch_item("1", "a", operations, filter_predicate="FROM c WHERE c.n = 1")
    assert (patched["n"], patched["made"], patched["moved"], patched["list"]) == (5, "y", "x", [1, 2, 3])
    assert "old" not in patched and "gone" not in patched
    refused(lambda: patches.patch_item("1", "a", operations[4:5], filter_predicate="FROM c WHERE c.n = 1"), 412)


@feature
def conditions_on_reads_and_writes_and_answers_without_content():
    conditions = make("conditions")
    assert not conditions.create_item({"id": "1", "pk": "a"}, no_response=True)
    refused(lambda: conditions.delete_item("1", "a", etag='"other"', match_condition=MatchConditions.IfNotModified), 412)
    conditions.delete_item("1", "a")


@feature
def read_many():
    many = filled("many")
    wanted = [(f"item-{n}", f"key-{n % 12}") for n in range(0, 60, 7)]
    found = many.read_items(items=wanted + [("none", "key-1")])
    assert sorted(one["id"] for one in found) == sorted(name for name, _ in wanted)


@feature
def session_tokens():
    sessions = make("sessions")
    sessions.create_item({"id": "1", "pk": "a"})
    token = sessions.client_connection.last_response_headers["x-ms-session-token"]
    assert sessions.read_item("1", "a", session_token=token)["id"] == "1"
    ahead = token.split(":")[0] + ":0#99999#1=99999"
    assert refused(lambda: sessions.read_item("1", "a", session_token=ahead), 404).sub_status == 1002


@feature
def time_to_live():
    mortal = make("mortal", default_ttl=-1)
    mortal.create_item({"id": "1", "pk": "a", "ttl": 1})
    mortal.create_item({"id": "2", "pk": "a"})
    deadline = time.monotonic() + 60
    left = ["1", "2"]
    while len(left) > 1 and time.monotonic() < deadline:
        left = [one["id"] for one in mortal.query_items("SELECT * FROM c", partition_key="a")]
    assert left == ["2"]


@feature
def feed_ranges():
    ranged = filled("ranged")
    ranges = list(ranged.read_feed_ranges())
    assert len(ranges) == 4
    changes = [one["id"] for each in ranges for one in ranged.query_items_change_feed(feed_range=each, start_time="Beginning")]
    assert len(changes) == len(set(changes)) == 60


def is_close(wanted, given):
    if type(wanted) in (int, float) and type(given) in (int, float):
        return abs(wanted - given) <= 1e-12 * max(1, abs(wanted))
    if isinstance(wanted, dict) and isinstance(given, dict):
        return wanted.keys() == given.keys() and all(is_close(wanted[key], given[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(given, list):
        return len(wanted) == len(given) and all(map(is_close, wanted, given))
    return type(wanted) is type(given) and wanted == given


def are_results(query, wanted, given):
    """Whether these are the results, in any order unless the query sorts."""
    if "ORDER BY" in query:
        return is_close(wanted, given)
    left = list(given)
    for one in wanted:
        at = next((i for i, other in enumerate(left) if is_close(one, other)), None)
        if at is None:
            return False
        del left[at]
    return not left


def fault(containers, row):
    """What is wrong with the answer to a row of the table; None when nothing is."""
    query = row.get("query") or f"SELECT VALUE {row['expression']} FROM c"
    where = {"partition_key": "one"} if "expression" in row else {"enable_cross_partition_query": True}
    asked = containers[row.get("on", "one")].query_items(query, parameters=row.get("parameters", []), **where)
    try:
        results = list(asked)
    except CosmosHttpResponseError as error:
        return None if row.get("error") and error.status_code == 400 and row["error"] in str(error) else f"{query}: {error}"
    expected = row.get("expected", [row["value"]] if "value" in row else [])
    if row.get("error") or not are_results(query, expected, results):
        return f"{query}: {results}, not {row.get('error', expected)}"
    return None


@feature
def the_table_of_queries():
    with open(TABLE, encoding="utf-8") as file:
        table = json.load(file)
    containers = {name: make(f"table-{name}") for name in table["datasets"]}
    for name, documents in table["datasets"].items():
        for document in documents:
            containers[name].create_item(document)
    rows = [row for entry in table["entries"] for row in entry["cases"]]
    asked = [row for row in rows if "python" not in row.get("except", {})]
    faults = [found for found in (fault(containers, row) for row in asked) if found]
    COUNTS["excepted"] = len(rows) - len(asked)
    COUNTS["passed"] = len(asked) - len(faults)
    assert not faults, "\n".join([f"{len(faults)} rows"] + faults[:10])


failed = 0
for check in FEATURES:
    name = check.__name__.replace("_", " ")
    try:
        check()
        print(f"ok      {name}")
    except Exception:
        failed += 1
        print(f"FAILED  {name}")
        traceback.print_exc(file=sys.stdout)
client.delete_database(DATABASE)
print(f"Python: {len(FEATURES) - failed} features passed, {failed} failed; {COUNTS['passed']} queries, {COUNTS['excepted']} not asked")
sys.exit(1 if failed else 0)
