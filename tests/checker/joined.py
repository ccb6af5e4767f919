"""Several values joined in one unambiguous text, as in results and certificates of designs (docs/design.md)."""


def quoted(value):
    return '"' + value.replace('"', '""') + '"'


def plain(values, separator):
    return separator.join(values)


def joined(values, separator):
    """Joins values; those with a comma or a leading quotation mark are quoted as in CSV."""
    if len(values) == 1:
        return values[0]
    return separator.join(quoted(value) if "," in value or value.startswith('"') else value for value in values)


def joined_lists(lists, separator):
    """One text for each of several different lists; nothing is quoted if the plain texts differ."""
    texts = [plain(values, separator) for values in lists]
    return texts if len(set(texts)) == len(texts) else [joined(values, separator) for values in lists]


def meant(lists, text, separator):
    """The lists that a text may stand for. Older certificates quote nothing."""
    return [values for values in lists if text in (joined(values, separator), plain(values, separator))]
