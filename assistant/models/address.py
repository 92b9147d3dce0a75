"""Addresses of model servers: checked before anything is sent, and told apart as this machine or elsewhere."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from assistant.errors import ModelChoiceError

EXAMPLE = "http://localhost:11434/v1"


def check_address(url: str) -> str:
    """`url` without end slash and without `/chat/completions`; on this machine `http://` need not be written.

    Raises ModelChoiceError with a sentence where it cannot be an address.
    """
    address = url.strip()
    if "://" not in address and _is_local(address):
        address = f"http://{address}"
    if not address:
        raise ModelChoiceError("No address of a model server is given.", hint=f"Give one such as {EXAMPLE}.")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, or beyond 65535; broken brackets
        usable = False
    if not usable:
        raise ModelChoiceError(
            f"{address} is not a web address.", hint=f"It must look like {EXAMPLE}, with http:// or https://."
        )
    if parts.username or parts.password:
        raise ModelChoiceError(
            "An address must not hold a name or password.",
            hint="Keys come from an environment variable or the keyring. `assistant setup --key-env NAME` names one.",
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/chat/completions')}"


def is_loopback(url: str) -> bool:
    """Whether `url` is on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_local(address: str) -> bool:
    """Whether an address without its scheme is on this machine."""
    try:
        return is_loopback(f"http://{address}")
    except ValueError:  # broken brackets
        return False


def with_v1(url: str) -> str | None:
    """The address with the `/v1` that most servers want, or None where it has one already."""
    return None if urlsplit(url).path.rstrip("/").endswith("/v1") else f"{url.rstrip('/')}/v1"
