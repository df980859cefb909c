"""What addresses answer with beside JSON, by name: the bytes are the view's own, and errors stay problems."""

from rest_framework.renderers import JSONRenderer


class NdjsonRenderer(JSONRenderer):
    media_type = "application/x-ndjson"
    format = "ndjson"


class CsvRenderer(JSONRenderer):
    media_type = "text/csv"
    format = "csv"


class MarkdownRenderer(JSONRenderer):
    media_type = "text/markdown"
    format = "md"


class SvgRenderer(JSONRenderer):
    media_type = "image/svg+xml"
    format = "svg"


class TexRenderer(JSONRenderer):
    media_type = "application/x-tex"
    format = "tex"


class ZipRenderer(JSONRenderer):
    media_type = "application/zip"
    format = "zip"


class BytesRenderer(JSONRenderer):
    media_type = "application/octet-stream"
    format = "bytes"
