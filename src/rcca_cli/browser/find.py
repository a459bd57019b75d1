"""Which browser to run, with which switches, and whether it can live without any network."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

from rcca_cli.errors import RccaError

# Debian's `chromium-headless-shell` on the PATH is a shell wrapper; the real binary costs a fifth of a full Chromium.
PLACES = (
    "/usr/lib/chromium/chromium-headless-shell",
    "chrome-headless-shell",
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)

# What would make a page a new process or a new frame host at every navigation costs half of a small page's load.
OFF = (
    "AcceptCHFrame,AutofillServerCommunication,AvoidUnnecessaryBeforeUnloadCheckSync,BackForwardCache,"
    "DestroyProfileOnBrowserClose,DialMediaRouteProvider,GlobalMediaControls,HttpsUpgrades,IsolateOrigins,"
    "LazyFrameLoading,MediaRouter,NetworkServiceSandbox,OptimizationHints,PaintHolding,ProactivelySwapBrowsingInstance,"
    "RenderDocument,SpareRendererForSitePerProcess,ThirdPartyStoragePartitioning,Translate,site-per-process"
)
AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
SWITCHES = (
    "--disable-quic",
    "--disable-component-update",
    "--disable-sync",
    "--disable-smooth-scrolling",
    "--block-new-web-contents",  # a headless shell opens no tabs; elsewhere they are closed as they come
    "--mute-audio",
    "--hide-scrollbars",
    "--js-flags=--max-old-space-size=256",
    # A page could work for the judge alone: nothing says that a program drives the browser, or which one it is.
    "--disable-blink-features=AutomationControlled",
    f"--user-agent={AGENT}",
    # The network: nothing resolves, everything goes to a proxy that is not there, even what is local.
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    f"--disable-features={OFF}",
    "--enable-features=NetworkServiceInProcess2",
)
# Without its own user namespace the browser has no network interface but a dead loopback.
JAILS = (("unshare", "-n"), ("unshare", "-U", "--map-current-user", "-n"))


def executable(given: str | None = None) -> str | None:
    """The browser to run: the one given, the first one found, or None for Playwright's own.

    RccaError if the given one is not there.
    """
    if given:
        found = shutil.which(given)
        if found is None:
            raise RccaError(f"{given}: no such browser (an executable of Chromium or Chrome)")
        return found
    return next((found for place in PLACES if (found := shutil.which(place))), None)


def jail() -> tuple[str, ...] | None:
    """The command that starts a program without a network here; None if this machine does not allow it."""
    for command in JAILS:
        try:
            done = subprocess.run([*command, "true"], capture_output=True, timeout=10, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return command
    return None


def wrapper(folder: Path, command: tuple[str, ...], browser: str) -> str:
    """A script in `folder` that starts `browser` by `command`; Playwright runs it as if it were the browser."""
    script = folder / "browser"
    script.write_text(f'#!/bin/sh\nexec {" ".join(command)} "{browser}" "$@"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


def in_other_network(pid: int) -> bool:
    """Whether the process lives in another network namespace than we do."""
    try:
        return os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")
    except OSError:
        return False
