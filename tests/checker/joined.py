"""Several values in one text that still tells which they are, as results and certificates of designs have them (docs/design.md)."""


def quoted(value):
    return '"' + value.replace('"', '""') + '"'


def plain(values, separator):
    return separator.join(values)


def joined(values, separator):
    """Of several values, those with a comma in them, or that begin with a quotation mark, are quoted as in CSV."""
    if len(values) == 1:
        return values[0]
    return separator.join(quoted(value) if "," in value or value.startswith('"') else value for value in values)


def joined_lists(lists, separator):
    """A text for each of some lists that differ; nothing is quoted if the texts differ as they are."""
    texts = [plain(values, separator) for values in lists]
    return texts if len(set(texts)) == len(texts) else [joined(values, separator) for values in lists]


def meant(lists, text, separator):
    """Those of the lists that a text may stand for. Older certificates quote nothing."""
    return [values for values in lists if text in (joined(values, separator), plain(values, separator))]
