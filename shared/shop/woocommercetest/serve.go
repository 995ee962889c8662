package woocommercetest

import (
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	variationsOf = regexp.MustCompile(`^/wp-json/wc/v3/products/(\d+)/variations(/batch)?$`)
	notNumeric   = regexp.MustCompile(`[^0-9.\-]`)
)

// ServeHTTP answers as the REST API of WooCommerce does.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if s.Mood() == Late {
		s.Land()
	}
	fault := s.take(r.URL.Path, body)
	if fault != nil && s.answer(fault, w, r, body) {
		return
	}
	if key, secret, _ := r.BasicAuth(); key != Key || secret != Secret {
		refuse(
			w, http.StatusUnauthorized, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.",
		)
		return
	}
	isBatch := strings.HasSuffix(r.URL.Path, "/batch")
	parent := variationsOf.FindStringSubmatch(r.URL.Path)
	switch {
	case isBatch && r.Method == http.MethodPost:
		s.writeBatch(w, r.URL.Path, body)
	case r.Method != http.MethodGet:
		refuse(
			w,
			http.StatusNotFound,
			"rest_no_route",
			"No route was found matching the URL and request method.",
		)
	case r.URL.Path == "/wp-json/wc/v3/settings/general":
		s.settings(w)
	case r.URL.Path == "/wp-json/wc/v3/products/categories":
		s.listCategories(w, r.URL.Query())
	case r.URL.Path == "/wp-json/wc/v3/products":
		kind := r.URL.Query().Get("type")
		s.list(w, r.URL.Query(), fault, func(p *Product) bool {
			return p.Parent == 0 && (kind == "" || p.Type == kind)
		})
	case parent != nil:
		of, _ := strconv.ParseInt(parent[1], 10, 64)
		s.list(w, r.URL.Query(), fault, func(p *Product) bool { return p.Parent == of && of != 0 })
	case s.listsAll(r.URL.Path):
		s.list(w, r.URL.Query(), fault, func(p *Product) bool { return p.Parent != 0 })
	default:
		refuse(
			w,
			http.StatusNotFound,
			"rest_no_route",
			"No route was found matching the URL and request method.",
		)
	}
}

// listsAll reports whether a path lists all variations.
func (s *Shop) listsAll(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return path == "/wp-json/wc/v3/variations" && s.newer ||
		path == "/wp-json/wc-analytics/variations" && !s.older
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	send(w, status, map[string]any{
		"code":    code,
		"message": message,
		"data":    map[string]int{"status": status},
	})
}

func send(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(answer)
}

func (s *Shop) settings(w http.ResponseWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	send(w, http.StatusOK, []map[string]any{
		{"id": "woocommerce_store_address", "value": ""},
		{"id": "woocommerce_currency", "value": s.currency},
		{"id": "woocommerce_price_num_decimals", "value": strconv.Itoa(s.decimals)},
	})
}

func (s *Shop) listCategories(w http.ResponseWriter, query url.Values) {
	if query.Get("page") != "1" {
		send(w, http.StatusOK, []category{})
		return
	}
	send(w, http.StatusOK, s.categories)
}

