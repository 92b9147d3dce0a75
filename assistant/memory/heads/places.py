"""One place or people told in two forms: Wales and Welsh, Torino and Turin, Zürich and Zurich."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping

__all__ = ["in_forms_of"]

_PEOPLES = """
Afghanistan Afghan, Albania Albanian, Algeria Algerian, America American, Argentina Argentinian, Armenia Armenian, Australia Australian,
Austria Austrian, Bangladesh Bangladeshi, Belarus Belarusian, Belgium Belgian, Bolivia Bolivian, Bosnia Bosnian, Brazil Brazilian,
Bulgaria Bulgarian, Cameroon Cameroonian, Canada Canadian, Chile Chilean, China Chinese, Colombia Colombian, Croatia Croatian, Cuba Cuban,
Cyprus Cypriot, Denmark Danish, Egypt Egyptian, England English, Eritrea Eritrean, Estonia Estonian, Ethiopia Ethiopian, Finland Finnish,
France French, Georgia Georgian, Germany German, Ghana Ghanaian, Greece Greek, Hungary Hungarian, Iceland Icelandic, India Indian,
Indonesia Indonesian, Iran Iranian, Iraq Iraqi, Ireland Irish, Israel Israeli, Italy Italian, Jamaica Jamaican, Japan Japanese,
Jordan Jordanian, Kenya Kenyan, Korea Korean, Kosovo Kosovan, Latvia Latvian, Lebanon Lebanese, Lithuania Lithuanian, Malaysia Malaysian,
Malta Maltese, Mexico Mexican, Moldova Moldovan, Morocco Moroccan, Nepal Nepali, Netherlands Dutch, Holland Dutch, Nigeria Nigerian,
Norway Norwegian, Pakistan Pakistani, Peru Peruvian, Philippines Filipino, Poland Polish, Portugal Portuguese, Romania Romanian,
Russia Russian, Scotland Scottish, Senegal Senegalese, Serbia Serbian, Slovakia Slovak, Slovenia Slovenian, Somalia Somali, Spain Spanish,
Sudan Sudanese, Sweden Swedish, Switzerland Swiss, Syria Syrian, Taiwan Taiwanese, Thailand Thai, Tunisia Tunisian, Turkey Turkish,
Uganda Ugandan, Ukraine Ukrainian, Vietnam Vietnamese, Wales Welsh, Zimbabwe Zimbabwean
"""
_AT_HOME = """
Antwerpen Antwerp, Athina Athens, Beograd Belgrade, Bruxelles Brussels, Firenze Florence, Genova Genoa, Geneve Geneva, Genf Geneva,
Goteborg Gothenburg, Helsingfors Helsinki, Kobenhavn Copenhagen, Koln Cologne, Kyiv Kiev, Lisboa Lisbon, Luzern Lucerne, Lviv Lvov,
Milano Milan, Moskva Moscow, Munchen Munich, Napoli Naples, Nurnberg Nuremberg, Padova Padua, Praha Prague, Roma Rome, Sevilla Seville,
Siracusa Syracuse, Torino Turin, Venezia Venice, Warszawa Warsaw, Wien Vienna, Deutschland Germany, Italia Italy, Espana Spain,
Osterreich Austria, Polska Poland, Schweiz Switzerland, Suomi Finland, Sverige Sweden, Norge Norway, Danmark Denmark
"""


def _pairs(table: str) -> list[tuple[str, str]]:
    pairs = (entry.split() for entry in table.split(","))
    return [(first, second) for first, second in pairs]


_COUNTRIES: dict[str, list[str]] = {}
for _country, _people in _pairs(_PEOPLES):
    _COUNTRIES.setdefault(_people.lower(), []).append(_country)
_ENGLISH = {own.lower(): english for own, english in _pairs(_AT_HOME)}
_IS = r"(?<=\bis )|(?<=\bare )|(?<=\bwas )|(?<=\bwere )|(?<=['’][sm] )|(?<=['’]re )|(?<=\bbe )"
_OF_A_PEOPLE = re.compile(
    rf"(?:{_IS})(?:originally |actually |half )?(?P<people>{'|'.join(sorted(_COUNTRIES))})\b"
    r"(?=[,.;!?]|$| (?:and|but|by birth|originally|too|so|by|who)\b)",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"\b(?:is|are|was|were|comes?|came|['’][sm]|['’]re)(?P<from> (?:originally )?(?:from|born in)) (?:the )?(?P<country>[A-Z]\w+)"
)
_WORD = re.compile(r"[^\W\d_]+")


def in_forms_of(text: str, others: Iterable[str]) -> str:
    """`text` with its places and peoples in the form in which one of `others` holds them: "dad's Welsh" -> "dad's from Wales"."""
    held = {word.lower(): word for other in others for word in _WORD.findall(other)}
    named = {name: word for word in held.values() if word[:1].isupper() for name in _names_of(word)}
    text = _WORD.sub(lambda found: _as_held(found[0], held, named), text)
    text = _OF_A_PEOPLE.sub(lambda found: _from_there(found, held), text)
    return _FROM.sub(lambda found: _of_that_people(found, held), text)


def _as_held(word: str, held: Container[str], named: Mapping[str, str]) -> str:
    """The held word that names the same place: by its own name, in English, without accents."""
    if word.lower() in held:
        return word
    return next((named[name] for name in _names_of(word) if name in named), word)


def _names_of(word: str) -> tuple[str, str]:
    bare = _plain(word)
    return bare, _ENGLISH.get(bare, bare).lower()


def _plain(word: str) -> str:
    """Lower-case, without accents: "Zürich" -> "zurich"."""
    parts = unicodedata.normalize("NFKD", word.lower().replace("ø", "o").replace("ł", "l"))
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def _from_there(found: re.Match[str], held: Container[str]) -> str:
    if found["people"].lower() in held:
        return found[0]
    known = [country for country in _COUNTRIES[found["people"].lower()] if country.lower() in held]
    return f"from {known[0]}" if known else found[0]


def _of_that_people(found: re.Match[str], held: Mapping[str, str]) -> str:
    country = found["country"]
    people = [people for people, countries in _COUNTRIES.items() if country in countries and people in held]
    if country.lower() in held or not people:
        return found[0]
    return found[0][: found.start("from") - found.start()] + f" {held[people[0]]}"
