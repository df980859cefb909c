"""The wizard filled in by a program: values as a campaign stores them, checked by the wizard's own form.

What a program says is put on a campaign, shown as the wizard shows it, and posted as the page would post it. So both
have the same rules, the same defaults and the same messages.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.forms import BaseForm
from django.utils.datastructures import MultiValueDict

from accounts.models import User
from campaigns.arming import values_of
from campaigns.creating import defaults
from campaigns.forms import CampaignForm
from campaigns.models import Campaign
from campaigns.translating import PHRASES
from recruitment.outcomes import OTHERS

Posted = MultiValueDict[str, Any]
# Fields of the wizard that stand for members of one field of the campaign's.
PARTS_OF = {
    "rule_": "rules",
    "param-": "method_params",
    "protocol-": "protocol_settings",
    "translations-": "translations",
}


def design_anew(user: User, values: Mapping[str, Any]) -> CampaignForm:
    """Of a new campaign: what is not said is as `defaults` proposes it."""
    materials = values["dataset"], values["classifier"]
    per_label = {"texts_per_label": values["texts_per_label"]} if "texts_per_label" in values else {}
    proposed = defaults(values["protocol"], *materials, **per_label)
    return _filled_in(user, Campaign(team=materials[0].team, **{**proposed, **values}), Campaign())


def design_again(user: User, campaign: Campaign, values: Mapping[str, Any]) -> CampaignForm:
    """Of a draft: what is not said stays."""
    changed = Campaign.objects.get(pk=campaign.pk)
    for name, value in values.items():
        setattr(changed, name, value)
    return _filled_in(user, changed, campaign)


def _filled_in(user: User, wanted: Campaign, row: Campaign) -> CampaignForm:
    shown = CampaignForm(user, instance=wanted)
    return CampaignForm(user, _posted(shown, wanted), instance=row)


def _posted(shown: CampaignForm, wanted: Campaign) -> Posted:
    data: Posted = MultiValueDict()
    for form in _forms(shown):
        for field in form:
            _post(data, field.html_name, field.value())
    for name, value in (values_of(wanted.method_params) | _translations(wanted)).items():
        _post(data, name, value)
    return data


def _post(data: Posted, name: str, value: Any) -> None:
    """Boxes that are not ticked are not sent; what has fields of its own is sent by these."""
    if value is None or value is False or isinstance(value, dict):
        return
    if isinstance(value, list | tuple):
        data.setlist(name, [str(one) for one in value])
    else:
        data[name] = "on" if value is True else str(value)


def _forms(shown: CampaignForm, provider: str = "") -> Iterator[BaseForm]:
    """With those inside its parts: of recruitment the one of the `provider`, or of all where none is named."""
    yield shown
    for part in shown.parts:
        yield part
        asked = getattr(part, "asked", None) or {}
        if isinstance(asked, dict):
            yield from (one for name, one in asked.items() if name == (provider or name))
        else:
            yield asked


def _translations(wanted: Campaign) -> dict[str, Any]:
    """As the part's own template asks for them."""
    phrases = sorted({phrase for given in wanted.translations.values() for phrase in given.get(PHRASES, {})})
    data: dict[str, Any] = {f"translations-phrase-{n}": phrase for n, phrase in enumerate(phrases)}
    for code, given in wanted.translations.items():
        data[f"translations-{code}"] = True
        data |= {f"translations-{code}-{field}": text for field, text in given.items() if field != PHRASES}
        said = given.get(PHRASES, {})
        data |= {f"translations-{code}-phrase-{n}": said.get(phrase, "") for n, phrase in enumerate(phrases)}
    return data


def complaints(form: CampaignForm) -> dict[str, list[str]]:
    """What is wrong, by the field of the campaign's that it is wrong in."""
    found: dict[str, list[str]] = {}
    for one in _forms(form, form.instance.recruitment):
        for name, errors in one.errors.items():
            found.setdefault(_field_of(one.add_prefix(name)), []).extend(map(str, errors))
    return found


def _field_of(name: str) -> str:
    for start, field in PARTS_OF.items():
        if name.startswith(start):
            return field
    if any(name.startswith(f"{outcome}_") for outcome in OTHERS):
        return "exits"
    if "-" in name:
        return "recruitment_settings"
    return "non_field_errors" if name == "__all__" else name
