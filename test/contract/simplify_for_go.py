"""Reads an OpenAPI 3.1 document, and writes the part of it that the generator for Go turns into code that compiles."""

import json
import sys

SCHEMA_KEYWORDS = ("type", "anyOf", "allOf", "$ref")


def simplify(node):
    """Leaves out defaults that are objects, lists of files, and the type of members that are always null."""
    if isinstance(node, list):
        return [simplify(item) for item in node]
    if not isinstance(node, dict):
        return node
    is_schema = any(keyword in node for keyword in SCHEMA_KEYWORDS)
    kept = {
        key: simplify(value)
        for key, value in node.items()
        if not (key == "default" and is_schema and isinstance(value, dict))
    }
    if isinstance(kept.get("properties"), dict):
        kept["properties"] = {name: allow_anything(schema) for name, schema in kept["properties"].items()}
    if isinstance(kept.get("schema"), dict):
        kept["schema"] = allow_anything(kept["schema"])
    return kept


def allow_anything(schema):
    is_file_list = schema.get("type") == "array" and schema.get("items", {}).get("format") == "binary"
    return {} if schema.get("type") == "null" or is_file_list else schema


json.dump(simplify(json.load(sys.stdin)), sys.stdout)
