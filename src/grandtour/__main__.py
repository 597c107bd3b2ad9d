"""`python -m grandtour` is the command `grandtour`."""

import sys

from grandtour.cli import main

sys.exit(main())
