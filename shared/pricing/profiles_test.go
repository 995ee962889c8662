package pricing_test

import (
	"fmt"
	"testing"

	"github.com/planwright/planwright/shared/pricing/pricingtest"
	"github.com/planwright/planwright/shared/table/profile"
)

// TestProfilesAgainstReference carries random plans out over random tables of
// all profiles and dialects.
func TestProfilesAgainstReference(t *testing.T) {
	changed := map[string]int{}
	for seed := range seeds(4400) {
		if profile, rows := compareSeed(t, seed, nil); rows > 0 {
			changed[profile]++
		}
	}
	for _, p := range profile.Profiles() { // chance may have passed one over, as after a new one is added
		for seed := uint64(4400); changed[p.Name] == 0 && !testing.Short() && seed < 44_000; seed++ {
			if pricingtest.New(seed).Profile.Name != p.Name {
				continue
			}
			if _, rows := compareSeed(t, seed, nil); rows > 0 {
				changed[p.Name]++
			}
		}
		if changed[p.Name] == 0 && !testing.Short() {
			t.Errorf("no plan changed a table of %s: what it does there is compared with nothing", p.Name)
		}
	}
}

// compareSeed compares the engine with the reference on a table that a seed
// makes, with some of its bytes changed. It returns the table's profile and how
// many rows the plan changed.
func compareSeed(t *testing.T, seed uint64, changed []byte) (profile string, rows int64) {
	t.Helper()
	g := pricingtest.New(seed)
	data, p, s := g.Table(12), g.Plan(), g.Settings()
	for i := 0; i+2 < len(changed) && len(data) > 0; i += 3 {
		data[(int(changed[i])<<8|int(changed[i+1]))%len(data)] = changed[i+2]
	}
	t.Run(fmt.Sprint(seed), func(t *testing.T) {
		defer func() {
			if t.Failed() {
				t.Logf("%s, %v\n%+v\n%s\n%q", g.Profile.Name, g.Dialect, s, pricingtest.PlanText(p), data)
			}
		}()
		rows = compare(t, p, s, data, 1+int(seed%97), 1<<16).RowsChanged
	})
	return g.Profile.Name, rows
}

// FuzzProfiles compares the engine with the reference on tables of all profiles
// and dialects with some of their bytes changed.
func FuzzProfiles(f *testing.F) {
	for seed := range seeds(200) {
		f.Add(seed, []byte(nil))
		f.Add(seed, []byte{byte(seed), byte(seed * 7), '"', 1, 2, '\r', byte(seed), 9, ','})
	}
	f.Fuzz(func(t *testing.T, seed uint64, changed []byte) {
		if len(changed) > 30 {
			return
		}
		compareSeed(t, seed, changed)
	})
}
