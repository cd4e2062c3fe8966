"""Reads a table of the lake with pyiceberg, and prints what it finds as JSON.

Arguments: the URI of the metadata file, the origin of the S3 engine, its access key, the id of a user.
"""

import json
import sys

from pyiceberg.expressions import EqualTo
from pyiceberg.table import StaticTable

location, endpoint, access_key, user_id = sys.argv[1:]
table = StaticTable.from_metadata(
    location,
    {
        "s3.endpoint": endpoint,
        "s3.access-key-id": access_key,
        "s3.secret-access-key": "local",
        "s3.region": "us-east-1",
        "s3.force-virtual-addressing": "false",
    },
)
rows = table.scan(row_filter=EqualTo("user_id", user_id)).to_arrow().sort_by("start")
day = rows.column("day")[0].as_py()
print(
    json.dumps(
        {
            "fields": [field.name for field in table.schema().fields],
            "partition": [field.name for field in table.spec().fields],
            "snapshots": len(table.snapshots()),
            "rows": table.scan().to_arrow().num_rows,
            "files_of_day": len(list(table.scan(row_filter=EqualTo("day", day)).plan_files())),
            "samples": [
                [start.isoformat(timespec="milliseconds"), value]
                for start, value in zip(rows.column("start").to_pylist(), rows.column("value").to_pylist())
            ],
        }
    )
)
