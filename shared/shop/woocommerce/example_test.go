package woocommerce_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommerce"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
)

// A shop is fetched as a table with its ids. By these, prices are read and set.
func ExampleClient() {
	stand := woocommercetest.New()
	cup := stand.Add(woocommercetest.Product{SKU: "CUP", Name: "Cup & saucer", Prices: shop.Prices{Regular: "10.00"}})
	server := httptest.NewServer(stand)
	defer server.Close()
	client, err := woocommerce.New(woocommerce.Config{URL: server.URL, Key: woocommercetest.Key, Secret: woocommercetest.Secret})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	var table strings.Builder
	if _, err := client.Fetch(ctx, &table); err != nil {
		fmt.Println(err)
	}
	fmt.Print(strings.ReplaceAll(table.String(), "\r\n", "\n"))
	price := "11.00"
	results, err := client.Write(ctx, "", []shop.Set{{ID: cup, Regular: &price}})
	fmt.Println(results[0].Now, err)
	comma := "9,99"
	results, err = client.Write(ctx, "", []shop.Set{{ID: cup, Regular: &comma}})
	fmt.Println(results[0].Refused, err)
	// Output:
	// ID,Type,SKU,Name,Published,Parent,Categories,Tags,Brands,Regular price,Sale price,Date sale price starts,Date sale price ends,In stock?,Stock,Attributes
	// 11,simple,CUP,Cup & saucer,1,,,,,10.00,,,,1,,
	// 11.00 <nil>
	// It is no price that WooCommerce stores as it is sent. <nil>
}
