"""The only importer of Playwright: one warm browser, and pages that a hostile app cannot talk out of the truth."""

from rcca_cli.browser.cdn import Missing, Wanted
from rcca_cli.browser.facts import Element, Failure, Frame, Listener, Ran, Rule, Script
from rcca_cli.browser.guard import STUCK
from rcca_cli.browser.machine import Machine, Settings
from rcca_cli.browser.mirror import Mirror
from rcca_cli.browser.peek import peek, shot, snapshot
from rcca_cli.browser.probe import Probe
from rcca_cli.browser.screen import Screen, Touch
from rcca_cli.browser.stills import State, Still, state, still, window
from rcca_cli.browser.trouble import AppCrashed, AppHung, AppTrouble, BrowserLost, NoEvidence
from rcca_cli.browser.visit import Thrown, Visit

__all__ = [
    "STUCK",
    "AppCrashed",
    "AppHung",
    "AppTrouble",
    "BrowserLost",
    "Element",
    "Failure",
    "Frame",
    "Listener",
    "Machine",
    "Mirror",
    "Missing",
    "NoEvidence",
    "Probe",
    "Ran",
    "Rule",
    "Screen",
    "Script",
    "Settings",
    "State",
    "Still",
    "Thrown",
    "Touch",
    "Visit",
    "Wanted",
    "peek",
    "shot",
    "snapshot",
    "state",
    "still",
    "window",
]
