package profile

import (
	"slices"
	"testing"
)

// TestProfiles reads every profile's file and checks what no type says.
func TestProfiles(t *testing.T) {
	for _, p := range Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			if _, err := profileFiles.ReadFile("profiles/" + p.Name + ".json"); err != nil {
				t.Errorf("its file has another name: %v", err)
			}
			if p.Title == "" || len(p.Source) == 0 || len(p.Signature) == 0 || len(p.Price) == 0 || len(p.SKU)+len(p.Identity) == 0 {
				t.Error("a profile has a title, a source, a signature, a price, and a SKU or an identity")
			}
			if i := p.Inheritance; i != nil {
				ways := 0
				for _, set := range []bool{len(i.Above) > 0, i.Below != nil, len(i.Parent)+len(i.Same) > 0, len(i.Children) > 0} {
					if set {
						ways++
					}
				}
				if ways != 1 || (len(i.Parent) > 0) != (len(i.Keys) > 0) {
					t.Errorf("inheritance %+v: one of above, below, parent with keys or same, and children", *i)
				}
			}
		})
	}
	if !slices.ContainsFunc(Profiles(), func(p Profile) bool { return p.Name == Plain }) {
		t.Error("there is no plain profile")
	}
}
