"""Methods from outside this repository: their source is read, not run, so that the web needs none of their imports.

A method is named as `package.module:function`. Its parameters are the function's own, after the classifier, the batch
and the target, with their defaults; the first line of its docstring describes it. What else a researcher reads of it
may stand in its module as a plain dictionary:

    PEEKAWORD = {"my_method": {"label": "Mine", "citation": "We 2026", "signed": False, "classifier_kinds": ["lstm"]}}
"""

import ast
import importlib.util
from collections.abc import Iterable, MutableMapping
from pathlib import Path
from typing import Any

from catalogue.methods import ALL_KINDS, PIECES, Method
from catalogue.parameters import Parameter

FACTS = "PEEKAWORD"
FIRST = ["classifier", "batch", "target"]
LONGEST_NAME = 60
KNOWN = {"label": str, "family": str, "citation": str, "signed": bool, "complete": bool, "classifier_kinds": list}


class ExternalError(Exception):
    """Why a method cannot be taken from outside, and what to do."""


def add_methods(paths: Iterable[str], methods: MutableMapping[str, Method]) -> None:
    """Add each `package.module:function` to the methods; ExternalError names the one that cannot be."""
    for path in paths:
        method = read_method(path)
        known = methods.get(method.name)
        if known and known.function != path:
            raise ExternalError(f"{path}: there is a method {method.name} already; give the function another name.")
        methods[method.name] = method


def read_method(path: str) -> Method:
    """The catalogue entry of `package.module:function`, from its source alone."""
    module, _, name = path.partition(":")
    if not module or not name.isidentifier() or len(name) > LONGEST_NAME:
        raise ExternalError(f"{path}: expected package.module:function.")
    tree = _parsed(path, _source(path, module))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if not functions:
        raise ExternalError(f"{path}: there is no function {name} in {module}.")
    facts = _facts(path, tree).get(name, {})
    if wrong := _wrong(name, facts):
        raise ExternalError(f"{path}: {FACTS} says {wrong!r} wrongly; it may say {', '.join(KNOWN)}.")
    kinds = facts.get("classifier_kinds", ALL_KINDS)
    described = (ast.get_docstring(functions[0]) or "A method from outside.").splitlines()[0].strip()
    return Method(
        name,
        facts.get("label", name.replace("_", " ").capitalize()),
        facts.get("family", "external"),
        facts.get("citation", path),
        described if described.endswith(".") else f"{described}.",
        signed=facts.get("signed", True),
        complete=facts.get("complete", False),
        classifier_kinds=tuple(kinds),
        parameters=(*_parameters(path, functions[0]), PIECES),
        function=path,
    )


def _source(path: str, module: str) -> Path:
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError) as error:
        raise ExternalError(f"{path}: {module} cannot be found ({error}); is it on PYTHONPATH?") from error
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        raise ExternalError(f"{path}: there is no module {module}; is it on PYTHONPATH?")
    return Path(spec.origin)


def _parsed(path: str, source: Path) -> ast.Module:
    try:
        return ast.parse(source.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise ExternalError(f"{path}: {source}{line} is no Python that can be read: {error}") from error


def _facts(path: str, tree: ast.Module) -> dict[str, Any]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and [ast.unparse(goal) for goal in node.targets] == [FACTS]:
            try:
                facts = ast.literal_eval(node.value)
            except ValueError as error:
                raise ExternalError(f"{path}: {FACTS} must be written out, without calls or names.") from error
            return facts if isinstance(facts, dict) else {}
    return {}


def _wrong(name: str, facts: Any) -> str:
    """The first key that is unknown, or has a value of another kind."""
    if not isinstance(facts, dict):
        return name
    return next((str(key) for key, value in facts.items() if not _fits(key, value)), "")


def _fits(key: str, value: Any) -> bool:
    if key == "classifier_kinds":
        return isinstance(value, list) and bool(value) and set(value) <= set(ALL_KINDS)
    return key in KNOWN and isinstance(value, KNOWN[key])


def _parameters(path: str, function: ast.FunctionDef) -> list[Parameter]:
    arguments = function.args
    names = [argument.arg for argument in arguments.args]
    if names[:3] != FIRST or len(arguments.defaults) < len(names) - 3:
        raise ExternalError(f"{path}: expected (classifier, batch, target) and then parameters with defaults.")
    own = names[3:]
    defaults = arguments.defaults[len(arguments.defaults) - len(own) :]
    pairs: list[tuple[str, ast.expr | None]] = list(zip(own, defaults, strict=True))
    pairs += list(zip([argument.arg for argument in arguments.kwonlyargs], arguments.kw_defaults, strict=True))
    return [Parameter(name, _literal(path, name, default), "a parameter of the function") for name, default in pairs]


def _literal(path: str, name: str, default: ast.expr | None) -> Any:
    try:
        value = ast.literal_eval(default) if default else None
    except ValueError:
        value = None
    if not isinstance(value, int | float | str):
        raise ExternalError(f"{path}: the default of {name} must be a number, a word, True or False, written out.")
    return value
