package gcs

import (
	"testing"

	"google.golang.org/api/googleapi"

	"github.com/planwright/planwright/shared/errs"
)

func TestClassifyStatus(t *testing.T) {
	for _, test := range []struct {
		status int
		reason string
		want   errs.Kind
	}{
		{403, "rateLimitExceeded", errs.Exhausted}, {403, "userRateLimitExceeded", errs.Exhausted}, {403, "quotaExceeded", errs.Exhausted},
		{403, "forbidden", errs.Denied}, {404, "rateLimitExceeded", errs.Unavailable}, {429, "", errs.Exhausted}, {401, "", errs.Denied},
		{408, "", errs.Unavailable}, {410, "", errs.Unavailable}, {412, "", errs.Unavailable}, {499, "", errs.Internal}, {500, "", errs.Unavailable},
		{400, "", errs.Invalid}, {413, "", errs.Invalid}, {414, "", errs.Invalid}, {418, "", errs.Internal},
	} {
		answer := &googleapi.Error{Code: test.status, Errors: []googleapi.ErrorItem{{Reason: test.reason}}}
		if got, _ := classifyStatus(answer); got != test.want {
			t.Errorf("%d %s is %s, want %s", test.status, test.reason, got, test.want)
		}
	}
}
