"""Which browser to run, with which switches, and how well it can be kept apart on this machine."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass

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
    "AcceptCHFrame,AutofillServerCommunication,DeferRendererTasksAfterInput,AvoidUnnecessaryBeforeUnloadCheckSync,BackForwardCache,"
    "DestroyProfileOnBrowserClose,DialMediaRouteProvider,GlobalMediaControls,HttpsFirstBalancedModeAutoEnable,"
    "HttpsUpgrades,IsolateOrigins,LazyFrameLoading,MediaRouter,NetworkServiceSandbox,OptimizationHints,PaintHolding,"
    "ProactivelySwapBrowsingInstance,RenderDocument,SpareRendererForSitePerProcess,ThirdPartyStoragePartitioning,"
    "Translate,site-per-process"
)
AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
SWITCHES = (
    "--headless",
    "--remote-debugging-pipe",
    "--lang=en-US",
    # Nothing of its own: no first run, no updates, no reports, no keys, no extensions.
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-field-trial-config",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--disable-breakpad",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    # A page in the background is one that is judged: it runs as any other.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-back-forward-cache",
    "--disable-prompt-on-repost",
    "--disable-popup-blocking",
    "--block-new-web-contents",  # a headless shell opens no tabs; elsewhere they are closed as they come
    "--allow-pre-commit-input",
    # The same looks everywhere; a mouse, and no finger.
    "--force-color-profile=srgb",
    "--disable-partial-raster",  # what is drawn anew in part has edges of another shade than what is drawn whole
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    "--hide-scrollbars",
    "--disable-smooth-scrolling",
    "--enable-unsafe-swiftshader",
    "--mute-audio",
    "--disable-dev-shm-usage",
    "--js-flags=--max-old-space-size=256",
    # A page could work for the judge alone: nothing says that a program drives the browser, or which one it is.
    "--disable-blink-features=AutomationControlled",
    f"--user-agent={AGENT}",
    "--disable-quic",
    # The network: nothing resolves, everything goes to a proxy that is not there, even what is local.
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    f"--disable-features={OFF}",
    "--enable-features=NetworkServiceInProcess2",
)
NOBODY = 65534


@dataclass(frozen=True)
class Cell:
    """A way to start the browser. `command` starts a program with less; `sandbox`: whether Chromium's own is on.

    `isolation` as in the record: netns (no network interface but a dead loopback) or flags. `owner`: the user it
    runs as, if not ours.
    """

    isolation: str
    sandbox: bool
    command: tuple[str, ...] = ()
    owner: int | None = None


def cells(isolate: bool = True) -> Iterator[Cell]:
    """The ways to start a browser on this machine, best first; not all of them need work.

    Root would have to switch Chromium's sandbox off, so it becomes nobody.
    """
    alone, unshared = ("unshare", "-n"), ("unshare", "-U", "--map-current-user", "-n")
    if os.geteuid() == 0:
        humble = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        if isolate:
            yield Cell("netns", True, (*alone, *humble), NOBODY)
            yield Cell("netns", False, alone)
        yield Cell("flags", True, humble, NOBODY)
        yield Cell("flags", False)
        return
    for sandbox in (True, False):
        if isolate:
            yield Cell("netns", sandbox, unshared)
    for sandbox in (True, False):
        yield Cell("flags", sandbox)


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


def in_other_network(pid: int) -> bool:
    """Whether the process lives in another network namespace than we do."""
    try:
        return os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")
    except OSError:
        return False
