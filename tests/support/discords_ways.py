"""How Discord behaves in the tests where that is only reported: as the strictest report says, or with
`GRAPHPAPER_DISCORD=lenient` as the most lenient one."""

import os

STRICT = os.environ.get("GRAPHPAPER_DISCORD", "strict") != "lenient"
