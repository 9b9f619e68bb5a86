import json
import urllib.request


def call(sandbox, method, path, body=None):
    request = urllib.request.Request(
        f"{sandbox['url']}/v1{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {sandbox['api_key']}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)["data"]


def test_a_split_creates_a_settlement(sandbox):
    split = call(sandbox, "POST", "/simulation/t-500/scenario", {"scenario": "split"})
    assert split["settlement"]["status"] == "unsettled"

    types = [event["type"] for event in call(sandbox, "GET", "/events")["items"]]
    assert "settlement.created" in types


def test_the_clock_moves(sandbox):
    call(sandbox, "POST", "/simulation/t-600/scenario", {"scenario": "split"})
    before = call(sandbox, "GET", "/simulation/t-600")["simulated_time"]
    after = call(sandbox, "POST", "/simulation/t-600/advance_clock", {"by": "P7D"})
    assert after["simulated_time"] > before
