//go:build !linux

package inbox

import "os"

// writersOf knows nothing: of macOS's leases only Apple's own programs get one.
func writersOf(*os.File) Writers { return Unknown }
