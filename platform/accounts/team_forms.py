from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password

from accounts.acts import Act
from accounts.models import Invitation, Membership, Team, User
from accounts.sign_in_forms import LONG_ENOUGH

ROLES = {
    Membership.Role.ANALYST: "reads judgments and reports, sees no data about workers",
    Membership.Role.EDITOR: "makes and runs campaigns, sees and pays workers",
    Membership.Role.OWNER: "edits, decides who is in the team, and reads its log",
}


class TeamForm(forms.ModelForm[Team]):
    class Meta:
        model = Team
        fields = ["name"]
        labels = {"name": "Name of the team"}

    def clean_name(self) -> str:
        return " ".join(str(self.cleaned_data["name"]).split())


class InvitationForm(forms.Form):
    email = forms.EmailField(
        label="E-mail address",
        required=False,
        help_text="The invitation is sent there. Without one you get a link to pass on.",
    )
    role = forms.ChoiceField(
        label="Role",
        choices=[(role, f"{role.label}: {words}") for role, words in ROLES.items()],
        initial=Membership.Role.EDITOR,
    )


class RoleForm(forms.Form):
    role = forms.ChoiceField(label="Role", choices=Membership.Role)


class ProfileForm(forms.ModelForm[User]):
    class Meta:
        model = User
        fields = ["first_name", "last_name", "current_team"]
        labels = {"first_name": "First name", "last_name": "Last name", "current_team": "Team for what you make"}
        help_texts = {"current_team": "Proposed wherever something new is made; you can choose another one there."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        teams = self.fields["current_team"]
        assert isinstance(teams, forms.ModelChoiceField)
        teams.queryset = Team.objects.filter(memberships__user=self.instance).order_by("name")
        teams.empty_label = "The one you joined first"
        if teams.queryset.count() < 2:
            del self.fields["current_team"]


class JoinForm(forms.ModelForm[User]):
    """A new account for who was invited. An address that the invitation was sent to is taken as it is."""

    password = forms.CharField(
        label="Password",
        strip=False,
        help_text=LONG_ENOUGH,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    class Meta:
        model = User
        fields = ["username", "email"]
        labels = {"username": "Username", "email": "E-mail address"}
        help_texts = {"username": "Letters, digits and @ . + - _", "email": "For a new password, should you need one."}

    def __init__(self, invitation: Invitation, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.invited = invitation.email
        self.fields["username"].widget.attrs |= {"autocomplete": "username", "autocapitalize": "none"}
        if self.invited:
            del self.fields["email"]
        else:
            self.fields["email"].required = True

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        user = User(username=said.get("username", ""), email=self.invited or said.get("email", ""))
        if self.invited and User.objects.filter(email__iexact=self.invited).exists():
            raise forms.ValidationError(f"There is an account of {self.invited} already: sign in with it above.")
        if said.get("password"):
            try:
                validate_password(said["password"], user)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return said


class LogForm(forms.Form):
    person = forms.ChoiceField(label="Who", required=False)
    act = forms.ChoiceField(label="What", required=False, choices=[("", "Everything"), *Act.choices])
    q = forms.CharField(label="Of what", required=False, max_length=100)
    since = forms.DateField(label="From", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label="To", required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, people: list[str], acts: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        labels = dict(Act.choices)
        self.fields["person"].choices = [("", "Everybody"), *((name, name) for name in people)]  # type: ignore[attr-defined]
        offered = [(act, str(labels.get(act, act)).capitalize()) for act in acts]
        self.fields["act"].choices = [("", "Everything"), *offered]  # type: ignore[attr-defined]
