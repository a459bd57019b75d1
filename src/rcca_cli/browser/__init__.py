"""The only importer of Playwright: one warm browser, and pages that a hostile app cannot talk out of the truth."""

from rcca_cli.browser.machine import Machine, Settings
from rcca_cli.browser.trouble import AppCrashed, AppHung, AppTrouble, BrowserLost
from rcca_cli.browser.visit import Thrown, Visit

__all__ = ["AppCrashed", "AppHung", "AppTrouble", "BrowserLost", "Machine", "Settings", "Thrown", "Visit"]
