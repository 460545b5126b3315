// Where a system keeps its browsers, for the set-up and the tests.
import { existsSync } from "node:fs";

export const findChromium = () => ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

// Not /usr/bin/firefox, which on Ubuntu starts a snap that cannot read a profile in /tmp.
export const findFirefox = () => ["/usr/bin/firefox-esr", "/usr/lib/firefox/firefox"].find(existsSync);
