"""Look up what models.py declares: the keys of a model, the values and forms of a type, what is at
a place."""

from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import Tag
from pydantic.fields import FieldInfo
from typing_extensions import is_typeddict

from nonresponse.campaign.models import Config, Needs, OneOf


class Key(NamedTuple):
    """What a model declares of a key."""

    type: Any  # with all that annotates it
    description: str
    needs: list[Needs]


class Place(NamedTuple):
    """What is declared at a place of the configuration."""

    keys: list[str]  # those that lead to it
    type: Any
    description: str


def unwrap(type: Any) -> tuple[Any, list[Any]]:
    """Return a type without what annotates it, and the annotations; of a type that may be null, the
    other one."""
    notes: list[Any] = []
    while True:
        if get_origin(type) is Required:
            (type,) = get_args(type)
        elif get_origin(type) is Annotated:
            type, *more = get_args(type)
            notes = [*more, *notes]
        elif get_origin(type) in (Union, UnionType) and NoneType in get_args(type):
            [type] = [form for form in get_args(type) if form is not NoneType]
        else:
            return type, notes


def described(notes: list[Any]) -> str:
    """Return the description among annotations, the outermost one."""
    found = [note.description for note in notes if isinstance(note, FieldInfo) and note.description]
    return found[-1] if found else ""


@cache
def keys_of(model: type) -> dict[str, Key]:
    """Return the keys of a model, in order."""
    keys = {}
    for name, hint in get_type_hints(model, include_extras=True).items():
        _, notes = unwrap(hint)
        keys[name] = Key(
            hint, described(notes), [note for note in notes if isinstance(note, Needs)]
        )
    return keys


def forms_of(type: Any) -> dict[str, Any]:
    """Return the forms of a type that has several, each with what it is called; empty for any other
    type."""
    bare, _ = unwrap(type)
    if get_origin(bare) not in (Union, UnionType):
        return {}
    return {
        note.tag: form
        for form in get_args(bare)
        for note in unwrap(form)[1]
        if isinstance(note, Tag)
    }


def mapping_in(type: Any) -> Any:
    """Return the model that a type is, or that one of its forms is."""
    return next(
        bare for form in (type, *forms_of(type).values()) if is_typeddict(bare := unwrap(form)[0])
    )


def allowed_values(type: Any) -> tuple[Any, ...]:
    """Return the values that a type lists; empty if it lists none."""
    bare, notes = unwrap(type)
    if get_origin(bare) is Literal:
        return get_args(bare)
    return next((note.allowed for note in notes if isinstance(note, OneOf)), ())


def follow(location: tuple[int | str, ...]) -> Place:
    """Return what is declared where pydantic found an error; for an unknown key, the model that
    lacks it."""
    keys: list[str] = []
    type, description = Config, ""
    for index, part in enumerate(location):
        bare, notes = unwrap(type)
        description = described(notes) or description
        if part in (forms := forms_of(type)):
            type = forms[part]
            continue
        keys.append(str(part))
        if is_typeddict(bare):
            known = keys_of(bare)
            if part not in known:
                return Place(keys, bare, description)
            type, description = known[part].type, known[part].description
        elif get_origin(bare) is dict:
            is_key = location[index + 1 :] == ("[key]",)
            type = get_args(bare)[0 if is_key else 1]
            if is_key:
                return Place(keys[:-1], type, described(unwrap(type)[1]))
            description = ""
        elif get_origin(bare) is list:
            (type,) = get_args(bare)
            description = ""
    return Place(keys, type, described(unwrap(type)[1]) or description)
