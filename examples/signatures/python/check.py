import base64
import csv
import sys

from signatures import sign_widget, verify


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def text(row, name):
    return base64.b64decode(row[name]).decode()


for row in rows(sys.argv[1]):
    print(sign_widget(text(row, "api_key_base64"), row["pms"], text(row, "external_id_base64")))
for row in rows(sys.argv[2]):
    raw = base64.b64decode(row["body_base64"])
    ok = verify(raw, row["id"], row["timestamp"], row["signature"], row["secret"], int(row["now"]))
    print(str(ok).lower())
