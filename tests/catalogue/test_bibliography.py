import re

import pytest

from catalogue.bibliography import REFERENCES, as_bibtex, cited
from catalogue.methods import METHODS
from catalogue.metrics import METRICS


def test_it_works() -> None:
    first, second = cited("Lundberg & Lee 2017, arXiv:1705.07874; Castro et al. 2009, doi:10.1016/j.cor.2008.04.004")
    assert first.key == "lundberg2017unified" and second.year == "2009"
    assert "eprint = {1705.07874}," in first.bibtex() and "https://arxiv.org/abs/1705.07874" in first.bibtex()
    assert (
        r"Computers \& Operations Research" in second.bibtex()
        and "doi = {10.1016/j.cor.2008.04.004}" in second.bibtex()
    )


@pytest.mark.parametrize("one", [*METHODS.values(), *METRICS.values()], ids=lambda one: one.name)
def test_every_citation_of_the_catalogue_is_known_with_the_same_link(one: object) -> None:
    citation = getattr(one, "citation")  # noqa: B009
    links = [part.partition(", ")[2] for part in citation.split(";")]
    for reference, link in zip(cited(citation), links, strict=True):
        assert not re.match(r"arXiv|doi|acl", link) or reference.link == link


def test_keys_are_of_one_work_each() -> None:
    assert len({one.key for one in REFERENCES.values()}) == len(REFERENCES)


def test_entries_are_whole_and_come_once() -> None:
    text = as_bibtex([*REFERENCES.values(), *REFERENCES.values()])
    entries = re.findall(r"@misc\{(\w+),\n((?:  \w+ = \{.*\},\n)+)\}\n", text)
    assert len(entries) == text.count("@misc") == len(REFERENCES)
    for _, fields in entries:
        assert fields.count("{") == fields.count("}") and {"author", "title", "year"} <= set(
            re.findall(r"  (\w+) =", fields)
        )
