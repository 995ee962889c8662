package profile

import "testing"

// TestVariantStockForgets keeps as much as there is room for: what was kept
// before is known until there is no room again.
func TestVariantStockForgets(t *testing.T) {
	v := &variantStock{now: map[string]bool{}}
	v.add([]byte("old"), true)
	v.add([]byte("old"), false)
	v.add([]byte("none"), false)
	v.add([]byte("back"), false)
	v.add([]byte("back"), true)
	if inStock, _ := v.of([]byte("back")); !inStock {
		t.Error("a product's second variant is in stock, and the product is not")
	}
	for _, later := range []string{"new", "newer"} {
		if inStock, known := v.of([]byte("old")); !inStock || !known {
			t.Errorf("a product with a variant in stock: %v, known %v", inStock, known)
		}
		if inStock, known := v.of([]byte("none")); inStock || !known {
			t.Errorf("a product with none in stock: %v, known %v", inStock, known)
		}
		v.kept = familyBytes / 2
		v.add([]byte(later), true)
	}
	if _, known := v.of([]byte("old")); known {
		t.Error("a product of which nothing was read for long is still kept")
	}
}
