"""Print the JSON Schema of config.yaml, by which editors complete keys: docs/config.schema.json."""

import json

from nonresponse.campaign.validation import make_json_schema

print(json.dumps(make_json_schema(), indent=1, ensure_ascii=False))