// list answers a page: by id where it is asked so, else by date, which all products have
// in common, so that the order is another each time.
func (s *Shop) list(w http.ResponseWriter, query url.Values, fault *Fault, is func(*Product) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	perPage := number(query, "per_page", 10)
	if perPage > 100 || perPage < 1 {
		refuse(w, http.StatusBadRequest, "rest_invalid_param", "Invalid parameter(s): per_page")
		return
	}
	var ids []int64
	if include := query.Get("include"); include != "" {
		ids = s.included(strings.Split(include, ","), is)
	} else {
		ids = s.selected(is)
	}
	if query.Get("orderby") != "id" {
		rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	if fault == nil || fault.Kind != Uncounted {
		w.Header().Set("X-WP-Total", strconv.Itoa(len(ids)))
	}
	from := number(query, "offset", (number(query, "page", 1)-1)*perPage)
	ids = ids[min(from, len(ids)):min(from+perPage, len(ids))]
	answer := make([]map[string]any, len(ids))
	for i, id := range ids {
		answer[i] = s.shown(s.products[id], query.Get("_fields"))
	}
	send(w, http.StatusOK, answer)
}

func number(query url.Values, name string, fallback int) int {
	if n, err := strconv.Atoi(query.Get(name)); err == nil {
		return n
	}
	return fallback
}

// shown is a product as the API answers it, or those of its fields that are asked for.
func (s *Shop) shown(p *Product, fields string) map[string]any {
	shown := map[string]any{
		"id":                p.ID,
		"name":              strings.ReplaceAll(p.Name, "&", "&amp;"),
		"type":              p.Type,
		"status":            "publish",
		"sku":               p.SKU,
		"regular_price":     p.Regular,
		"sale_price":        p.Sale,
		"date_on_sale_from": nil,
		"date_on_sale_to":   nil,
		"date_modified":     time.Unix(p.Modified, 0).UTC().Format("2006-01-02T15:04:05"),
		"stock_status":      "instock",
		"manage_stock":      false,
		"stock_quantity":    nil,
		"categories":        []map[string]any{},
		"tags":              []map[string]any{},
		"brands":            []map[string]any{},
		"attributes":        []map[string]any{},
	}
	for name, date := range map[string]string{
		"date_on_sale_from": p.SaleFrom,
		"date_on_sale_to":   p.SaleUntil,
	} {
		if date != "" {
			shown[name] = date
		}
	}
	if p.Parent != 0 {
		shown["parent_id"] = p.Parent
	}
	for _, c := range s.categories {
		if c.ID == p.Category {
			shown["categories"] = []map[string]any{{"id": c.ID, "name": c.Name, "slug": "slug"}}
		}
	}
	if fields == "" {
		return shown
	}
	asked := strings.Split(fields, ",")
	maps.DeleteFunc(shown, func(name string, _ any) bool { return !slices.Contains(asked, name) })
	return shown
}

const maxItems = 100 // of a batch

func (s *Shop) writeBatch(w http.ResponseWriter, path string, body []byte) {
	var request struct{ Update []json.RawMessage }
	if json.Unmarshal(body, &request) != nil {
		refuse(w, http.StatusBadRequest, "rest_invalid_json", "Invalid JSON body passed.")
		return
	}
	if len(request.Update) > maxItems {
		refuse(
			w,
			http.StatusRequestEntityTooLarge,
			"woocommerce_rest_request_entity_too_large",
			"Unable to accept more than 100 items for this request.",
		)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	if s.Mood() == Twice {
		s.batch(path, body, -1)
	}
	w.Write(s.batch(path, body, -1))
}

// batch does the first items of a batch, all where most is below 0, and returns the answer.
func (s *Shop) batch(path string, body []byte, most int) []byte {
	var request struct{ Update []map[string]any }
	json.Unmarshal(body, &request)
	var parent int64
	if of := variationsOf.FindStringSubmatch(path); of != nil {
		parent, _ = strconv.ParseInt(of[1], 10, 64)
	}
	answers := []map[string]any{}
	for i, item := range request.Update {
		if i == most {
			break
		}
		answers = append(answers, s.update(parent, item))
	}
	text, _ := json.Marshal(map[string]any{"update": answers})
	return text
}

// update writes one item, as WooCommerce does.
func (s *Shop) update(parent int64, item map[string]any) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, _ := item["id"].(float64)
	p := s.products[int64(id)]
	if p == nil || p.Parent != parent {
		return failed(int64(id), "woocommerce_rest_product_invalid_id", "Invalid ID.")
	}
	if why := s.refused[p.ID]; why != "" {
		return failed(p.ID, "product_invalid", why)
	}
	if value, given := item["regular_price"]; given {
		p.Regular = stored(value)
	}
	if value, given := item["sale_price"]; given {
		p.Sale = stored(value)
	}
	for name, to := range map[string]*string{
		"date_on_sale_from": &p.SaleFrom,
		"date_on_sale_to":   &p.SaleUntil,
	} {
		if value, given := item[name]; given {
			*to, _ = value.(string)
		}
	}
	regular, _ := strconv.ParseFloat(p.Regular, 64)
	sale, err := strconv.ParseFloat(p.Sale, 64)
	if err == nil && sale >= regular { // for good, also where the sale was there before
		p.Sale, p.SaleFrom, p.SaleUntil = "", "", ""
	}
	p.Modified++
	return s.shown(p, "")
}

// stored is what WooCommerce keeps of a price: what it cannot read it takes away.
func stored(value any) string {
	text, _ := value.(string)
	return notNumeric.ReplaceAllString(text, "")
}

func failed(id int64, code, message string) map[string]any {
	return map[string]any{
		"id":    id,
		"error": map[string]any{"code": code, "message": message, "data": map[string]int{"status": 400}},
	}
}
