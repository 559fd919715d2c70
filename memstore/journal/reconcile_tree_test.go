package journal

import ()
