package console_test

import (
	"os"
	"testing"

	"github.com/planwright/planwright/functions/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m)) }
